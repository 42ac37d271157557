"""What each feature of the reranker says of a chunk."""

import numpy as np
import pytest

from zhiji.core.turn import Found, Hit
from zhiji.models.question_words import content_terms
from zhiji.models.ranking_evidence import EVIDENCE, evidence
from zhiji.models.ranking_features import FEATURES, below_title, see
from zhiji.models.ranking_names import misnamed, named
from zhiji.models.ranking_views import asked, present, view


def hit(text: str, title: str = "", heading: str = "", dense: float = 0.85, bm25: float = 1.0) -> Hit:
    return Hit(f"{title}/{text}", text, title, heading, f"{title}.md", 1, dense, bm25)


def feature(name: str, question: str, *hits: Hit) -> list[float]:
    return see(question, Found(1, list(hits)), reach=0.05).column(name).round(2).tolist()


def weighed(name: str, question: str, *hits: Hit) -> float:
    found = Found(1, list(hits))
    seen = see(question, found, reach=0.05)
    return float(evidence(seen, found, np.arange(len(hits), 0, -1.0), usual=0.83)[EVIDENCE.index(name)])


@pytest.mark.parametrize(
    ("question", "content"),
    [
        ("请问怎么退款", {"退款"}),
        ("我想问一下水费是多少呢", {"问", "水费"}),
        ("What is the warranty of the pump?", {"warranti", "pump"}),
        ("怎么办", {"怎么办", "怎么", "么办"}),
    ],
    ids=["asking words go", "so do pronouns and particles", "English too", "unless nothing is left"],
)
def test_content_is_what_is_left_when_the_asking_is_gone(question, content):
    assert set(content_terms(question)) == content


def test_a_word_of_an_alphabet_must_stand_alone():
    query = asked("cat food", {})
    assert present(query.needles, ["category of foods"]).tolist() == [[False, True]]


def test_views_fold_script_and_width():
    assert view("退貨ＡＢＣ").whole == "退货 abc "


def test_a_rare_term_weighs_more_than_a_common_one():
    shares = asked("离合器价格", {"离合": 8.0, "离合器": 8.0, "合器": 8.0, "器价": 8.0, "价格": 1.0}).shares
    assert shares[-1] < shares[0]


def test_terms_the_release_never_saw_count_as_the_rarest():
    unseen, seen = asked("水泵价格", {"价格": 2.0, "泵价": 1.0}).shares[[0, -1]]
    assert unseen == seen


def test_one_match_out_of_one_is_no_proof():
    one, three = feature("cover", "退款", hit("退款"))[0], feature("cover", "退款 发票 运费", hit("退款 发票 运费"))[0]
    assert one < three < 1


def test_coverage_counts_body_title_and_heading():
    found = feature(
        "cover", "水泵噪声", hit("水泵在夜间噪声低"), hit("噪声", title="水泵"), hit("水泵", heading="噪声"), hit("灯")
    )
    assert found[0] == found[1] == found[2] > found[3] == 0


def test_one_sentence_that_holds_it_all_beats_two_that_share_it():
    together, apart = feature(
        "cover_sentence", "水泵 噪声", hit("水泵的噪声很低。保修两年。"), hit("水泵保修两年。噪声很低。")
    )
    assert together > apart


def test_the_aspect_is_what_no_title_says():
    asks_price = feature("cover_aspect", "水泵 噪声", hit("噪声低", "水泵"), hit("价格高", "水泵"))
    assert asks_price == [1.0, 0.0]


def test_where_titles_say_everything_the_aspect_is_the_whole_question():
    assert feature("cover_aspect", "水泵", hit("一", "水泵"), hit("二", "灯")) == feature(
        "cover", "水泵", hit("一", "水泵"), hit("二", "灯")
    )


def test_a_code_that_is_not_there_speaks_against_a_chunk():
    assert feature("code_absent", "E1024 怎么处理", hit("E1024：缺水"), hit("E1025：过热")) == [0.0, 1.0]


def test_a_code_is_never_found_inside_a_longer_one():
    assert feature("codes_present", "E10 是什么", hit("E10：缺水"), hit("E1024：过热")) == [1.0, 0.0]


