"""What the profile schema says of a key: its canonical spelling, its field, whether it holds one value or many."""

from zhiji.core.schema import Attribute
from zhiji.core.schema_file import active


def canonical(key: str) -> str:
    """The schema's spelling of a key; a key it does not know keeps its own, folded.

    >>> canonical("City"), canonical("food allergy"), canonical("crop_experience.litchi")
    ('residence.city', 'diet.allergy', 'crop_experience.litchi')
    """
    return active().canonical(key)


def field_of(key: str) -> Attribute | None:
    """The schema's field of a key, or None for a free one."""
    return active().field(key)


def single_valued(key: str) -> bool:
    """Whether a new value of the key replaces the old one; free keys keep all."""
    field = field_of(key)
    return field is not None and not field.many


def domain_of(key: str) -> str:
    """The part of life a key belongs to: what stands before the first dot."""
    return canonical(key).split(".", 1)[0]
