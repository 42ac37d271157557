import re

import pytest

from zhiji.prompts import LANGUAGES, names, prompt


def test_every_prompt_exists_in_both_languages():
    assert names("zh") == names("en")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_prompt_has_a_version_and_a_text(lang):
    assert all(prompt(name, lang).version.isdigit() and prompt(name, lang).text for name in names(lang))


@pytest.mark.parametrize("name", sorted(names("zh")))
def test_both_languages_take_the_same_values(name):
    taken = [set(re.findall(r"\$(\w+)", prompt(name, lang).text)) for lang in LANGUAGES]
    assert taken[0] == taken[1]


def test_what_is_filled_in_is_not_read_as_a_template():
    assert "$HOME ${x}" in prompt("passages", "zh").fill(sources="$HOME ${x}")


def test_an_unknown_prompt_is_an_error():
    with pytest.raises(KeyError):
        prompt("poem", "en")