def test_a_plain_number_may_be_said_otherwise():
    assert feature("code_absent", "3 天内能退吗", hit("七日内可退")) == [0.0]


def test_the_near_twin_lacks_what_names_the_other_document():
    right, twin = feature(
        "passed_over", "枇杷果蝇怎么防", hit("挂瓶", "枇杷果蝇防治"), hit("挂网", "杨梅果蝇防治", dense=0.9)
    )
    assert right == 0 < twin


def test_each_documents_best_chunk_is_not_pushed_out_by_the_others_second():
    a1, a2, b1 = feature(
        "cover_doc", "甲泵和乙泵的重量", hit("重量十斤", "甲泵"), hit("颜色", "甲泵"), hit("重量九斤", "乙泵")
    )
    assert a1 == b1 == 0 > a2


def test_a_named_title_counts_only_where_its_chunk_is_near():
    near, far = feature("named_dense", "甲泵重量", hit("重", "甲泵", dense=0.9), hit("色", "甲泵", dense=0.85))
    assert near > far == 0


def test_what_titles_share_does_not_name_a_document():
    scores = named("松山有限公司的收入", ["松山有限公司", "海河有限公司", "云岭有限公司"])
    assert scores[0] > 0.8
    assert scores[1] == scores[2] < 0.3


@pytest.mark.parametrize(
    ("question", "titles", "high"),
    [
        ("江北有限公司的收入", ["松山有限公司", "海河有限公司", "云岭有限公司"], True),
        ("松山有限公司的收入", ["松山有限公司", "海河有限公司", "云岭有限公司"], False),
        ("今年的收入", ["松山有限公司", "海河有限公司", "云岭有限公司"], False),
        ("江北有限公司的收入", ["退货说明", "会员", "配送"], False),
    ],
    ids=["one of the kind, but none of these", "one of these", "names none", "titles of no kind"],
)
def test_misnamed_is_a_subject_of_the_bases_kind_that_it_does_not_hold(question, titles, high):
    assert (misnamed(question, titles) > 0.5) == high


def test_a_question_about_two_documents_is_not_weaker_for_it():
    chunks = [hit("重量十斤", "甲水泵"), hit("重量九斤", "乙风机")]
    assert weighed("cover_aspect", "水泵 重量", *chunks) == weighed("cover_aspect", "水泵 风机 重量", *chunks) == 1


def test_the_rest_of_the_document_may_say_what_the_best_chunk_does_not():
    chunks = [hit("重量十斤", "水泵"), hit("保修两年", "水泵"), hit("价格", "风机")]
    assert weighed("document_aspect", "水泵 重量 保修", *chunks) > weighed("cover_aspect", "水泵 重量 保修", *chunks)
    assert weighed("document_aspect", "水泵 价格", *chunks) == 0


def test_a_small_base_does_not_hide_how_near_its_best_chunk_is():
    one = weighed("lead", "甲泵", hit("甲泵", dense=0.9))
    assert one == pytest.approx(0.9 - 0.83)


def test_length_and_form_of_a_question_are_not_weighed():
    chunks = [hit("水泵噪声低", "水泵"), hit("灯", "灯")]
    short = see("水泵噪声", Found(1, chunks), reach=0.05).rows
    longer = see("请问一下，我们的水泵的噪声是怎么样的呢？", Found(1, chunks), reach=0.05).rows
    cover = [
        FEATURES.index(name) for name in ("cover_title", "title_named", "codes_present", "code_absent", "dense_gap")
    ]
    assert short[1, cover].tolist() == longer[1, cover].tolist()


@pytest.mark.parametrize(
    ("title", "heading", "below"),
    [
        ("手册", "手册 > 安装 > 接线", "安装 > 接线"),
        ("手册", "安装", "安装"),
        ("手册", "手册", ""),
        ("", "安装", "安装"),
    ],
)
def test_the_title_does_not_count_as_a_heading(title, heading, below):
    assert below_title(hit("", title, heading)) == below


def test_no_content_and_no_titles_are_no_numbers_out_of_range():
    rows = see("？", Found(1, [hit(""), hit("", dense=-1.0, bm25=0.0)]), reach=0.05).rows
    assert np.isfinite(rows).all()
