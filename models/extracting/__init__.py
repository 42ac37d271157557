"""The parts of the embedded extractor: clauses, cues, who is spoken of, keys, dates, sentences."""
