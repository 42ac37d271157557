from zhiji.core.turn import Turn
from zhiji.models.summary import fold

TALK = [
    Turn("user", "我想退上周买的灌溉控制器，订单号QH20881"),
    Turn("assistant", "自签收之日起7天内可以退 [K1]。请在订单页申请。"),
    Turn("user", "好的"),
    Turn("user", "那就定在周五上午寄出"),
    Turn("assistant", "明白。"),
]


def test_numbers_and_decisions_are_kept():
    summary = fold("", TALK)
    assert "QH20881" in summary
    assert "定在周五上午寄出" in summary


def test_chatter_and_labels_are_dropped():
    summary = fold("", TALK)
    assert "好的" not in summary
    assert "[K1]" not in summary


def test_a_summary_stays_within_200_characters_fold_after_fold():
    summary = ""
    for week in range(12):
        summary = fold(
            summary, [Turn("user", f"第{week}周我打算去{week}号园区检查设备，预算{week}00元，联系人是小{week}")] * 3
        )
    assert 100 <= len(summary) <= 200


def test_the_earlier_summary_is_carried_on():
    assert "小华" in fold("用户：我叫小华，住在杭州。", TALK)


def test_an_english_talk_is_summed_up_in_english():
    assert fold("", [Turn("user", "I will fly to Oslo on 3 May with two colleagues.")]).startswith("User: I will fly")
