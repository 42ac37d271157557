import pytest

from zhiji.core.turn import Turn
from zhiji.models.rewrite_embedded import EmbeddedRewriter


def window(*texts):
    return [Turn("user" if place % 2 == 0 else "assistant", text) for place, text in enumerate(texts)]


async def query(question, *texts):
    return await EmbeddedRewriter().rewrite(question, window(*texts))


@pytest.mark.parametrize(
    ("asked", "answered", "question", "completed"),
    [
        ("怎么申请换货", "在订单页点售后。", "那个要多久", "换货要多久"),
        ("你看过红楼梦吗", "看过。", "它的作者是谁", "红楼梦的作者是谁"),
        ("洗碗机怎么安装", "先接水管 [K1]。", "它费水吗", "洗碗机费水吗"),
        ("你喜欢喝龙井吗", "喜欢", "嗯好喝", "嗯龙井好喝"),
        (
            "How do I get a refund?",
            "Refunds go to your card.",
            "How long does it take?",
            "How long does the refund take?",
        ),
    ],
)
async def test_a_question_that_leans_on_the_talk_is_completed(asked, answered, question, completed):
    assert (await query(question, asked, answered)).text == completed


@pytest.mark.parametrize(
    "question",
    [
        "附近有什么咖啡店",
        "我平时喝什么",
        "我在哪个城市",
        "荔枝蒂蛀虫怎么防治",
        "我改喝拿铁了",
        "我对海鲜过敏",
        "帮我安排周五的复盘会",
        "什么是碳中和",
        "What is my name?",
        "I moved to York",
        "How many days of annual leave do I get?",
    ],
)
async def test_a_question_that_stands_alone_comes_back_as_it_was(question):
    found = await query(question, "怎么申请退货", "在订单页点售后。")
    assert found.text == found.original == question


@pytest.mark.parametrize(
    ("said", "answered"),
    [
        ("我住在厦门", "明白，您住在厦门。"),
        ("我对芒果过敏", "明白。"),
        ("多谢", "不客气。"),
        ("你好", "您好，我是知己。想查资料，或者想让我记住什么，直接说就行。"),
        ("明天刮风吗", "不知道：关于“明天刮风吗”，资料库和已有的记忆里都没有能回答的内容。"),
        ("哦哦", "嗯，听到了。有想查的或想聊的，随时说。"),
    ],
)
@pytest.mark.parametrize("question", ["怎么退款", "今天星期几", "我叫什么", "密码忘了怎么办", "病假工资怎么发"])
async def test_talk_about_something_else_leaves_no_trace(said, answered, question):
    assert (await query(question, said, answered)).text == question


@pytest.mark.parametrize(
    ("said", "answered"),
    [
        ("I live in Leeds.", "Understood: you live in Leeds."),
        ("Thanks!", "You're welcome."),
        ("Hello", "Hello, I'm Zhiji. Ask me about your documents, or tell me what to keep in mind."),
        ("Is it windy?", "I don't know: neither the documents nor what you have told me covers this."),
    ],
)
@pytest.mark.parametrize("question", ["How do I get a refund?", "What is my name?", "What day is it today?"])
async def test_talk_about_something_else_leaves_no_trace_in_english(said, answered, question):
    assert (await query(question, said, answered)).text == question


@pytest.mark.parametrize(
    ("question", "text"),
    [("那退款怎么办", "那退款怎么办"), ("算了，婚假几天", "算了，婚假几天"), ("龙眼呢", "龙眼什么时候修剪")],
)
async def test_a_new_subject_after_na_is_a_question_of_its_own(question, text):
    assert (await query(question, "荔枝什么时候修剪", "采果后15天内 [K1]。")).text == text


async def test_a_follow_up_of_a_follow_up_takes_up_the_first_question():
    talk = ("荔枝什么时候修剪", "采果后15天内 [K1]。", "龙眼呢", "采后10天内 [K1]。")
    assert (await query("柑橘呢", *talk)).text == "柑橘什么时候修剪"


@pytest.mark.parametrize(
    ("asked", "answered", "question", "named"),
    [
        ("How do I rent a canoe at the Old Mill Lake?", "At the desk [K1].", "Is it deep?", "Old Mill Lake"),
        (
            "When do I pick Conference pears?",
            "At 6.0 kg firmness [K1].",
            "How should I store them?",
            "Conference pears",
        ),
        ("桃树流胶病怎么防治", "剪除病枝 [K1]。", "用什么药", "桃树流胶病"),
        ("年假怎么休", "在系统里申请 [K1]。", "能分开休吗", "年假"),
    ],
)
async def test_a_name_is_taken_up_whole(asked, answered, question, named):
    assert named in (await query(question, asked, answered)).text


