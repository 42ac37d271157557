"""Whether an utterance states something of its speaker, and whether that agrees with what is held of the speaker."""
