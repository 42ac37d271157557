"""The bundled sample: documents to ask about, and a user to be."""

import json
from datetime import datetime
from pathlib import Path

from zhiji.core.settings import Settings
from zhiji.core.turn import Turn
from zhiji.nodes.engines import close_engines, engines, use_engines
from zhiji.nodes.learning import flush

SAMPLE = Path(__file__).parent.parent / "ingest" / "sample"
SAMPLE_DOCS = SAMPLE / "docs"
SAMPLE_USER = "shen"


async def teach_sample_user(settings: Settings) -> None:
    """Let the sample user say what the bundled file holds; saying it again changes nothing."""
    use_engines(settings)
    try:
        using = await engines()
        memory = using.memory.of(SAMPLE_USER)
        for number, line in enumerate((SAMPLE / "user.jsonl").read_text(encoding="utf-8").splitlines()):
            said = json.loads(line)
            turn = Turn("user", said["text"], f"sample-{number}", datetime.fromisoformat(said["at"]))
            await memory.enqueue(turn, [], thread="sample")
        await flush(using.extractor, memory, "never")
    finally:
        await close_engines()
