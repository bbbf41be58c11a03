import { methods } from "@pincer/sdk";
import { describe, expect, it } from "vitest";
import {
  claim,
  draft,
  ending,
  noticeDraft,
  place,
  queue,
  receive,
  takeFence,
} from "../storage/testing/message-samples.ts";
import { addUsage } from "../storage/testing/add-usage.ts";
import { question } from "../storage/testing/approval-samples.ts";
import { apiHandlers } from "./gateway-methods.ts";
import { createApiStage, ways, type ApiStage } from "./testing/api-stage.ts";

const error = { code: "rejected", message: "no such chat" };

async function failedMessage({ tenant }: ApiStage, text: string): Promise<string> {
  const [row] = await tenant.outbox.enqueue([draft(text)]);
  if (!row) throw new Error("nothing was queued");
  await tenant.outbox.beginSend(row.id);
  await tenant.outbox.fail(row.id, error, { drafts: [] });
  return row.id;
}

async function deadTurn({ tenant }: ApiStage, messageId: string): Promise<string> {
  const { turnId } = await queue(tenant, messageId);
  await claim(tenant, turnId, await takeFence(tenant));
  await tenant.turns.bury(turnId, { replies: [], notice: noticeDraft(`turn:${turnId}`) });
  return turnId;
}

/** Given up before it had a turn. */
async function deadMessage({ tenant }: ApiStage, messageId: string): Promise<string> {
  const [id = ""] = await receive(tenant, messageId);
  await tenant.notices.add(noticeDraft(`message:${id}`));
  await tenant.inbox.settle(id, { state: "dead", reason: "crashed" });
  return id;
}

it("every method of an API's family is handled", async () => {
  const { apis } = await createApiStage("over the stores");
  const families = new Set(Object.keys(apis));
  const handlers = apiHandlers(apis);
  expect(families.size).toBe(29);
  expect(
    Object.entries(handlers)
      .filter(([, handler]) => typeof handler === "function")
      .map(([name]) => name)
      .sort(),
  ).toEqual(
    Object.keys(methods)
      .filter((name) => families.has(name.split(".")[0] ?? ""))
      .sort(),
  );
});

describe.each(ways)("the outbox API %s", (way) => {
  it("lists what waits or failed, newest first, and the rest when asked", async () => {
    const stage = await createApiStage(way);
    const failed = await failedMessage(stage, "one");
    await stage.tenant.outbox.enqueue([draft("two")]);
    const [third] = await stage.tenant.outbox.enqueue([draft("three")]);
    await stage.apis.outbox.drop({ id: third?.id ?? "" });
    const { messages } = await stage.apis.outbox.list({});
    expect(messages.map(({ text, state }) => [text, state])).toEqual([
      ["two", "queued"],
      ["one", "failed"],
    ]);
    expect(messages[1]).toMatchObject({ id: failed, error, destination: place() });
    const page = await stage.apis.outbox.list({ limit: 1 });
    const rest = await stage.apis.outbox.list({ before: page.messages[0]?.position ?? 0 });
    expect(rest.messages.map(({ text }) => text)).toEqual(["one"]);
    expect((await stage.apis.outbox.list({ states: ["dropped"] })).messages).toMatchObject([
      { text: "three" },
    ]);
  });

  it("CHAN-26 tries a failed one again at once, for a day, and tells the gateway", async () => {
    const stage = await createApiStage(way);
    const id = await failedMessage(stage, "one");
    const { message } = await stage.apis.outbox.retry({ id });
    expect(message).toMatchObject({ id, state: "queued", notAfter: "2026-01-02T12:00:00.000Z" });
    expect(stage.changes.outbox).toMatchObject([{ id, state: "queued" }]);
  });

  it("drops one once, and lets what waited behind it go", async () => {
    const stage = await createApiStage(way);
    const id = await failedMessage(stage, "one");
    await stage.apis.outbox.retry({ id });
    expect(await stage.apis.outbox.drop({ id })).toEqual({ dropped: id });
    expect(stage.changes.outbox.length).toBe(2);
    await expect(stage.apis.outbox.drop({ id })).rejects.toMatchObject({ code: "message/over" });
    await expect(stage.apis.outbox.retry({ id })).rejects.toMatchObject({ code: "message/over" });
    expect((await stage.apis.outbox.get({ id })).message.state).toBe("dropped");
  });

  it("drops what failed, too, so that nothing is left in the list", async () => {
    const stage = await createApiStage(way);
    const id = await failedMessage(stage, "one");
    expect(await stage.apis.outbox.drop({ id })).toEqual({ dropped: id });
    expect((await stage.apis.outbox.list({})).messages).toEqual([]);
  });

  it("says so when there is no such message, and how to find one", async () => {
    const { outbox } = (await createApiStage(way)).apis;
    const none = { code: "message/not-found", hint: expect.stringContaining("outbox list") };
    await expect(outbox.get({ id: "o_none" })).rejects.toMatchObject(none);
    await expect(outbox.retry({ id: "o_none" })).rejects.toMatchObject(none);
    await expect(outbox.drop({ id: "o_none" })).rejects.toMatchObject(none);
  });
});

