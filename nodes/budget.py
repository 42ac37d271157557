"""Giving a retrieval its time, and going on without it."""

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

T = TypeVar("T")


async def within(budget_ms: int, work: Awaitable[T]) -> T | None:
    """The result of `work`, or None once `budget_ms` milliseconds have passed."""
    try:
        return await asyncio.wait_for(work, budget_ms / 1000)
    except TimeoutError:
        return None
