"""Errors a user can act on: each says what happened and what to do."""


class ZhijiError(Exception):
    """Base of every expected failure; the command line prints it in one line and exits 1."""

    exit_code = 1


class Misuse(ZhijiError):
    """The caller asked for something that makes no sense; the command line exits 2."""

    exit_code = 2


class NotInstalled(ZhijiError):
    """A setting names an engine whose package is missing."""


class Unreachable(ZhijiError):
    """A setting names a server that does not answer."""


class EmbedderChanged(ZhijiError):
    """A store was built with another embedding model, or another dimension."""


class NotCalibrated(ZhijiError):
    """The embedding model has no calibration, so its similarities mean nothing."""


class StoreLocked(ZhijiError):
    """Another process holds the embedded vector engine."""


class StoreCorrupted(ZhijiError):
    """A file of the store cannot be read; nothing in it was changed."""


class UnknownRelease(Misuse):
    """A release number that this knowledge base never had."""


class UnknownMemory(Misuse):
    """A memory id that this user does not have."""


class Interrupted(ZhijiError):
    """The user stopped the command."""


class InvalidInput(Misuse):
    """A message, an id or a path that cannot be used as it is."""
