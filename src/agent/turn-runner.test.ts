import { textOf } from "@pincer/sdk";
import { describe, expect, it } from "vitest";
import { failure } from "../infra/failure.ts";
import { createRedactor } from "../infra/redactor.ts";
import { sessionLeaseName } from "../storage/sessions/session-lease.ts";
import { redactMessage } from "./redact-message.ts";
import { createRunnerStage as setUp, destination, session } from "./testing/runner-stage.ts";
import { createTurnRunner } from "./turn-runner.ts";
import { TurnStop } from "./turn-run.ts";
import { admitting } from "./testing/admitting.ts";

describe("running a turn", () => {
  it("LOOP-14 stores the turn with what its user sees, and brings the readable copy up to it", async () => {
    const { parts, queue, said, stores, mirrored, never } = setUp();
    const turn = await queue("hello");
    const outcome = await createTurnRunner(parts)(turn, never);
    expect(outcome).toMatchObject({ type: "ended", turn: { state: "done", ending: { type: "answered" } } });
    expect((await said(turn.turnId)).map(textOf)).toEqual(["hello", "hi"]);
    const sent = await stores.outbox.list({ limit: 9 });
    expect(sent.map(({ text, state, destination: to }) => ({ text, state, to }))).toEqual([
      { text: "hi", state: "queued", to: destination },
    ]);
    const { sessionId } = (await stores.turns.get(turn.turnId)) ?? {};
    expect(mirrored).toEqual([`${sessionId}:3`]);
  });

  it("SESS-12 writes nothing more, not even the copy, once another has taken the session over", async () => {
    const { clock, stores, parts, setup, queue, said, mirrored, never } = setUp();
    const turn = await queue("hello");
    const thief = { id: "thief", pid: 1, host: "elsewhere", processStart: "" };
    const script = setup.model;
    setup.model = {
      ...script,
      async *stream(request) {
        const name = sessionLeaseName(session);
        await stores.leases.acquire({ name, holder: thief, ttlMs: 60_000, isStale: () => true });
        await clock.advance(1);
        yield* script.stream(request);
      },
    };
    expect(await createTurnRunner(parts)(turn, never)).toEqual({ type: "over" });
    expect((await said(turn.turnId)).map(textOf)).toEqual(["hello"]);
    expect(mirrored).toEqual([]);
    expect(await stores.outbox.list({ limit: 9 })).toEqual([]);
  });

  it("ROUTE-17 ends the old session and mirrors both when a new one begins", async () => {
    const { parts, queue, mirrored, stores, never } = setUp();
    const first = await queue("one");
    await createTurnRunner(parts)(first, never);
    const second = await queue("two");
    await createTurnRunner({ ...parts, isStale: () => true })(second, never);
    const [one, two] = await Promise.all([first, second].map(({ turnId }) => stores.turns.get(turnId)));
    expect(two?.sessionId).not.toBe(one?.sessionId);
    expect(mirrored).toEqual([`${one?.sessionId}:3`, `${one?.sessionId}:4`, `${two?.sessionId}:3`]);
  });

  it("stores no secret, sends none, and shows none to the model afterwards", async () => {
    const { parts, queue, said, stores, model, redactor, never } = setUp([
      { calls: [{ name: "look", arguments: { at: "sk-12345678" } }] },
      { text: "it is sk-12345678" },
    ]);
    redactor.add("key", "sk-12345678");
    const turn = await queue("keep sk-12345678");
    await createTurnRunner(parts)(turn, never);
    expect(JSON.stringify(await said(turn.turnId))).not.toContain("sk-12345678");
    expect(JSON.stringify(model.requests)).not.toContain("sk-12345678");
    expect(JSON.stringify(await stores.outbox.list({ limit: 9 }))).not.toContain("sk-12345678");
  });

  it("ends with one visible line when it cannot even be set up", async () => {
    const { parts, queue, stores, never } = setUp();
    const turn = await queue("hello");
    const broken = () => {
      throw new Error("no workdir");
    };
    const outcome = await createTurnRunner({ ...parts, setUp: broken })(turn, never);
    expect(outcome).toMatchObject({ turn: { state: "failed", ending: { type: "failed" } } });
    expect((await stores.outbox.list({ limit: 9 })).map(({ text }) => text)).toEqual(["failed: no workdir"]);
  });

  it("stores no secret that stands in the reason of its end", async () => {
    const { parts, queue, stores, redactor, never } = setUp([{ error: "bad key sk-12345678" }]);
    redactor.add("key", "sk-12345678");
    const turn = await queue("hello");
    const noticed: unknown[] = [];
    const run = createTurnRunner({
      ...parts,
      noticeOf: (_turn, ending) => void noticed.push(ending),
      setUp: (each, session) => {
        if (each.turnId !== turn.turnId) throw new Error("no sk-12345678 here");
        return parts.setUp(each, session);
      },
    });
    await run(turn, never);
    const other = await queue("again");
    await run(other, never);
    const [failed, broken] = await Promise.all(
      [turn, other].map(async ({ turnId }) => [
        (await stores.turns.get(turnId))?.ending,
        await stores.turns.journal(turnId),
      ]),
    );
    expect(failed?.[0]).toEqual({ type: "model-failed", reason: "bad key [secret:key]" });
    expect(broken?.[0]).toMatchObject({ type: "failed", reason: "no [secret:key] here" });
    expect(JSON.stringify([failed, broken, noticed])).not.toContain("sk-12345678");
  });

  it("MODEL-09 says that it can go on when no model could be asked, and goes on", async () => {
    const { parts, queue, resume, stores, said, never } = setUp();
    const turn = await queue("hello");
    const broken = () => {
      throw failure("model/not-found", "runs.none", { id: "x" });
    };
    await createTurnRunner({ ...parts, setUp: broken })(turn, never);
    const [row] = await stores.outbox.list({ limit: 9 });
    expect(row?.text).toMatch(/^failed: .*\nthen go on$/);
    expect(await createTurnRunner(parts)(await resume(), never)).toMatchObject({
      turn: { turnId: turn.turnId, ending: { type: "answered" } },
    });
    expect((await said(turn.turnId)).map(textOf).slice(2)).toEqual(["/continue", "hi"]);
  });

  it("goes on where a crash left it, without doing anything twice that must not be", async () => {
    const { parts, setup, queue, said, effects, stores, never } = setUp([
      { calls: [{ name: "send" }] },
      { text: "done" },
    ]);
    const turn = await queue("hello");
    const { admit } = setup.tools;
    // The process dies in the middle of the call: nothing of this run comes back.
    const dying = new Promise<never>(() => {});
    let inTheCall = () => {};
    const reached = new Promise<void>((resolve) => (inTheCall = resolve));
    setup.tools.admit = admitting(async ({ name }) => {
      effects.push(name);
      inTheCall();
      return dying;
    });
    void createTurnRunner(parts)(turn, never);
    await reached;
    setup.tools.admit = admit;
    const thief = await stores.leases.acquire({
      name: sessionLeaseName(session),
      holder: { id: "next", pid: 1, host: "here", processStart: "" },
      ttlMs: 1,
      isStale: () => true,
    });
    if (thief.type === "acquired") await stores.leases.release(thief.fence);

    const again = await createTurnRunner(parts)((await stores.turns.get(turn.turnId)) ?? turn, never);
    expect(again).toMatchObject({ type: "ended", turn: { claims: 2, state: "done" } });
    expect(effects).toEqual(["send"]);
    expect((await said(turn.turnId)).map((message) => message.role)).toEqual([
      "user",
      "assistant",
      "toolResult",
      "assistant",
    ]);
  });

  it("GW-15 parks at shutdown and goes on afterwards, and no crash is counted", async () => {
    const { parts, queue, stores, never } = setUp();
    const turn = await queue("hello");
    expect(await createTurnRunner(parts)(turn, AbortSignal.abort(new TurnStop("shutdown")))).toEqual({
      type: "parked",
    });
    expect(await stores.turns.get(turn.turnId)).toMatchObject({ state: "queued", claims: 0 });
    expect(await createTurnRunner(parts)(turn, never)).toMatchObject({ turn: { state: "done", claims: 1 } });
  });

  it("LOOP-07 ends with one line that says so when it is stopped", async () => {
    const { parts, queue, stores } = setUp();
    const turn = await queue("hello");
    const outcome = await createTurnRunner(parts)(turn, AbortSignal.abort(new TurnStop("stop")));
    expect(outcome).toMatchObject({ turn: { state: "failed", ending: { type: "aborted", by: "stop" } } });
    expect((await stores.outbox.list({ limit: 9 })).map(({ text }) => text)).toEqual(["stopped: stop"]);
  });

  it("takes up what comes in while it runs, and makes a turn of what it did not take up", async () => {
    const { parts, setup, queue, said, never } = setUp([{ calls: [{ name: "look" }] }, { text: "done" }]);
    const { admit } = setup.tools;
    setup.tools.admit = async (block, signal) => {
      await queue("hurry", { mode: "steer" });
      return admit(block, signal);
    };
    const script = setup.model;
    setup.model = {
      ...script,
      async *stream(request) {
        for await (const event of script.stream(request)) {
          if (event.type === "text-delta") await queue("too late", { mode: "steer" });
          yield event;
        }
      },
    };
    const turn = await queue("hello");
    const outcome = await createTurnRunner(parts)(turn, never);
    expect((await said(turn.turnId)).map(textOf)).toEqual(["hello", "", "", "hurry", "done"]);
    expect(outcome).toMatchObject({ type: "ended", followUp: { state: "queued", destination } });
  });

  it("counts no new crash when the storage threw the turn out of a process that lives on", async () => {
    const { parts, queue, stores, never } = setUp();
    const turn = await queue("hello");
    let full = true;
    const end: typeof stores.turns.end = async (request) => {
      if (!full) return stores.turns.end(request);
      throw failure("storage/full", "failure.database-closed");
    };
    const run = createTurnRunner({ ...parts, turns: { ...stores.turns, end } });
    await expect(run(turn, never)).rejects.toMatchObject({ code: "storage/full" });
    await expect(run(turn, never)).rejects.toMatchObject({ code: "storage/full" });
    full = false;
    expect(await run(turn, never)).toMatchObject({ type: "ended", turn: { claims: 1 } });
  });
});

it("leaves what a message is made of alone, even where a secret is an ordinary word", () => {
  const redactor = createRedactor();
  for (const word of ["assistant", "toolCall", "toolResult", "look_at"]) redactor.add("odd", word);
  const redacted = redactMessage(
    {
      role: "assistant",
      content: [{ type: "toolCall", id: "toolCall-1", name: "look_at", arguments: { a: "assistant" } }],
      provider: "p",
      model: "m",
      stopReason: "toolUse",
      usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0, cost: 0 },
    },
    redactor,
  );
  expect(redacted).toMatchObject({
    role: "assistant",
    content: [{ type: "toolCall", id: "toolCall-1", name: "look_at", arguments: { a: "[secret:odd]" } }],
  });
});
