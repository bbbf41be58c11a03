import { describe, expect, it } from "vitest";
import type { ApprovalVerdict } from "../call-approvals.ts";
import { createApprovalStage, questionOf } from "../../channels/testing/approval-stage.ts";

const never = new AbortController().signal;
const yes = { verdict: "approved", scope: "once", by: "cli:owner" } as const;
const no = { ...yes, verdict: "denied" } as const;

const ticks = async () => {
  for (let tick = 0; tick < 20; tick++) await new Promise((resolve) => setImmediate(resolve));
};

describe("a call that was begun with its yes and has no result", () => {
  /** Asked, allowed and begun by a process that is gone. */
  async function begun() {
    const opened = createApprovalStage();
    const turn = await opened.queue();
    const question = questionOf(turn);
    const run = await opened.claim(turn);
    await run.want(question);
    await opened.clock.advance(1);
    const room = opened.open();
    const { approvalId: id } = (await room.consult(question, never)) as { approvalId: string };
    await room.answer(id, yes);
    await run.begin(question);
    await room.spend(id);
    return { ...opened, turn, question, run, room, id };
  }
  const anew = (id: string) => ({ type: "waiting", approvalId: expect.not.stringContaining(id) });

  it("SAFE-02 shares its yes with no call that is made beside it under the same id", async () => {
    const { question, room, id } = await begun();
    expect(await room.consult(question, never)).toEqual(anew(id));
  });

  it("SAFE-02 answers with the same yes again when the turn continues elsewhere", async () => {
    const { open, claim, turn, question, run, id } = await begun();
    await run.release();
    await claim(turn);
    const next = open();
    const both = await Promise.all([next.consult(question, never), next.consult(question, never)]);
    expect(both).toEqual([0, 1].map(() => ({ type: "approved", approvalId: id })));
    expect([await next.spend(id), await next.spend(id)]).toEqual([true, false]);
    expect(await next.consult(question, never)).toEqual(anew(id));
  });

  it("SAFE-02 is asked about when it is not byte for byte the same", async () => {
    const { open, claim, turn, question, run, id } = await begun();
    await run.release();
    await claim(turn);
    const changed = { ...question, subject: { ...question.subject, digest: "d2" } };
    expect(await open().consult(changed, never)).toEqual(anew(id));
  });

  it("SAFE-02 is over with its result: under the same id another one is asked about", async () => {
    const { open, claim, turn, question, run, id } = await begun();
    await run.result(question);
    await run.release();
    await claim(turn);
    expect(await open().consult(question, never)).toEqual(anew(id));
  });

  it("SAFE-02 has no yes that was given for an earlier one", async () => {
    const { open, clock, claim, turn, question, run, id } = await begun();
    await run.result(question);
    await clock.advance(1);
    // A grant let this call begin, and the grant is gone.
    await run.want(question);
    await run.begin(question);
    await run.release();
    await claim(turn);
    expect(await open().consult(question, never)).toEqual(anew(id));
  });
});