describe.each(ways)("the dead letter API %s", (way) => {
  it("shows what was asked and by whom", async () => {
    const stage = await createApiStage(way);
    const id = await deadTurn(stage, "1");
    await queue(stage.tenant, "2");
    const { letters } = await stage.apis.deadletters.list({});
    expect(letters).toMatchObject([
      {
        id,
        kind: "turn",
        texts: ["words of 1"],
        person: { id: "telegram:42" },
        claims: 1,
        destination: place(),
      },
    ]);
    expect((await stage.apis.deadletters.get({ id })).letter).toEqual(letters[0]);
  });

  it("brings one back to be answered, and takes its notice off the list", async () => {
    const stage = await createApiStage(way);
    const id = await deadTurn(stage, "1");
    expect(await stage.apis.deadletters.retry({ id })).toEqual({ retried: id });
    expect(stage.changes.turns).toMatchObject([{ turnId: id, state: "queued" }]);
    expect((await stage.apis.deadletters.list({})).letters).toEqual([]);
    expect((await stage.apis.notices.list({})).notices).toEqual([]);
    await expect(stage.apis.deadletters.retry({ id })).rejects.toMatchObject({ code: "message/not-found" });
  });

  it("gives one up for good, once", async () => {
    const stage = await createApiStage(way);
    const id = await deadTurn(stage, "1");
    expect(await stage.apis.deadletters.drop({ id })).toEqual({ dropped: id });
    await expect(stage.apis.deadletters.get({ id })).rejects.toMatchObject({ code: "message/not-found" });
    await expect(stage.apis.deadletters.drop({ id })).rejects.toMatchObject({ code: "message/not-found" });
    expect((await stage.tenant.turns.get(id))?.ending).toEqual({ type: "dropped" });
    expect(stage.changes.turns).toEqual([]);
  });
});

describe.each(ways)("the dead letter API %s, for messages that never had a turn", (way) => {
  it("shows what was said and by whom", async () => {
    const stage = await createApiStage(way);
    const id = await deadMessage(stage, "1");
    const { letters } = await stage.apis.deadletters.list({});
    expect(letters).toMatchObject([
      {
        id,
        kind: "message",
        sessionKey: null,
        texts: ["words of 1"],
        person: { role: "unknown", id: "telegram:42", name: "Ada" },
        destination: place(),
        queuedAt: "2026-01-01T12:00:00.000Z",
        endedAt: null,
      },
    ]);
    expect((await stage.apis.deadletters.get({ id })).letter).toEqual(letters[0]);
  });

  it("lists both kinds, each newest first and each once, whatever the size of a page", async () => {
    const stage = await createApiStage(way);
    const turns = [await deadTurn(stage, "1"), await deadTurn(stage, "2"), await deadTurn(stage, "3")];
    const messages = [await deadMessage(stage, "4"), await deadMessage(stage, "5")];
    await deadMessage(stage, "6").then((id) => stage.apis.deadletters.drop({ id }));
    const all = [...messages.toReversed(), ...turns.toReversed()];
    for (const limit of [1, 2, 3, 4, 5, 50]) {
      const seen: string[] = [];
      for (let page: { before?: number } = {}; ;) {
        const { letters } = await stage.apis.deadletters.list({ limit, ...page });
        expect(letters.length).toBeLessThanOrEqual(limit);
        const last = letters.at(-1);
        if (!last) break;
        seen.push(...letters.map(({ id }) => id));
        page = { before: last.position };
      }
      expect(seen).toEqual(all);
    }
  });

  it("brings one back to be routed, and takes its notice off the list", async () => {
    const stage = await createApiStage(way);
    const id = await deadMessage(stage, "1");
    expect(await stage.apis.deadletters.retry({ id })).toEqual({ retried: id });
    expect(stage.changes.inbox).toMatchObject([{ id, state: "new", attempts: 0 }]);
    expect(stage.changes.turns).toEqual([]);
    expect((await stage.apis.deadletters.list({})).letters).toEqual([]);
    expect((await stage.apis.notices.list({})).notices).toEqual([]);
    await expect(stage.apis.deadletters.retry({ id })).rejects.toMatchObject({ code: "message/not-found" });
  });

  it("gives one up for good, once", async () => {
    const stage = await createApiStage(way);
    const id = await deadMessage(stage, "1");
    expect(await stage.apis.deadletters.drop({ id })).toEqual({ dropped: id });
    expect((await stage.apis.notices.list({})).notices).toEqual([]);
    const none = { code: "message/not-found" };
    await expect(stage.apis.deadletters.get({ id })).rejects.toMatchObject(none);
    await expect(stage.apis.deadletters.drop({ id })).rejects.toMatchObject(none);
    await expect(stage.apis.deadletters.retry({ id })).rejects.toMatchObject(none);
    expect(await stage.tenant.inbox.get(id)).toMatchObject({ state: "done" });
    expect(stage.changes.inbox).toEqual([]);
  });

  it("leaves alone a message that belongs to a dead turn", async () => {
    const stage = await createApiStage(way);
    const turnId = await deadTurn(stage, "1");
    const [input] = await stage.tenant.turns.inputs(turnId);
    const { deadletters } = stage.apis;
    await expect(deadletters.retry({ id: input?.id ?? "" })).rejects.toMatchObject({
      code: "message/not-found",
    });
    expect((await deadletters.list({})).letters.map(({ id }) => id)).toEqual([turnId]);
  });
});

