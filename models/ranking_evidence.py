"""What tells whether the best chunks answer the question at all, as pure functions."""

import numpy as np

from zhiji.core.turn import Found
from zhiji.models.ranking_features import Seen
from zhiji.models.ranking_names import misnamed
from zhiji.models.ranking_views import Floats

EVIDENCE = (
    "near",
    "lead",
    "cover",
    "cover_sentence",
    "cover_aspect",
    "title_named",
    "misnamed",
    "codes_present",
    "code_absent",
)
"""What `evidence` gives, in order."""
TOP = 3
_POOL = 20
"""Hits below which a pool does not show what is usual, and is filled up."""


def evidence(seen: Seen, found: Found, scores: Floats, *, usual: float) -> Floats:
    """How well the question is served, shape `(EVIDENCE,)`; its length and form play no part.

    - `near`: cosine of the best hit; `lead`: that less the pool's median.
    - `cover`: the share of the question's weight that stands in the three best hits together, so that a question
      about two things is not refused for being two. `misnamed`: see there.
    - The others are the best hit's own features.

    Args:
        seen: The features of the hits.
        found: What search found.
        scores: The rank score of each hit, shape `(hits,)`.
        usual: Cosine of texts that have nothing to do with each other. A base of a few chunks is filled up with it,
            or the best of three hits would never lead by much.
    """
    order = np.argsort(-scores, kind="stable")
    best = int(order[0])
    dense = np.array([hit.dense for hit in found.hits])
    lacking = max(0, _POOL - len(found.hits))
    together = seen.held[order[:TOP]].any(axis=0)
    return np.array(
        [
            dense[best],
            dense[best] - np.median(np.append(dense, [usual] * lacking)),
            together @ seen.query.shares,
            *(seen.column(name)[best] for name in ("cover_sentence", "cover_aspect", "title_named")),
            misnamed(seen.question, [hit.title for hit in found.hits]),
            *(seen.column(name)[best] for name in ("codes_present", "code_absent")),
        ]
    )
