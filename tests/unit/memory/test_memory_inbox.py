from zhiji.core.turn import Turn


async def test_a_queued_message_waits_with_the_turns_before_it(teller):
    before = Turn("assistant", "您住在哪里？", "a1", teller.start)
    assert await teller.memory.enqueue(teller.message("杭州").turn, [before], thread="t") == 1
    (held,) = await teller.memory.queued("t")
    assert (held.turn.text, held.window) == ("杭州", (before,))


async def test_a_message_is_queued_once(teller):
    said = teller.message("你好").turn
    assert [await teller.memory.enqueue(said, thread="t") for _ in range(2)] == [1, 1]


async def test_learning_takes_the_message_off_the_queue(teller):
    said = teller.message("我住在杭州")
    await teller.memory.enqueue(said.turn, thread="t")
    await teller.memory.learn([teller.candidate("我住在杭州", "residence.city", "杭州")], said)
    assert await teller.memory.queued() == []
    assert await teller.memory.enqueue(said.turn, thread="t") == 0


async def test_learning_nothing_leaves_the_memories_as_they_were_read(teller):
    await teller.say("我住在杭州", "residence.city", "杭州")
    before = await teller.memory.snapshot()
    await teller.memory.learn([], teller.message("哈哈"))
    assert await teller.memory.snapshot() is before


async def test_messages_are_counted_and_listed_by_thread(teller):
    for thread in ("a", "a", "b"):
        await teller.memory.enqueue(teller.message("你好").turn, thread=thread)
    assert len(await teller.memory.queued("a")) == 2
    assert len(await teller.memory.queued()) == 3


async def test_a_failed_extraction_is_noted_and_the_message_stays(teller):
    await teller.memory.enqueue(teller.message("你好").turn, thread="t")
    (held,) = await teller.memory.queued()
    await teller.memory.failed(held, "the model did not answer")
    (again,) = await teller.memory.queued()
    assert (again.attempts, again.last_error) == (1, "the model did not answer")


async def test_the_store_knows_whose_messages_wait(store, teller):
    await teller.memory.enqueue(teller.message("你好").turn, thread="t")
    assert await store.waiting() == [teller.memory.user_id]


async def pending(teller, thread="t"):
    (waits,) = await teller.say("我月薪两万", "job.income", "两万", thread=thread)
    return waits.id


async def test_a_yes_confirms_what_the_thread_was_asked(teller):
    memory_id = await pending(teller)
    (asked,) = await teller.memory.ask("t", [memory_id])
    assert "我月薪两万" in asked["question"]
    await teller.memory.settle("t", True)
    assert (await teller.memory.get(memory_id)).status == "active"
    assert await teller.memory.questions("t") == []


async def test_a_no_withdraws_it(teller):
    memory_id = await pending(teller)
    await teller.memory.ask("t", [memory_id])
    await teller.memory.settle("t", False)
    assert (await teller.memory.get(memory_id)).status == "retracted"


async def test_a_yes_in_another_thread_settles_nothing(teller):
    memory_id = await pending(teller)
    await teller.memory.ask("t", [memory_id])
    await teller.memory.settle("elsewhere", True)
    assert (await teller.memory.get(memory_id)).status == "pending"


async def test_a_question_is_open_only_until_the_next_turn(teller):
    memory_id = await pending(teller)
    await teller.memory.ask("t", [memory_id])
    await teller.memory.pass_over("t")
    await teller.memory.settle("t", True)
    assert (await teller.memory.get(memory_id)).status == "pending"
