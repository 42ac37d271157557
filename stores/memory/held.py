"""The current memories as a write transaction sees them, and which of them a candidate is compared with."""

import numpy as np

from zhiji.models.embed import Vector
from zhiji.models.extract import Candidate
from zhiji.models.logistic import Floats
from zhiji.models.similarity import Calibration
from zhiji.stores.memory.reconcile import Neighbour
from zhiji.stores.memory.records import MemoryRecord
from zhiji.stores.memory.snapshot import CURRENT, Snapshot
from zhiji.stores.profiles import canonical

NEIGHBOURS = 12
"""Nearest memories, of all and of those under the candidate's key, whose similarity is calibrated."""
_FLOOR = 0.5
"""Below this cosine no embedding model here means the same thing, and the calibration is not asked."""


class Held:
    """The current memories, kept up to date candidate by candidate; the snapshot they come from is left as it is."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.records: dict[str, MemoryRecord] = {record.id: record for record in snapshot.records}
        self._snapshot = snapshot
        self._vectors: dict[str, Vector] = {}
        """Of what this transaction brought in or reworded."""

    def neighbours(
        self, candidate: Candidate, vector: Vector, calibration: Calibration, topics: tuple[str, ...] = ()
    ) -> list[Neighbour]:
        """The memories that a candidate may be about, each with the probability that both say the same.

        These are the nearest ones by cosine, all under the same key and, where the words take something back or
        replace it, all others too: what they name may stand under any key.
        """
        if not self.records:
            return []
        ids, cosines = list(self.records), self._cosines(vector)
        key = canonical(candidate.key)
        placed = [at for at, memory_id in enumerate(ids) if key and canonical(self.records[memory_id].key) == key]
        near = {int(at) for at in np.argsort(-cosines)[:NEIGHBOURS]}
        near |= set(sorted(placed, key=lambda at: -cosines[at])[:NEIGHBOURS])
        asked = [at for at in sorted(near) if cosines[at] >= _FLOOR]
        others = [self.records[ids[at]].content for at in asked]
        same = dict(zip(asked, calibration.same_probabilities(cosines[asked], candidate.content, others), strict=True))
        wide = candidate.op != "add" or bool(candidate.replaces)
        return [
            Neighbour(
                record=(record := self.records[ids[at]]),
                same=float(same.get(at, 0.0)),
                cosine=float(cosines[at]),
                akin=bool(topics) and topics[:1] == record.topics[:1],
            )
            for at in (range(len(ids)) if wide else sorted({*placed, *asked}))
        ]

    def _cosines(self, vector: Vector) -> Floats:
        """The cosine of every memory, in the order of `records`."""
        known = self._snapshot.matrix @ vector if self._snapshot.records else np.zeros(0)
        places = self._snapshot.places
        return np.array(
            [
                float(self._vectors[memory_id] @ vector) if memory_id in self._vectors else known[places[memory_id]]
                for memory_id in self.records
            ]
        )

    def put(self, record: MemoryRecord, vector: Vector | None = None) -> None:
        """Take over a record's new state; what is no longer current leaves."""
        if record.status not in CURRENT:
            self.records.pop(record.id, None)
            return
        self.records[record.id] = record
        if vector is not None:
            self._vectors[record.id] = vector