describe("a turn that nobody attends", () => {
  it("SAFE-02 waits at once, and goes on when it is answered: the yes is good for one call", async () => {
    const { open, queue, park, offered } = createApprovalStage();
    const room = open();
    const turn = await queue();
    const asked = await room.consult(questionOf(turn), never);
    expect(asked.type).toBe("waiting");
    const id = (asked as Extract<ApprovalVerdict, { type: "waiting" }>).approvalId;
    await park(turn);
    expect(await room.answer(id, yes)).toMatchObject({ type: "answered", turn: { state: "queued" } });
    expect(offered).toEqual([turn.turnId]);
    expect(await room.consult(questionOf(turn), never)).toEqual({ type: "approved", approvalId: id });
    expect(await Promise.all([room.spend(id), room.spend(id)])).toEqual([true, false]);
  });

  it("SAFE-02 is known again to the next process, and told once", async () => {
    const { open, queue, sent } = createApprovalStage();
    const turn = await queue();
    const first = await open().consult(questionOf(turn), never);
    expect(await open().consult(questionOf(turn), never)).toEqual(first);
    expect(await sent()).toHaveLength(1);
  });

  it("SAFE-02 is asked anew about a call that is not byte for byte the same", async () => {
    const { open, queue } = createApprovalStage();
    const room = open();
    const turn = await queue();
    const first = await room.consult(questionOf(turn), never);
    const other = questionOf(turn);
    const changed = { ...other, subject: { ...other.subject, digest: "d2" } };
    const second = await room.consult(changed, never);
    expect(second.type).toBe("waiting");
    expect(second).not.toEqual(first);
    await room.answer((second as { approvalId: string }).approvalId, yes);
    expect(await room.consult(other, never)).toMatchObject({ type: "waiting" });
  });

  it("asks again for a second call under an id whose yes was used up", async () => {
    const { open, queue } = createApprovalStage();
    const room = open();
    const turn = await queue();
    const first = (await room.consult(questionOf(turn), never)) as { approvalId: string };
    await room.answer(first.approvalId, yes);
    await room.spend(first.approvalId);
    const second = (await room.consult(questionOf(turn), never)) as { approvalId: string };
    expect(second).toMatchObject({ type: "waiting" });
    expect(second.approvalId).not.toBe(first.approvalId);
    expect(await room.consult(questionOf(turn), never)).toEqual(second);
  });

  it("SAFE-02 stays denied within its turn, under whatever id the model tries it again", async () => {
    const { open, queue, sent } = createApprovalStage();
    const room = open();
    const turn = await queue();
    const { approvalId } = (await room.consult(questionOf(turn), never)) as { approvalId: string };
    await room.answer(approvalId, no);
    const before = (await sent()).length;
    const again = await room.consult(questionOf(turn, { callId: "c2" }), never);
    expect(again).toMatchObject({ type: "denied", reason: expect.stringContaining("the owner said no") });
    expect(await sent()).toHaveLength(before);
  });

  it("SAFE-02 counts as denied after a day", async () => {
    const { open, queue, park, clock, offered, follow } = createApprovalStage();
    const room = open();
    const turn = await queue();
    const { told } = follow(turn);
    await room.consult(questionOf(turn), never);
    await park(turn);
    await clock.advance(24 * 3_600_000 - 1);
    await room.sweep();
    expect(offered).toEqual([]);
    await clock.advance(1);
    await room.sweep();
    expect(offered).toContain(turn.turnId);
    expect(told.at(-1)).toMatchObject({ type: "approval-answered", state: "expired" });
    expect(await room.consult(questionOf(turn), never)).toMatchObject({
      type: "denied",
      reason: expect.stringContaining("did not answer in time"),
    });
  });

  it("goes on when another process answered in the database", async () => {
    const { open, queue, park, stores, offered } = createApprovalStage();
    const room = open();
    const turn = await queue();
    const { approvalId } = (await room.consult(questionOf(turn), never)) as { approvalId: string };
    await park(turn);
    await stores.approvals.answer(approvalId, yes);
    await room.sweep();
    expect(offered).toEqual([turn.turnId]);
  });
});

