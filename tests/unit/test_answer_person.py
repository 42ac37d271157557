import pytest

from zhiji.models.answering.person import second_person


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("用户住在杭州。", "您住在杭州"),
        ("用户的女儿叫朵朵", "您的女儿叫朵朵"),
        ("2026-03-02时用户感冒了，用户在家休息", "2026-03-02时您感冒了，您在家休息"),
        ("我叫用户甲", "您叫用户甲"),
        ("我改喝拿铁了", "您改喝拿铁了"),
        ("对花生过敏", "您对花生过敏"),
        ("The user lives in Leeds.", "You live in Leeds"),
        ("The user is allergic to nuts and has asthma.", "You are allergic to nuts and have asthma"),
        ("The user's dog is called Rex.", "Your dog is called Rex"),
        ("User doesn't eat pork", "You don't eat pork"),
        ("I'm Dana. I run a bookshop", "You are Dana. You run a bookshop"),
        ("I'm vegetarian", "You are vegetarian"),
        ("I moved my office to York", "You moved your office to York"),
        ("The user studies at night", "You study at night"),
    ],
)
def test_a_memory_is_told_in_the_second_person(content, told):
    assert second_person(content) == told
