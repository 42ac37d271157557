"""How a document is cut is chosen where it is ingested, and stays so."""

LONG = "# 手册\n\n" + "".join(f"## 第{n}节\n\n每年十一月清园一次，剪除病枝并集中烧毁，编号{n}。\n\n" for n in range(10))


async def chunks_of(load, docs, **options):
    report = await load(docs, **options)
    return next(file["chunks"] for file in report["files"] if file["path"] == "long.md")


async def test_documents_are_cut_by_structure_unless_told(load, docs):
    (docs / "long.md").write_text(LONG, "utf-8")
    assert await chunks_of(load, docs) == 10


async def test_another_way_cuts_anew_and_is_kept(load, docs):
    (docs / "long.md").write_text(LONG, "utf-8")
    await load()
    few = await chunks_of(load, docs, chunking="fixed")
    assert few < 5
    (docs / "long.md").write_text(LONG + "\n末尾一句。\n", "utf-8")
    assert await chunks_of(load, docs) <= few + 1
    assert await chunks_of(load, docs, chunking="structure") == 10


async def test_asking_for_what_is_there_changes_nothing(load, docs):
    await load(chunking="fixed")
    assert (await load())["unchanged"] and (await load(chunking="fixed"))["unchanged"]


async def test_sources_of_one_base_may_be_cut_differently(load, docs):
    (docs / "long.md").write_text(LONG, "utf-8")
    await load(docs / "long.md", chunking="fixed")
    report = await load(docs / "support", chunking="semantic")
    assert {file["status"] for file in report["files"]} == {"loaded"}
    again = await load(docs / "long.md")
    assert again["unchanged"]
