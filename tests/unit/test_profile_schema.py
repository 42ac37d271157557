"""The profile schema: what a file may say, what is refused and how, and how keys and values are named."""

import pytest

from zhiji.core.errors import Misuse
from zhiji.core.schema_file import load_schema, shipped

FIELD = (
    "fields:\n  colour: {zh: 颜色, en: colour, type: enum, choices: [{value: red, zh: 红}, {value: blue, zh: 蓝}]}\n"
)


@pytest.fixture
def schema(tmp_path):
    """Load a schema from the text of its file."""

    def load(text, name="own.yaml"):
        (tmp_path / name).write_text(text, encoding="utf-8")
        load_schema.cache_clear()
        return load_schema(str(tmp_path / name))

    return load


@pytest.mark.parametrize("name", shipped())
def test_the_schemas_that_ship_can_be_used(name):
    asked = list(load_schema(name).questions())
    assert asked
    for field in asked:
        assert field.question.zh and field.question.en
        assert all(choice.zh and choice.en for choice in field.choices)


def test_the_adviser_is_asked_for_role_towns_crops_and_style():
    assert [field.key for field in load_schema("farm_adviser").questions()] == ["role", "towns", "crops", "style"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "must be a mapping"),
        ("- a\n- b", "must be a mapping"),
        ("fields: {}", "fields must map"),
        ("field: {a: {}}", "unknown field"),
        ("fields: {a: red}", "fields.a must be a mapping"),
        ("fields:\n  a: {zh: 甲, en: a}\n  a: {zh: 乙, en: b}", "line 3.*'a' is written twice"),
        ("fields:\n  a: {zh: 甲", "line [23]: "),
        ("fields: {a: {zh: 甲}}", r"fields\.a\.en: Field required"),
        ("fields: {a: {zh: 甲, en: a, kind: text}}", r"fields\.a\.kind: Extra"),
        ("fields: {a: {zh: 甲, en: a, type: number}}", r"fields\.a\.type: .*'text', 'enum', 'multi' or 'list'"),
        ("fields: {a: {zh: 甲, en: no}}", r"fields\.a\.en: Input should be a valid string"),
        ("fields: {A b: {zh: 甲, en: a}}", "key must be of lower-case"),
        ("fields: {a: {zh: 甲, en: a, type: enum}}", "at least two choices"),
        ("fields: {a: {zh: 甲, en: a, open: true}}", "use enum or multi"),
        ("fields: {a: {zh: 甲, en: a, shape: '['}}", "no regular expression"),
        ("fields: {a: {zh: 甲, en: a, question: {}}}", "needs zh or en"),
        ("fields: {a: {zh: 甲, en: a, tells: {zh: 甲}}}", "must hold {value} once"),
        ("fields: {a: {zh: 甲, en: a, says: {add: ['我有']}}}", r"says\.add\.0: must hold"),
        ("fields: {a: {zh: 甲, en: a, aliases: [x]}, b: {zh: 乙, en: b, aliases: [X]}}", "'X' belongs to both a and b"),
        (FIELD.replace("blue", "red"), "red stands there twice"),
        (FIELD.replace("zh: 蓝", "zh: 红"), "'红' stands for both red and blue"),
        ("extends: nobody\n" + FIELD, "no profile schema 'nobody'; use farm_adviser, general"),
        ("extends: [general]\n" + FIELD, "extends must name a schema"),
        ("extends: own.yaml\n" + FIELD, "extends itself"),
    ],
)
def test_a_file_that_cannot_be_used_is_one_line_that_says_why(schema, text, says):
    with pytest.raises(Misuse, match=says) as refused:
        schema(text)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("name", ["nobody", "/no/where.yaml", "where.yml"])
def test_a_schema_that_is_not_there_is_said(name):
    with pytest.raises(Misuse, match=f"{name}"):
        load_schema(name)


def test_an_unreadable_schema_is_said(tmp_path):
    (tmp_path / "gbk.yaml").write_bytes("fields: {a: {zh: 颜色, en: a}}".encode("gbk"))
    with pytest.raises(Misuse, match="not UTF-8"):
        load_schema(str(tmp_path / "gbk.yaml"))


def test_an_extending_schema_overrides_and_takes_over_names(schema):
    held = schema(
        "extends: general\n"
        "fields:\n"
        "  role: {zh: 角色, en: role, aliases: [职业]}\n"
        "  reply.length: {question: null}\n"
        "  residence.city: {core: false}\n"
    )
    assert held.canonical("职业") == "role"
    assert held.canonical("occupation") == "job.title"
    assert held.field("city").zh == "居住城市" and not held.field("city").core
    assert "reply.length" not in [field.key for field in held.questions()]
    assert [field.key for field in held.fields][:2] == ["role", "reply.length"]


def test_a_schema_may_extend_a_file_beside_it(schema):
    schema(FIELD, "base.yaml")
    assert schema("extends: base.yaml\nfields: {size: {zh: 尺寸, en: size}}").canonical("颜色") == "colour"


@pytest.mark.parametrize(
    "name", ["crops", "Crop", "作物", "服务作物", "preferred crops", "preferred-crops", "服務作物"]
)
def test_a_field_is_found_by_any_of_its_names(name):
    assert load_schema("farm_adviser").canonical(name) == "crops"


@pytest.mark.parametrize(
    ("said", "compared"),
    [
        ("荔枝", ("lychee",)),
        ("Litchi", ("lychee",)),
        ("龍眼、芒果", ("longan", "mango")),
        ("火龙果/荔枝", ("火龙果", "lychee")),
        ("荔枝，荔枝", ("lychee",)),
        (" ", ()),
    ],
)
def test_values_are_compared_whatever_they_are_called(said, compared):
    assert load_schema("farm_adviser").field("crops").compared(said) == compared


def test_what_is_private_is_not_indexed_unless_the_file_says_so(schema):
    private = "{zh: 甲, en: a, sensitive: true%s}"
    assert not schema("fields: {a: " + private % "" + "}").field("a").indexed
    assert schema("fields: {a: " + private % ", indexed: true" + "}").field("a").indexed
    assert not load_schema("general").field("diet.allergy").indexed
    assert load_schema("general").field("residence.city").indexed


def test_a_sentence_holds_the_value_in_the_language_asked_for():
    schema = load_schema("general")
    assert schema.field("city").sentence("杭州", "zh") == "用户的居住城市是杭州"
    assert schema.field("allergy").sentence("peanuts", "en") == "The user is allergic to peanuts"
