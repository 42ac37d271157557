"""One person's memory, whole: reading, editing and learning behind one handle."""

from zhiji.stores.memory.inbox import Inbox


class UserMemory(Inbox):
    """The memory of one user and of nobody else; got from `MemoryStore.of`."""
