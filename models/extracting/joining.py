"""What the classifiers see of two clauses side by side, for whether both tell of one memory."""

import numpy as np

from zhiji.models.extracting.features import Floats, Reading

SHORT, MIDDLING = 4, 8
"""Characters of a clause that says little by itself, and of one that says one thing."""


def pair_rows(reading: Reading, vectors: Floats) -> Floats:
    """One row for each clause but the first, with the one before it, shape `(clauses - 1, features)`.

    The cues of both, those that both show, how they stand to each other, and their vectors as given.
    """
    rows = []
    for at in range(1, len(reading.clauses)):
        one, other = reading.cues[at - 1], reading.cues[at]
        vector, next_vector = vectors[at - 1], vectors[at]
        parts = [one, other, one * other, _standing(reading, at), vector, next_vector, _nearness(vector, next_vector)]
        rows.append(np.concatenate(parts))
    return np.stack(rows).astype(np.float32)


def _nearness(one: Floats, other: Floats) -> Floats:
    lengths = max(float(np.linalg.norm(one) * np.linalg.norm(other)), 1e-6)
    return np.array([2.0 * float(one @ other) / lengths], np.float32)


def _standing(reading: Reading, at: int) -> Floats:
    """How a clause stands to the one before: what parts them, whether the subject changes, how long both are."""
    one, other = reading.clauses[at - 1], reading.clauses[at]
    per = 1 if reading.han else 4
    before, after = len(one.text) / per, len(other.text) / per
    stop = one.stop[:1]
    facts = [
        stop in ("，", ","), stop in tuple("。.!！？?；;\n"), stop in ("", " ", "\u3000"), one.sentence == other.sentence,
        reading.han, reading.whose[at].explicit, reading.whose[at - 1].code == reading.whose[at].code,
        before <= SHORT, after <= SHORT, before <= MIDDLING, after <= MIDDLING, after > 1.5 * MIDDLING,
        at == 1, len(reading.clauses) == 2, reading.answers,
    ]  # fmt: skip
    return np.array(facts, np.float32)
