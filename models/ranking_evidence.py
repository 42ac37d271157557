"""What tells whether the best chunks answer the question at all, as pure functions."""

import numpy as np

from zhiji.core.turn import Found
from zhiji.models.ranking_features import Seen, aspect_share
from zhiji.models.ranking_names import misnamed
from zhiji.models.ranking_views import Floats

EVIDENCE = (
    "near",
    "lead",
    "cover_aspect",
    "document_aspect",
    "title_named",
    "misnamed",
    "codes_present",
    "code_absent",
    "exact_held",
)
"""What `evidence` gives, in order."""
_POOL = 20
"""Hits below which a pool does not show what is usual, and is filled up."""


def evidence(seen: Seen, found: Found, scores: Floats, *, usual: float) -> Floats:
    """How well the question is served, shape `(EVIDENCE,)`; its length and form play no part.

    - `near`: how far the cosine of the best hit is above the usual one; `lead`: how far above the pool's median. What
      is asked for by its code is recognised by that, so the more a code tells, the less cosines do.
    - `document_aspect`: like `cover_aspect`, by all that was found of the best hit's document together. Whom the
      question is about is left out, so one about two documents is not refused for being about two.
    - `misnamed`: see there. The others are the best hit's own features.

    Args:
        seen: The features of the hits.
        found: What search found.
        scores: The rank score of each hit, shape `(hits,)`.
        usual: Cosine of a question with passages that have nothing to do with it, in its language. A base of a few
            chunks is filled up with it, or the best of three hits would never lead by much.
    """
    best = int(np.argmax(scores))
    dense = np.array([hit.dense for hit in found.hits])
    unnamed = 1 - float(seen.column("exact_held")[best])
    lacking = max(0, _POOL - len(found.hits))
    document = [at for at, hit in enumerate(found.hits) if hit.source == found.hits[best].source]
    return np.array(
        [
            (dense[best] - usual) * unnamed,
            (dense[best] - np.median(np.append(dense, [usual] * lacking))) * unnamed,
            seen.column("cover_aspect")[best],
            float(aspect_share(seen.query, seen.free, np.asarray(seen.held[document].any(axis=0)))),
            seen.column("title_named")[best],
            misnamed(seen.question, [hit.title for hit in found.hits]),
            *(seen.column(name)[best] for name in ("codes_present", "code_absent", "exact_held")),
        ]
    )
