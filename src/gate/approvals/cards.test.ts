/** What the calls of one answer want to be asked is one card; a task shows few of them; a no and a time hold. */
import { describe, expect, it } from "vitest";
import { createApprovalStage, questionOf } from "../../channels/testing/approval-stage.ts";
import type { TurnRecord } from "../../storage/turns/turns.ts";
import type { ApprovalVerdict } from "../call-approvals.ts";
import type { Approvals, TurnQuestion } from "./create-approvals.ts";

const never = new AbortController().signal;
const yes = { verdict: "approved", scope: "once", by: "cli:owner" } as const;
const no = { ...yes, verdict: "denied" } as const;

const ticks = async () => {
  for (let tick = 0; tick < 20; tick++) await new Promise((resolve) => setImmediate(resolve));
};

function message(turn: TurnRecord, callId: string, recipient: string, text = "hi"): TurnQuestion {
  return questionOf(turn, {
    callId,
    subject: {
      tool: "message",
      call: { name: "message", arguments: { to: recipient, text } },
      shown: `to ${recipient}: ${text}`,
      recipient,
      digest: `${recipient} ${text}`,
    },
    scopes: ["once", "task", "while"],
    keys: { task: `message to ${recipient}`, while: `message to ${recipient}` },
  });
}

/** As the calls of one answer ask: side by side. */
const askTogether = (room: Approvals, questions: readonly TurnQuestion[]): Promise<ApprovalVerdict[]> => {
  const together = [...questions];
  return Promise.all(questions.map((question) => room.consult(question, never, together)));
};

const idsOf = (verdicts: readonly ApprovalVerdict[]): string[] =>
  verdicts.map((verdict) => ("approvalId" in verdict ? verdict.approvalId : verdict.type));

describe("what the calls of one answer ask", () => {
  it("is told once, as one card, and its turn goes on with each answer where it belongs", async () => {
    const { open, queue, park, sent, offered, follow } = createApprovalStage();
    const room = open();
    const turn = await queue();
    const { told } = follow(turn);
    const asked = ["bob", "ann", "eve"].map((name, index) => message(turn, `c${index}`, name));
    const [first = ""] = idsOf(await askTogether(room, asked));
    const card = first.slice(0, -2);
    const rows = await sent();
    expect(rows).toHaveLength(1);
    for (const part of ["1. message", "to bob: hi", "2. message", "to ann: hi", "3. message", "to eve: hi"])
      expect(rows[0]?.text).toContain(part);
    expect(told.map((event) => event.type === "approval-asked" && event.approval.card)).toEqual(
      [1, 2, 3].map((number) => ({ id: card, number, open: 3 })),
    );
    await park(turn);
    await room.answer(card, { ...yes, only: [1, 3] });
    expect(offered).toEqual([turn.turnId]);
    const verdicts = await askTogether(room, asked);
    expect(verdicts.map(({ type }) => type)).toEqual(["approved", "denied", "approved"]);
    expect((await sent()).map(({ text }) => text).slice(1)).toEqual([
      `${card}: cli:owner approved 1, 3 (once) and denied 2.`,
    ]);
  });

  it("is known again to the next process, and told once", async () => {
    const { open, queue, sent } = createApprovalStage();
    const turn = await queue();
    const asked = ["bob", "ann"].map((name, index) => message(turn, `c${index}`, name));
    const before = await askTogether(open(), asked);
    expect(await askTogether(open(), asked)).toEqual(before);
    expect(await sent()).toHaveLength(1);
  });

  it("runs what got its own yes while the rest of the card still waits", async () => {
    const { open, queue, follow } = createApprovalStage();
    const room = open();
    const turn = await queue({ options: { attended: "wait" } });
    const { told } = follow(turn);
    const asked = ["bob", "ann"].map((name, index) => message(turn, `c${index}`, name));
    const [first, second] = asked.map((question) => room.consult(question, never, asked));
    await ticks();
    const ids = told.flatMap((event) => (event.type === "approval-asked" ? [event.approval.id] : []));
    await room.answer(ids[1] ?? "", yes);
    expect(await second).toMatchObject({ type: "approved" });
    await room.answer(ids[0] ?? "", no);
    expect(await first).toMatchObject({ type: "denied" });
  });

  it("is not asked at all when the turn was stopped while it was judged", async () => {
    const { open, queue, stores } = createApprovalStage();
    const turn = await queue();
    expect(await open().consult(message(turn, "c1", "bob"), AbortSignal.abort())).toMatchObject({
      type: "waiting",
    });
    expect(await stores.approvals.list({ limit: 9 })).toEqual([]);
  });

  it("is one notice for the owner where others ask, which goes when all of it is answered", async () => {
    const { open, queue, stores } = createApprovalStage();
    const room = open();
    const turn = await queue({ person: { role: "peer", id: "fake:7" } });
    const asked = ["bob", "ann"].map((name, index) => message(turn, `c${index}`, name));
    const [first = ""] = idsOf(await askTogether(room, asked));
    const card = first.slice(0, -2);
    const subjects = async () => (await stores.notices.list({ limit: 9 })).map(({ subject }) => subject);
    expect(await subjects()).toEqual([`approval:${card}`]);
    await room.answer(first, yes);
    expect(await subjects()).toEqual([`approval:${card}`]);
    await room.answer(card, no);
    expect(await subjects()).toEqual([]);
  });
});

