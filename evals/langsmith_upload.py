"""Uploading a set and what came of it to LangSmith, as a dataset and an experiment; only ever when asked to."""

import hashlib
import json
import os
import uuid
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from zhiji.core.errors import Unreachable, ZhijiError
from zhiji.core.time import now
from zhiji.evals.measured import Case, Measured

if TYPE_CHECKING:
    from langsmith import Client
    from langsmith.schemas import Dataset, TracerSession

KEYS = ("LANGSMITH_API_KEY", "LANGCHAIN_API_KEY")
_BATCH = 100


class Upload:
    """One upload; what the client's background thread could not send is noted in `failed`."""

    def __init__(self) -> None:
        self.failed: list[Exception] = []
        self.client = self._client()

    def _client(self) -> "Client":
        key = next((os.environ[name] for name in KEYS if os.environ.get(name)), None)
        if key is None:
            raise ZhijiError(f"There is no LangSmith key: set {KEYS[0]}, or leave --langsmith out. Nothing was sent.")
        from langsmith import Client

        return Client(api_key=key, tracing_error_callback=self.failed.append)

    def send(self, result: dict[str, Any], measured: Measured) -> dict[str, str]:
        """Send the set, unless an equal one is there, and one run for each case with its figures.

        Args:
            result: The result document; its suite names the dataset, the rest describes the experiment.
            measured: The cases.

        Returns:
            The names of the dataset and of the experiment.

        Raises:
            Unreachable: LangSmith did not take everything.
        """
        from langsmith.utils import LangSmithError

        name = dataset_name(result["suite"], measured.cases)
        experiment = f"{name}-{now():%Y%m%dT%H%M%S}-{uuid.uuid4().hex[:4]}"
        try:
            dataset = self._dataset(name, result, measured.cases)
            self._experiment(experiment, dataset, result, measured.cases)
            self.client.flush()
        except (LangSmithError, OSError) as failed:
            raise _unreachable(failed) from failed
        if self.failed:
            raise _unreachable(self.failed[0]) from self.failed[0]
        return {"dataset": name, "experiment": experiment}

    def _dataset(self, name: str, result: dict[str, Any], cases: Sequence[Case]) -> "Dataset":
        if self.client.has_dataset(dataset_name=name):
            held: Dataset = self.client.read_dataset(dataset_name=name)
            return held
        dataset: Dataset = self.client.create_dataset(
            name, description=f"zhiji eval {result['suite']}, n = {result['n']}"
        )
        for some in _batches([_example(dataset.id, case) for case in cases]):
            self.client.create_examples(dataset_id=dataset.id, examples=some)
        return dataset

    def _experiment(self, name: str, dataset: "Dataset", result: dict[str, Any], cases: Sequence[Case]) -> None:
        about = {key: result[key] for key in ("metrics", "settings", "versions", "machine")}
        project = self.client.create_project(name, reference_dataset_id=dataset.id, metadata=about)
        for case in cases:
            self._run(project, dataset.id, case)

    def _run(self, experiment: "TracerSession", dataset_id: uuid.UUID, case: Case) -> None:
        from langsmith import uuid7

        run_id, at = uuid7(), now()
        self.client.create_run(
            case.id,
            case.inputs,
            "chain",
            project_name=experiment.name,
            id=run_id,
            trace_id=run_id,
            dotted_order=_order(at, run_id),
            start_time=at,
            end_time=at,
            outputs=case.outputs,
            reference_example_id=example_id(dataset_id, case),
        )
        for key, score in case.scores.items():
            self.client.create_feedback(
                run_id, key, score=score, trace_id=run_id, session_id=experiment.id, start_time=at
            )


def dataset_name(suite: str, cases: Sequence[Case]) -> str:
    """A name that the same set always has, so that it is uploaded once."""
    said = json.dumps([[case.id, case.inputs, case.expected] for case in cases], ensure_ascii=False, sort_keys=True)
    return f"zhiji-{suite}-{hashlib.sha256(said.encode('utf-8', 'replace')).hexdigest()[:8]}"


def example_id(dataset_id: uuid.UUID, case: Case) -> uuid.UUID:
    """The id of a case in a dataset, the same at every upload."""
    return uuid.uuid5(dataset_id, case.id)


def _example(dataset_id: uuid.UUID, case: Case) -> dict[str, Any]:
    return {"id": example_id(dataset_id, case), "inputs": case.inputs, "reference_outputs": case.expected}


def _order(at: datetime, run_id: uuid.UUID) -> str:
    return f"{at:%Y%m%dT%H%M%S%f}Z{run_id}"


def _batches(examples: Sequence[dict[str, Any]]) -> Iterator[Sequence[dict[str, Any]]]:
    return (examples[start : start + _BATCH] for start in range(0, len(examples), _BATCH))


def _unreachable(failed: Exception) -> Unreachable:
    return Unreachable(f"LangSmith did not take the upload: {str(failed).splitlines()[0][:200]}")