describe.each(ways)("the notice API %s", (way) => {
  it("lists open ones, and the others when asked", async () => {
    const { tenant, apis } = await createApiStage(way);
    const { notice } = await tenant.notices.add(noticeDraft("a"));
    await tenant.notices.add(noticeDraft("b"));
    expect(await apis.notices.dismiss({ id: notice.id })).toEqual({ dismissed: notice.id });
    expect((await apis.notices.list({})).notices).toMatchObject([{ subject: "b", dismissedAt: null }]);
    expect((await apis.notices.list({ all: true })).notices).toHaveLength(2);
    await expect(apis.notices.dismiss({ id: notice.id })).rejects.toMatchObject({
      code: "message/not-found",
    });
  });
});

describe.each(ways)("the owner API %s", (way) => {
  it("makes a code that works once, for ten minutes, and replaces the one before", async () => {
    const { tenant, clock, apis } = await createApiStage(way);
    const attempt = (code: string) =>
      tenant.pairing.claimOwner({ code, channel: "telegram", senderId: "42", maxTries: 50 });
    const first = await apis.owner.claim({});
    const { code, expiresAt } = await apis.owner.claim({});
    expect(code).toMatch(/^[A-HJ-NP-Z2-9]{4}-[A-HJ-NP-Z2-9]{4}$/);
    expect(expiresAt).toBe("2026-01-01T12:10:00.000Z");
    expect(await attempt(first.code)).toEqual({ type: "wrong" });
    expect(await attempt(code)).toEqual({ type: "claimed" });
    expect(await attempt(code)).toEqual({ type: "wrong" });
    const late = await apis.owner.claim({});
    await clock.advance(600_000);
    expect(await attempt(late.code)).toEqual({ type: "wrong" });
  });

  it("lists owners of both kinds and takes back the claimed ones", async () => {
    const { tenant, apis } = await createApiStage(way, { owners: ["feishu:ou:1"] });
    const { code } = await apis.owner.claim({});
    await tenant.pairing.claimOwner({ code, channel: "telegram", senderId: "42", maxTries: 5 });
    expect((await apis.owner.list({})).owners).toEqual([
      { channel: "feishu", senderId: "ou:1", claimedAt: null },
      { channel: "telegram", senderId: "42", claimedAt: "2026-01-01T12:00:00.000Z" },
    ]);
    await apis.owner.remove({ channel: "telegram", senderId: "42" });
    expect((await apis.owner.list({})).owners).toHaveLength(1);
    await expect(apis.owner.remove({ channel: "telegram", senderId: "42" })).rejects.toMatchObject({
      code: "message/not-found",
    });
    await expect(apis.owner.remove({ channel: "feishu", senderId: "ou:1" })).rejects.toMatchObject({
      code: "config/bad-value",
      hint: expect.stringContaining("config set"),
    });
  });
});