describe("a task that asks often", () => {
  it("shows three cards; then the model is told to report what is open", async () => {
    const { open, queue, sent } = createApprovalStage();
    const room = open();
    const turn = await queue();
    for (const name of ["bob", "ann", "eve"]) await room.consult(message(turn, name, name), never);
    const [known, fresh] = await askTogether(room, [
      message(turn, "bob", "bob"),
      message(turn, "dan", "dan"),
    ]);
    expect(known).toMatchObject({ type: "waiting" });
    expect(fresh).toEqual({
      type: "not-asked",
      reason: expect.stringMatching(/asked nothing more.*report of what is done and what is still open/),
      why: { code: "cards-spent", values: { count: "3" } },
    });
    expect(await sent()).toHaveLength(3);
    expect(await room.consult(message(await queue(), "dan", "dan"), never)).toMatchObject({
      type: "waiting",
    });
  });

  it("counts what turns ask that work for it", async () => {
    const { open, queue } = createApprovalStage();
    const room = open();
    const turn = await queue();
    const child = await queue({ options: { task: turn.turnId } });
    for (const name of ["bob", "ann", "eve"]) await room.consult(message(child, name, name), never);
    expect(await room.consult(message(turn, "dan", "dan"), never)).toMatchObject({ type: "not-asked" });
  });

  it("leaves a session its one open card where that is the limit", async () => {
    const { open, queue } = createApprovalStage();
    const room = open({ maxOpen: () => 1 });
    const session = {
      sessionKey: "agent:main:s",
      workspaceId: "w",
      agentId: "main",
      origin: { channel: "fake" },
      cwd: "/",
    };
    const [one, two] = [await queue({ session }), await queue({ session })];
    const first = await room.consult(message(one, "c1", "bob"), never);
    expect(await room.consult(message(two, "c1", "ann"), never)).toMatchObject({
      type: "not-asked",
      why: { code: "cards-open" },
    });
    await room.answer(idsOf([first])[0] ?? "", no);
    expect(await room.consult(message(two, "c1", "ann"), never)).toMatchObject({ type: "waiting" });
  });
});

describe("a no", () => {
  it("holds for anything else to the same recipient in its task and its children, and for nobody else", async () => {
    const { open, queue, sent } = createApprovalStage();
    const room = open();
    const turn = await queue();
    const [id = ""] = idsOf([await room.consult(message(turn, "c1", "bob"), never)]);
    await room.answer(id, no);
    const before = (await sent()).length;
    const child = await queue({ options: { task: turn.turnId } });
    for (const again of [message(turn, "c2", "bob", "please"), message(child, "c1", "bob", "hello?")])
      expect(await room.consult(again, never)).toMatchObject({ type: "denied" });
    expect(await sent()).toHaveLength(before);
    const other = { ...message(turn, "c3", "bob"), subject: { ...message(turn, "c3", "bob").subject } };
    other.subject = { ...other.subject, tool: "mail", digest: "mail" };
    for (const free of [message(turn, "c4", "ann"), other])
      expect(await room.consult(free, never)).toMatchObject({ type: "waiting" });
    expect(await room.consult(message(await queue(), "c1", "bob"), never)).toMatchObject({ type: "waiting" });
  });

  it("takes nothing away from what the same answer allowed", async () => {
    const { open, queue, park } = createApprovalStage();
    const room = open();
    const turn = await queue();
    const asked = ["see you at 8", "bring money"].map((text, index) =>
      message(turn, `c${index}`, "bob", text),
    );
    const [first = ""] = idsOf(await askTogether(room, asked));
    await park(turn);
    await room.answer(first.slice(0, -2), { ...yes, only: [1] });
    expect((await askTogether(room, asked)).map(({ type }) => type)).toEqual(["approved", "denied"]);
  });
});

describe("a yes for 30 minutes", () => {
  async function granted() {
    const stage = createApprovalStage();
    const room = stage.open();
    const turn = await stage.queue();
    const [id = ""] = idsOf([await room.consult(message(turn, "c1", "bob"), never)]);
    await room.answer(id, { ...yes, scope: "while" });
    const held = async (of = room, whose = turn) => (await of.grants(whose)).map(({ key }) => key);
    return { ...stage, room, turn, held };
  }
  const minutes = (count: number) => count * 60_000;

  it("holds for later turns of its session, and in no other", async () => {
    const { held, queue, turn, room } = await granted();
    const { sessionKey, workspaceId } = turn;
    const session = { sessionKey, workspaceId, agentId: "main", origin: { channel: "fake" }, cwd: "/" };
    expect(await held(room, await queue({ session }))).toEqual(["message to bob"]);
    expect(await held(room, await queue())).toEqual([]);
  });

  it("ends by itself", async () => {
    const { held, clock } = await granted();
    await clock.advance(minutes(30) - 1);
    expect(await held()).toEqual(["message to bob"]);
    await clock.advance(1);
    expect(await held()).toEqual([]);
  });

  it("ends no later when the clock is set back, also after a restart", async () => {
    const { held, clock, open } = await granted();
    await clock.advance(minutes(20));
    clock.jump(-minutes(15));
    await clock.advance(minutes(9));
    expect(await held()).toEqual(["message to bob"]);
    const restarted = open();
    expect(await held(restarted)).toEqual(["message to bob"]);
    await clock.advance(minutes(1));
    expect(await held()).toEqual([]);
    // Before the moment at which it was given it is not valid at all: the stored end would be too late.
    clock.jump(-minutes(60));
    expect([await held(), await held(open())]).toEqual([[], []]);
  });

  it("ends at once when the clock is set past its end", async () => {
    const { held, clock } = await granted();
    clock.jump(minutes(31));
    expect(await held()).toEqual([]);
  });
});
