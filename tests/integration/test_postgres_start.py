"""A server that is missing or refuses is found at start: one line that says what to do, and no password in it."""

import json
import socket

import pytest
from pydantic import SecretStr
from sqlalchemy.engine import make_url

from zhiji.core.errors import Misuse, Unreachable, ZhijiError
from zhiji.core.settings import Settings
from zhiji.stores.sql import Database

SECRET = "hush-hush"


def free_port():
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        return held.getsockname()[1]


async def refused(url, home):
    with pytest.raises(ZhijiError) as caught:
        await Database.open(home, "memory", Settings(home=home, database_url=SecretStr(url)))
    assert "\n" not in str(caught.value) and SECRET not in str(caught.value)
    return caught.value


async def test_no_server(home):
    error = await refused(f"postgresql://me:{SECRET}@127.0.0.1:{free_port()}/zhiji", home)
    assert isinstance(error, Unreachable) and "Start it" in str(error)


async def test_no_such_database_or_user(home, database_url):
    for change in ({"database": "absent"}, {"username": "nobody_here", "password": SECRET}):
        url = make_url(database_url).set(**change).render_as_string(hide_password=False)
        error = await refused(url, home)
        assert isinstance(error, Unreachable) and next(iter(change.values())) in str(error)


@pytest.mark.parametrize(
    "url", [f"mysql://me:{SECRET}@127.0.0.1/zhiji", f"no url {SECRET}", f"postgresql://me:{SECRET}@127.0.0.1:x/zhiji"]
)
async def test_no_url_of_postgresql_is_misuse(home, url):
    assert isinstance(await refused(url, home), Misuse)


async def test_a_database_that_cannot_hold_chinese_is_refused(home, server):
    name = f"{server.name}_latin"
    server.execute(f"CREATE DATABASE {name} OWNER {server.name} TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'")
    try:
        url = make_url(server.url).set(database=name).render_as_string(hide_password=False)
        assert "UTF8" in str(await refused(url, home))
    finally:
        server.execute(f"DROP DATABASE {name} WITH (FORCE)")


async def test_a_role_that_may_not_create_a_schema_is_told(home, server):
    server.execute(f"REVOKE CREATE ON DATABASE {server.name} FROM {server.name}")
    server.execute(f"ALTER DATABASE {server.name} OWNER TO CURRENT_USER")
    try:
        assert "allowed to create a schema" in str(await refused(server.url, home))
    finally:
        server.execute(f"ALTER DATABASE {server.name} OWNER TO {server.name}")
        server.execute(f"GRANT ALL ON DATABASE {server.name} TO {server.name}")


def test_the_command_line_says_it_in_one_line_and_the_doctor_reports_it(zhiji):
    env = {"ZHIJI_DATABASE_URL": f"postgresql://me:{SECRET}@127.0.0.1:{free_port()}/zhiji"}
    failed = zhiji("memory", "list", env=env)
    assert failed.returncode == 1 and failed.stderr.count("\n") == 1 and "ZHIJI_DATABASE_URL" in failed.stderr
    report = zhiji("doctor", "--json", env=env)
    assert report.returncode == 1
    broken = {one["part"] for one in json.loads(report.stdout) if one["ok"] is False}
    assert {"memory", "knowledge"} <= broken
    assert SECRET not in failed.stderr + failed.stdout + report.stdout + report.stderr


async def test_a_person_cannot_reach_anothers_rows_even_by_a_query_that_forgets_whose_it_wants(home, server):
    from zhiji.stores.memory.ledger import enter
    from zhiji.stores.memory.tables import users

    settings = Settings(home=home, database_url=SecretStr(server.url), namespace="fence")
    database = await Database.open(home, "memory", settings)
    for tenant in "ab":
        async with database.write(tenant) as connection:
            await enter(connection, tenant, tenant)
    seen = {}
    for owner in ("a", "b", "", "*"):
        async with database.read(owner) as connection:
            seen[owner] = set((await connection.execute(users.select())).scalars())
    async with database.write("a") as connection:
        assert (await connection.execute(users.delete())).rowcount == 1
    await database.close()
    assert seen == {"a": {"a"}, "b": {"b"}, "": set(), "*": {"a", "b"}}
