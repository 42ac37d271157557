"""Identifiers: time-ordered for records, bounded and opaque for users."""

import hashlib
import uuid

from uuid_utils.compat import uuid7

from zhiji.core.errors import InvalidInput
from zhiji.core.text import clean

MAX_USER_ID = 2000


def new_id() -> str:
    """A fresh id; later ids sort after earlier ones."""
    return uuid7().hex


def tenant_of(user_id: str) -> str:
    """The key under which a user's rows are kept: 32 hex characters of the id's SHA-256.

    Any text can be a user id (an e-mail, a path, quotes), so no store ever sees the id itself in a name or a path.

    >>> len(tenant_of("a@b.example"))
    32

    Raises:
        InvalidInput: The id is empty or longer than 2,000 characters.
    """
    if not user_id.strip() or clean(user_id) != user_id:
        raise InvalidInput("The user id is empty or holds control characters; give a printable one.")
    if len(user_id) > MAX_USER_ID:
        raise InvalidInput(f"The user id has {len(user_id)} characters; at most {MAX_USER_ID} are allowed.")
    return hashlib.sha256(user_id.encode()).hexdigest()[:32]


def content_id(*parts: str) -> str:
    """A UUID made from content: the same parts always give the same id."""
    return str(uuid.uuid5(uuid.NAMESPACE_OID, "\x1f".join(parts)))
