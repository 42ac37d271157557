"""The parts of rewriting: what can be carried over from the conversation, where it can go, and what else a query says."""