@pytest.mark.parametrize("question", ["Is there a gym nearby?", "Is it going to rain tomorrow?", "What time is it?"])
async def test_it_and_there_that_stand_for_nothing_are_no_reference(question):
    assert (await query(question, "I live in Leeds.", "Understood: you live in Leeds.")).text == question


async def test_courtesies_do_not_cut_a_follow_up_off():
    talk = ("怎么退款", "在订单页申请 [K1]。", "谢谢", "不客气。")
    assert "退款" in (await query("那个要多久", *talk)).text


@pytest.mark.parametrize(
    ("talk", "wish", "question"),
    [
        (("怎么退款", "在订单页申请 [K1]。"), "请详细一点", "怎么退款"),
        (("荔枝什么时候修剪", "采果后 [K1]。", "龙眼呢", "不知道：没有内容。"), "请详细一点", "龙眼什么时候修剪"),
        (("怎么退款", "在订单页申请 [K1]。", "谢谢", "不客气。"), "用表格", "怎么退款"),
        (("我住在杭州", "明白。", "怎么退款", "在订单页申请 [K1]。"), "说简单点", "怎么退款"),
        (
            ("How do I pay?", "By card [K1].", "and in cash?", "At the desk [K1]."),
            "shorter please",
            "How do I pay in cash",
        ),
    ],
)
async def test_a_wish_of_form_is_searched_as_the_last_question_and_kept_as_an_instruction(talk, wish, question):
    found = await query(wish, *talk)
    assert found.text == question
    assert found.instruction and found.instruction in wish


async def test_a_wish_of_form_with_nothing_before_stays_as_it_is():
    assert (await query("请详细一点", "你好", "您好，我是知己。")).text == "请详细一点"


async def test_without_a_talk_nothing_can_be_completed():
    assert not (await query("那个怎么弄")).rewritten


async def test_a_wish_about_the_last_answer_names_its_subject():
    found = await query("把它缩短", "怎么退款", "验收后5个工作日内到账 [K1]。")
    assert "怎么退款" in found.text
    assert found.instruction == "缩短"


async def test_a_thing_made_in_the_talk_is_named_by_its_subject():
    assert "团建" in (await query("刚才那个方案要花多少钱", "帮我写一个团建方案", "上午爬山，下午烧烤。")).text


@pytest.mark.parametrize(
    ("question", "recalls"),
    [
        ("你还记得我之前说的预算吗", True),
        ("我上次跟你说过什么", True),
        ("记住我不吃香菜", False),
        ("怎么退款", False),
        ("Do you remember my budget?", True),
        ("Remember that I don't eat pork", False),
    ],
)
async def test_the_recall_signal(question, recalls):
    assert (await query(question)).recall_signal is recalls


async def test_keywords_carry_codes_and_nouns_only():
    assert (await query("请问HG-300的保修期是多久")).keywords[0] == "hg-300"
    assert "多久" not in (await query("请问HG-300的保修期是多久")).keywords


async def test_the_language_of_a_bare_code_is_that_of_the_talk():
    assert (await query("E1024?", "How do I reset the valve?", "Hold the button.")).lang == "en"


async def test_a_category_named_plainly_is_taken_up():
    rewriter = EmbeddedRewriter(categories=["人事制度", "产品"])
    assert (await rewriter.rewrite("在人事制度里查年假", [])).category == "人事制度"
    assert (await rewriter.rewrite("年假有几天", [])).category is None


@pytest.mark.parametrize("question", ["", " ", "🙂", "？？？", "它" * 500, "a" * 3000])
async def test_odd_questions_come_back_as_they_were(question):
    assert (await query(question, "怎么退款", "在订单页申请。")).text == question


@pytest.mark.parametrize(
    ("told", "asked", "answered", "question", "completed"),
    [
        ("我住在杭州，平时喜欢喝美式", "怎么退款", "退款在5个工作日内原路返回 [K1]。", "那个要多久", "退款要多久"),
        ("我养了两只猫", "怎么换货", "在订单里选择换货 [K1]。", "那个要多久", "换货要多久"),
    ],
)
async def test_a_follow_up_goes_on_from_the_question_and_not_from_what_was_told(
    told, asked, answered, question, completed
):
    assert (await query(question, told, "明白。", asked, answered)).text == completed
