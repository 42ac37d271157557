"""The tables of the knowledge base; no table of user memory stands here, nor in the same file."""

from sqlalchemy import Column, Index, Integer, LargeBinary, MetaData, String, Table, Text

metadata = MetaData()

bases = Table(
    "bases",
    metadata,
    Column("name", Text, primary_key=True),
    Column("model", Text, nullable=False),
    Column("dim", Integer, nullable=False),
    Column("terms_version", Text, nullable=False),
    Column("generation", Integer, nullable=False),  # names the folder of the index; a reindex builds the next
    Column("current", Integer, nullable=False),  # the release that readers see, 0 before the first
    Column("newest", Integer, nullable=False),  # the highest number ever given out; the next is one more
    Column("created_at", Text, nullable=False),
)

releases = Table(
    "releases",
    metadata,
    Column("base", Text, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("created_at", Text, nullable=False),
    Column("added", Integer, nullable=False),
    Column("changed", Integer, nullable=False),
    Column("removed", Integer, nullable=False),
    Column("files", Integer, nullable=False),
    Column("chunks", Integer, nullable=False),
    Column("frequencies", LargeBinary, nullable=False),
)

documents = Table(
    "documents",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("base", Text, nullable=False),
    Column("root", Text, nullable=False),
    Column("source", Text, nullable=False),
    Column("category", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("file_hash", Text, nullable=False),
    Column("pipeline", Text, nullable=False),
    Column("identity", Text, nullable=False),
    Column("updated_at", Text, nullable=False),
    Column("blocks", Integer, nullable=False),
    Column("chunks", Integer, nullable=False),
    Column("tables", Integer, nullable=False),
    Column("images", Integer, nullable=False),
    Column("layout", LargeBinary, nullable=False),  # which chunks, in which order, at which offsets
    Column("from_release", Integer, nullable=False),
    Column("to_release", Integer, nullable=False),
    Index("documents_by_source", "base", "source", "from_release"),
)

chunks = Table(
    "chunks",
    metadata,
    Column("id", String(36), primary_key=True),  # the point in the vector index
    Column("base", Text, nullable=False),
    Column("key", String(36), nullable=False),  # what the chunk says and where; the same in every release
    Column("embed_hash", String(32), nullable=False),
    Column("from_release", Integer, nullable=False),
    Column("to_release", Integer, nullable=False),
    Index("chunks_by_key", "base", "key", "from_release"),
)