describe.each(ways)("the run API %s", (way) => {
  it("PROTO-10 tells everything that happened in a run, in order", async () => {
    const { tenant, clock, apis } = await createApiStage(way);
    const { turnId } = await queue(tenant, "1");
    const fence = await takeFence(tenant);
    await claim(tenant, turnId, fence);
    await clock.advance(10);
    await tenant.turns.end(ending(turnId, fence, { replies: [draft("answer", { turnId })] }));
    await queue(tenant, "2");
    const { run, events } = await apis.runs.events({ runId: turnId });
    expect(run).toMatchObject({
      runId: turnId,
      state: "done",
      ending: { type: "answered" },
      destination: place(),
    });
    expect(
      events.map((event) =>
        event.type === "step"
          ? event.step.type
          : event.type === "entry"
            ? event.entry.type
            : event.message.text,
      ),
    ).toEqual(["claimed", "message", "message", "ended", "answer"]);
    expect(events.map(({ time }) => time)).toEqual(events.map(({ time }) => time).toSorted());
  });

  it("UI-01 tells the requests of a run in their order, those that failed too, what they took, and what was asked", async () => {
    const { tenant, apis } = await createApiStage(way);
    const { turnId } = await queue(tenant, "1");
    const fence = await takeFence(tenant);
    await claim(tenant, turnId, fence);
    const call = {
      turnId,
      sessionId: null,
      sessionKey: "main",
      agentId: "main",
      provider: "p",
      model: "m",
      credential: "p:one",
      usage: { input: 10, output: 5, cacheRead: 30, cacheWrite: 0, total: 45, cost: 0.5 },
      startedAt: "2026-01-01T12:00:01.000Z",
      durationMs: 700,
      firstByteMs: 90,
    };
    await addUsage(tenant.usage, { ...call, outcome: "overloaded", firstByteMs: null });
    await addUsage(tenant.usage, { ...call, model: "n", outcome: "ok" });
    await tenant.approvals.ask(question(turnId));
    const { run, calls, questions } = await apis.runs.events({ runId: turnId });
    const sum = { calls: 2, total: 90, cost: 1, unpriced: 0, models: ["p/m", "p/n"] };
    expect(run.sum).toEqual(sum);
    expect(calls).toMatchObject([
      { model: "m", outcome: "overloaded", firstByteMs: null },
      { model: "n", outcome: "ok", durationMs: 700, firstByteMs: 90, cacheRead: 30, cost: 0.5 },
    ]);
    expect(questions).toMatchObject([{ state: "pending", answeredAt: null }]);
    expect(JSON.stringify(questions)).not.toContain("arguments");
    expect((await apis.runs.list({ states: ["running"] })).runs).toMatchObject([{ runId: turnId, sum }]);
    expect((await apis.runs.list({ states: ["done", "failed"] })).runs).toEqual([]);
    expect((await apis.runs.list({ agentId: "nobody" })).runs).toEqual([]);
  });

  it("lists runs, newest first, page by page, and says when there is none", async () => {
    const { tenant, apis } = await createApiStage(way);
    const first = await queue(tenant, "1");
    const second = await queue(tenant, "2");
    const page = await apis.runs.list({ limit: 1 });
    expect(page.runs.map(({ runId }) => runId)).toEqual([second.turnId]);
    const rest = await apis.runs.list({ before: page.runs[0]?.position ?? 0 });
    expect(rest.runs.map(({ runId }) => runId)).toEqual([first.turnId]);
    expect((await apis.runs.list({ sessionKey: "other" })).runs).toEqual([]);
    await expect(apis.runs.events({ runId: "r_none" })).rejects.toMatchObject({ code: "message/not-found" });
  });
});

describe.each(ways)("the sessions %s", (way) => {
  it("are found, read in pages that fit a frame, and deleted", async () => {
    const { tenant, apis } = await createApiStage(way);
    const { session } = await tenant.sessions.open({
      sessionKey: "agent:main:main",
      workspaceId: "w1",
      agentId: "main",
      origin: { channel: "cli" },
      cwd: "/",
    });
    const text = "x".repeat(600_000);
    const body = { type: "event" as const, name: "said", data: { text } };
    await tenant.entries.append(session.sessionId, [body, body, body]);
    const { sessionId } = session;
    expect(await apis.sessions.find({ sessionKey: "main" })).toMatchObject({ sessionId });
    const seqs: number[] = [];
    for (let after = 0; ;) {
      const { entries } = await apis.sessions.entries({ sessionKey: sessionId, after });
      expect(JSON.stringify(entries).length).toBeLessThan(2_000_000);
      if (entries.length === 0) break;
      seqs.push(...entries.map(({ seq }) => seq));
      after = seqs.at(-1) ?? 0;
    }
    expect(seqs).toEqual([1, 2, 3, 4]);
    await apis.sessions.delete({ sessionKey: sessionId });
    await expect(apis.sessions.find({ sessionKey: sessionId })).rejects.toMatchObject({
      code: "session/not-found",
    });
  });
});