describe("a turn that somebody attends", () => {
  const attended = { options: { attended: "wait" }, destination: null } as const;

  it("SAFE-02 waits in place for the answer, and nobody else is told", async () => {
    const { open, queue, follow, sent, stores } = createApprovalStage();
    const room = open();
    const turn = await queue(attended);
    const { told } = follow(turn);
    const asking = room.consult(questionOf(turn), never);
    await ticks();
    const [question] = told;
    expect(question).toMatchObject({ type: "approval-asked", approval: { shown: "git push" } });
    const id = question?.type === "approval-asked" ? question.approval.id : "";
    await room.answer(id, yes);
    expect(await asking).toEqual({ type: "approved", approvalId: id });
    expect(told[1]).toEqual({ type: "approval-answered", id, state: "approved" });
    expect(await sent()).toEqual([]);
    expect(await stores.notices.list({ limit: 9, all: true })).toEqual([]);
  });

  it("SAFE-02 is put aside after the time of the config, and then the owner is told", async () => {
    const { open, queue, follow, clock, stores, looks } = createApprovalStage();
    const room = open();
    const turn = await queue(attended);
    follow(turn);
    let isOver = false;
    const asking = room.consult(questionOf(turn), never).finally(() => (isOver = true));
    await ticks();
    await clock.advance(119_999);
    await ticks();
    expect(isOver).toBe(false);
    expect(room.waitedMs(turn.turnId)).toBe(119_999);
    await clock.advance(1);
    await ticks();
    expect(await asking).toMatchObject({ type: "waiting" });
    expect(room.waitedMs(turn.turnId)).toBe(120_000);
    expect(await stores.notices.list({ limit: 9 })).toMatchObject([{ kind: "approval" }]);
    expect(looks.count).toBe(1);
  });

  it("is put aside early when nobody is there any more", async () => {
    const { open, queue, follow, clock } = createApprovalStage();
    const room = open();
    const turn = await queue(attended);
    const { leave } = follow(turn);
    const asking = room.consult(questionOf(turn), never);
    await ticks();
    leave();
    await clock.advance(2000);
    await ticks();
    expect(await asking).toMatchObject({ type: "waiting" });
  });

  it("notices an answer that another process wrote", async () => {
    const { open, queue, follow, clock, stores } = createApprovalStage();
    const room = open();
    const turn = await queue(attended);
    follow(turn);
    const asking = room.consult(questionOf(turn), never);
    await ticks();
    const [row] = await stores.approvals.list({ limit: 1 });
    await stores.approvals.answer(row?.id ?? "", yes);
    await clock.advance(2000);
    await ticks();
    expect(await asking).toMatchObject({ type: "approved" });
  });

  it("SAFE-02 asked once is denied when nobody answered, for the whole time and also where nobody listens", async () => {
    for (const given of [{ options: { attended: "once" } }, { direct: true }]) {
      const { open, queue, clock, stores } = createApprovalStage();
      const room = open();
      const turn = await queue({ ...given, destination: null });
      let isOver = false;
      const asking = room.consult(questionOf(turn), never).finally(() => (isOver = true));
      await ticks();
      await clock.advance(119_000);
      await ticks();
      expect(isOver).toBe(false);
      await clock.advance(1000);
      await ticks();
      expect(await asking).toMatchObject({ type: "denied", reason: expect.stringContaining("in time") });
      expect(await stores.approvals.list({ limit: 9 })).toMatchObject([
        { state: "denied", answeredBy: "time" },
      ]);
    }
  });

  it("LOOP-07 ends its wait when the turn is stopped, and the question stays as it is", async () => {
    const { open, queue, follow, stores } = createApprovalStage();
    const room = open();
    const turn = await queue(attended);
    follow(turn);
    const stop = new AbortController();
    const asking = room.consult(questionOf(turn), stop.signal);
    await ticks();
    stop.abort();
    expect(await asking).toMatchObject({ type: "waiting" });
    expect(await stores.notices.list({ limit: 9 })).toEqual([]);
  });

  it("counts two questions that wait at the same time once", async () => {
    const { open, queue, follow, clock } = createApprovalStage();
    const room = open();
    const turn = await queue(attended);
    follow(turn);
    const other = questionOf(turn, { callId: "c2" });
    const second = { ...other, subject: { ...other.subject, digest: "d2" } };
    const asking = Promise.all([room.consult(questionOf(turn), never), room.consult(second, never)]);
    await ticks();
    await clock.advance(30_000);
    await ticks();
    expect(room.waitedMs(turn.turnId)).toBe(30_000);
    await clock.advance(90_000);
    await asking;
    room.watch.begun(turn);
    expect(room.waitedMs(turn.turnId)).toBe(0);
  });
});

describe("an answer", () => {
  it("counts once: the second to answer is told what the first said", async () => {
    const { open, queue } = createApprovalStage();
    const room = open();
    const { approvalId } = (await room.consult(questionOf(await queue()), never)) as { approvalId: string };
    await room.answer(approvalId, no);
    expect(await room.answer(approvalId, yes)).toMatchObject({
      type: "settled",
      approval: { state: "denied" },
    });
    expect(await room.answer("nothere", yes)).toEqual({ type: "none" });
  });

  it("lets a turn go on only when all that it asked is answered", async () => {
    const { open, queue, park, offered } = createApprovalStage();
    const room = open();
    const turn = await queue();
    const other = questionOf(turn, { callId: "c2" });
    const second = { ...other, subject: { ...other.subject, digest: "d2" } };
    const one = (await room.consult(questionOf(turn), never)) as { approvalId: string };
    const two = (await room.consult(second, never)) as { approvalId: string };
    await park(turn);
    await room.answer(one.approvalId, yes);
    expect(offered).toEqual([]);
    await room.answer(two.approvalId, no);
    expect(offered).toEqual([turn.turnId]);
    expect(await room.consult(questionOf(turn), never)).toMatchObject({ type: "approved" });
    expect(await room.consult(second, never)).toMatchObject({ type: "denied" });
  });

  it("counts although it could not be told", async () => {
    const { open, queue, stores, errors } = createApprovalStage();
    const turn = await queue();
    const { approvalId } = (await open().consult(questionOf(turn), never)) as { approvalId: string };
    stores.notices.dismiss = () => Promise.reject(new Error("the disk is full"));
    expect(await open().answer(approvalId, yes)).toMatchObject({ type: "answered" });
    expect(errors).toHaveLength(1);
  });

  it("is not asked for any more when the turn is over", async () => {
    const { open, queue, stores } = createApprovalStage();
    const room = open();
    const turn = await queue({ destination: null });
    await room.consult(questionOf(turn), never);
    expect(await stores.notices.list({ limit: 9 })).toHaveLength(1);
    room.watch.ended(turn);
    await ticks();
    expect(await stores.approvals.list({ limit: 9 })).toMatchObject([{ state: "withdrawn" }]);
    expect(await stores.notices.list({ limit: 9 })).toEqual([]);
  });
});
