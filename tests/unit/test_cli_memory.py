"""`zhiji memory …` and `zhiji profile`, with and without `--json`."""

import json
from datetime import datetime

import pytest

SAID = {
    "zh": ["我对花生过敏", "我住在杭州西湖区文三路的一个老小区里，平时周末喜欢去爬山"],
    "en": ["I live in Leeds", "My dog is called Rex"],
}


@pytest.fixture
def told(command):
    """A user who told something in each language; the documents that adding printed."""

    def run(user="lin", lang="zh"):
        return [json.loads(command("memory", "add", text, "--user", user, "--json")[1]) for text in SAID[lang]]

    return run


def listed(command, *arguments):
    return json.loads(command("memory", "list", "--json", *arguments)[1])


@pytest.mark.parametrize("lang", SAID)
def test_an_id_of_the_table_can_be_used_as_it_stands(command, told, lang):
    told(lang=lang)
    table = command("memory", "list", "--user", "lin")[1].splitlines()[1:]
    assert len(table) == len(SAID[lang])
    for line, said in zip(table, SAID[lang], strict=True):
        assert said in line, "nothing is cut off"
        short = line.split()[0]
        code, out, _ = command("memory", "history", short, "--user", "lin", "--json")
        assert code == 0 and json.loads(out)[0]["after"]["content"] == said
        assert command("memory", "forget", short, "--user", "lin")[0] == 0
    assert listed(command, "--user", "lin") == []


def test_a_beginning_that_several_have_is_refused_and_changes_nothing(command, told):
    told()
    code, _, err = command("memory", "forget", listed(command, "--user", "lin")[0]["id"][:3], "--user", "lin")
    assert code == 2 and "2 memories" in err
    assert len(listed(command, "--user", "lin")) == 2


@pytest.mark.parametrize("change", ["forget", "confirm", "reject", "history"])
@pytest.mark.parametrize("identifier", ["", "%", "_", "no-such-id"])
def test_an_unknown_id_is_misuse(command, told, change, identifier):
    told()
    assert command("memory", change, identifier, "--user", "lin")[0] == 2


def test_another_users_id_is_unknown(command, told):
    held = told()[0]["id"]
    code, out, err = command("memory", "history", held, "--user", "someone else")
    assert code == 2 and "花生" not in out + err


@pytest.mark.parametrize("lang", SAID)
def test_correcting_forgetting_and_erasing_hold_on_every_path(command, told, lang):
    first, second = told(lang=lang)
    user = ("--user", "lin")
    corrected = json.loads(command("memory", "correct", first["id"], "今天改过的一句", *user, "--json")[1])
    assert corrected["replaced"] == [first["id"]]
    assert json.loads(command("memory", "forget", second["id"], *user, "--json")[1])["op"] == "RETRACT"
    assert [one["content"] for one in listed(command, *user)] == ["今天改过的一句"]
    assert {one["status"] for one in listed(command, *user, "--all")} == {"active", "superseded", "retracted"}
    exported = json.loads(command("memory", "export", *user, "--json")[1])
    assert {one["status"] for one in exported["memories"]} == {"active", "superseded", "retracted"}
    gone = json.loads(command("memory", "erase", *user, "--yes", "--json")[1])
    assert gone["removed"]["rows"] > 0
    assert listed(command, *user, "--all") == []
    assert json.loads(command("memory", "export", *user)[1])["history"] == []


def test_times_are_iso_8601(command, told):
    told()
    (one, _) = listed(command, "--user", "lin")
    assert datetime.fromisoformat(one["created_at"]).tzinfo and "T" in one["created_at"]
    (entry, _) = json.loads(command("memory", "history", "--user", "lin", "--json")[1])
    assert "T" in entry["at"]


def test_the_profile_follows_what_is_said_and_forgotten(command):
    for text in ("我叫李雷，住在杭州，养了一只猫", "我搬到上海了"):
        assert command("chat", "--message", text, "--user", "lin")[0] == 0
    held = json.loads(command("profile", "--user", "lin", "--json")[1])
    assert (held["identity.name"], held["residence.city"]) == (["李雷"], ["上海"])
    city = next(one for one in listed(command, "--user", "lin") if one["value"] == "上海")
    command("memory", "forget", city["id"], "--user", "lin")
    code, out, _ = command("profile", "--user", "lin")
    assert code == 0 and "李雷" in out and "上海" not in out and "杭州" not in out
    assert command("profile", "--user", "nobody")[1].split() == ["field", "value"]
