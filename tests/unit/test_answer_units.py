from zhiji.models.answering.units import units
from zhiji.models.answering.wording import shortened, worded


def test_sentences_are_cut_at_their_marks_only():
    found = units("固件为v3.2.1。重启需25秒！\nThe fee is 9.80 pounds. Pay once.")
    assert [one.text for one in found] == ["固件为v3.2.1。", "重启需25秒！", "The fee is 9.80 pounds.", "Pay once."]


def test_a_table_row_knows_its_columns():
    (row,) = units("| 代码 | 含义 | 处理 |\n|---|---|---|\n| E7 | 缺水 | 检查水源 |")
    assert (row.kind, row.header[1], row.cells[0]) == ("row", "含义", "E7")
    assert worded(row) == "E7的含义是缺水；处理：检查水源"


def test_a_row_answers_with_the_columns_asked_for():
    row = units("| 方式 | 商城 | 云平台 | 应用 |\n|---|---|---|---|\n| 扫码 | 支持 | 支持 | 不支持 |")[0]
    assert worded(row, {"应用"}) == "扫码：应用不支持"


def test_a_list_keeps_numbers_and_its_lead_in():
    found = units("请准备：\n\n1. 身份证\n2. 发票")
    assert [(one.number, one.intro) for one in found if one.kind == "item"] == [(1, "请准备："), (2, "请准备：")]


def test_code_is_one_piece():
    assert [one.text for one in units("```yaml\na: 1\nb: 2\n```")] == ["a: 1\nb: 2"]


def test_headings_and_emphasis_are_left_out():
    assert [one.text for one in units("## 退货\n**七天**内可退。")] == ["七天内可退。"]


def test_a_long_sentence_is_cut_to_the_clauses_asked_for():
    text = "，".join(["设备到货后请当面检查包装是否完好无损"] * 6 + ["退货期为7天"])
    assert "退货期为7天" in shortened(text, {"退货"})
    assert len(shortened(text, {"退货"})) <= 120
