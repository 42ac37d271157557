"""The promised stories, each in new threads, through the command line alone."""

import json
import shutil

import pytest


@pytest.fixture
def home(sample_home, tmp_path, monkeypatch):
    """A copy of the home that holds the sample documents."""
    shutil.copytree(sample_home, tmp_path / "home")
    monkeypatch.setenv("ZHIJI_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def context_of(reply: dict) -> str:
    return " ".join([*(m["content"] for m in reply["memories"]), *(p["text"] for p in reply["passages"])])


def remembered(zhiji) -> list[dict]:
    return json.loads(zhiji("memory", "list", "--json").stdout)


@pytest.mark.parametrize(
    ("said", "asked", "city", "drink"),
    [
        ("我住在杭州，平时喜欢喝美式", "帮我推荐个附近的咖啡店", "杭州", "美式"),
        ("I live in Boston and I usually drink cold brew.", "Recommend a coffee shop nearby", "Boston", "cold brew"),
    ],
    ids=["zh", "en"],
)
def test_home_and_taste_make_the_answer(say, said, asked, city, drink):
    say(said)
    reply = say(asked)
    assert city in context_of(reply) and drink in context_of(reply)
    assert city in reply["answer"] and drink in reply["answer"]
    assert reply["degraded"] == []


@pytest.mark.parametrize(
    ("said", "asked", "what"),
    [("我对花生过敏", "推荐个零食", "花生"), ("I'm allergic to peanuts.", "Suggest a snack", "peanut")],
    ids=["zh", "en"],
)
def test_an_allergy_is_always_there(say, said, asked, what):
    say(said)
    reply = say(asked)
    assert any(what in memory["content"] and memory["pinned"] for memory in reply["memories"])
    assert reply["degraded"] == []


def test_a_changed_taste_replaces_the_old_one_and_history_says_so(say, zhiji):
    say("我喜欢喝美式")
    say("我改喝拿铁了")
    reply = say("我平时喝什么")
    assert "拿铁" in context_of(reply) and "美式" not in context_of(reply)
    assert "拿铁" in reply["answer"]
    history = json.loads(zhiji("memory", "history", "--json").stdout)
    replaced = [entry for entry in history if entry["operation"] == "SUPERSEDE"]
    assert (
        replaced
        and "美式" in json.dumps(replaced, ensure_ascii=False)
        and "拿铁" in json.dumps(replaced, ensure_ascii=False)
    )


def test_a_correction_of_the_name_holds(say):
    say("我不叫小明，我叫小华")
    reply = say("我叫什么")
    assert "小华" in reply["answer"] and "小明" not in reply["answer"] + context_of(reply)


def test_saying_it_five_times_is_one_memory_that_matters_more(say, zhiji):
    first = say("我喜欢美式")["learned"]
    before = remembered(zhiji)[0]["importance"]
    for _ in range(4):
        say("我喜欢美式")
    assert [one["op"] for one in first] == ["ADD"]
    assert len(remembered(zhiji)) == 1 and remembered(zhiji)[0]["importance"] > before


def test_two_allergies_are_two_allergies(say, zhiji):
    say("我对海鲜过敏")
    say("我对花生过敏")
    held = " ".join(memory["content"] for memory in remembered(zhiji))
    assert "海鲜" in held and "花生" in held


def test_moving_changes_the_city(say):
    say("我住在杭州")
    say("我搬到上海了")
    reply = say("我在哪个城市")
    assert "上海" in reply["answer"] and "杭州" not in context_of(reply)


@pytest.mark.parametrize("said", ["我朋友喜欢喝茶", "帮我查下明天的天气", "哈哈今天天气不错", "如果我住在北京呢"])
def test_nothing_lasting_is_not_stored(say, zhiji, said):
    assert say(said)["learned"] == []
    assert remembered(zhiji) == []


def test_the_litchi_borer_is_not_the_longan_borer(say):
    say("我负责柑橘园")
    reply = say("蒂蛀虫怎么防治（荔枝）")
    assert reply["passages"][0]["source"] == "agri/litchi.md"
    assert reply["citations"] and reply["citations"][0]["source"] == "agri/litchi.md"


def test_a_refund_question_finds_the_returns_page_and_its_follow_up_too(say):
    first = say("怎么退款", "--thread", "r")
    assert first["passages"][0]["source"] == "support/returns.md" and first["citations"]
    second = say("那个要多久", "--thread", "r")
    assert second["query"] != "那个要多久" and any(p["source"] == "support/returns.md" for p in second["passages"])


@pytest.mark.parametrize(
    ("told", "asked", "then"),
    [
        ("我住在杭州", "怎么退款", "那个要多久"),
        ("I live in Boston.", "How do I get a refund?", "how long does it take"),
    ],
    ids=["zh", "en"],
)
def test_a_question_after_talk_of_oneself_is_its_own_and_its_follow_up_is_not(say, told, asked, then):
    say(told, "--thread", "o")
    first = say(asked, "--thread", "o")
    assert first["query"] == asked and first["citations"]
    second = say(then, "--thread", "o")
    assert second["query"] != then and second["passages"][0]["source"].startswith("support/returns")


@pytest.mark.parametrize(
    ("thanks", "asked"), [("谢谢", "今天星期几"), ("Thanks!", "What is my name?")], ids=["zh", "en"]
)
def test_what_the_assistant_says_by_itself_is_no_subject(say, thanks, asked):
    say(thanks, "--thread", "n")
    for _ in range(2):
        assert say(asked, "--thread", "n")["query"] == asked


@pytest.mark.parametrize(
    ("asked", "then", "wish", "meant"),
    [
        ("火龙果怎么修剪", "香蕉呢", "请详细一点", "香蕉怎么修剪"),
        ("How do I prune mango trees?", "What about guava?", "more detail please", "guava"),
    ],
    ids=["zh", "en"],
)
def test_a_wish_for_detail_means_the_last_question_also_where_nothing_was_found(say, asked, then, wish, meant):
    say(asked, "--thread", "d")
    assert say(then, "--thread", "d")["abstained"]
    reply = say(wish, "--thread", "d")
    assert reply["abstained"] and meant in reply["query"] and wish not in reply["query"]
    assert reply["passages"] == [] and reply["learned"] == []


def test_memory_comes_before_the_document_and_both_are_cited(say):
    say("我是VIP用户，我的退货期是30天")
    reply = say("我的退货期多久")
    labels = [one["label"][0] for one in reply["citations"]]
    assert labels[0] == "M" and "K" in labels
    assert reply["answer"].index("30") < reply["answer"].index("7")


def test_shorten_it_means_the_last_answer(say):
    first = say("怎么退款", "--thread", "s")
    second = say("把它缩短", "--thread", "s")
    assert 0 < len(second["answer"]) < len(first["answer"])
    assert second["learned"] == []


def test_what_no_document_answers_is_not_known(say):
    reply = say("量子纠缠的贝尔不等式怎么推导")
    assert reply["abstained"] and reply["citations"] == [] and "不知道" in reply["answer"]


def test_this_once_in_detail_does_not_change_the_rule(say, zhiji):
    say("以后回复要简短")
    short = say("荔枝蒂蛀虫怎么防治")
    long = say("荔枝蒂蛀虫怎么防治，这次请详细一点")
    assert len(long["answer"]) > len(short["answer"])
    assert any("简短" in memory["content"] for memory in remembered(zhiji))


def test_another_user_gets_none_of_it(say, zhiji):
    say("我住在杭州，平时喜欢喝美式", "--user", "a@example.com")
    reply = say("帮我推荐个附近的咖啡店", "--user", "b'; DROP TABLE memories; --/../x")
    assert reply["memories"] == [] and "杭州" not in reply["answer"]


def test_the_same_message_again_changes_nothing(say, zhiji):
    say("我喜欢美式", "--thread", "t", "--message-id", "m1")
    before = remembered(zhiji)
    assert say("我喜欢美式", "--thread", "t", "--message-id", "m1")["learned"] == []
    assert remembered(zhiji) == before


def test_friday_afternoon_is_recalled(say):
    say("我周五下午都不方便开会")
    assert "周五下午" in context_of(say("帮我安排周五的复盘会"))


def test_a_message_id_that_is_taken_is_refused(say, zhiji):
    say("我喜欢美式", "--thread", "t", "--message-id", "m1")
    again = zhiji("chat", "-m", "我住在上海", "--thread", "t", "--message-id", "m1")
    assert again.returncode == 2 and "m1" in again.stderr


def test_a_message_that_asks_two_things_gets_both(say):
    say("我住在上海，喜欢喝龙井茶")
    answer = say("我喜欢什么茶？我住在哪里？")["answer"]
    assert "龙井" in answer and "上海" in answer


@pytest.mark.parametrize("asked", ["What does E1024 mean?", "E1024是什么意思"])
def test_a_fault_code_is_explained_in_the_language_it_is_asked_in(say, asked):
    reply = say(asked)
    assert reply["passages"][0]["source"] == "product/hg300_manual.md"
    assert "阀门反馈超时" in reply["answer"]


@pytest.mark.parametrize("asked", ["What does E9999 mean?", "E9999是什么意思"])
def test_a_fault_code_that_no_document_has_is_not_explained(say, asked):
    assert say(asked)["abstained"]
