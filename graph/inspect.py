"""Searching as a turn does, and naming the stage that lost an expected text."""
