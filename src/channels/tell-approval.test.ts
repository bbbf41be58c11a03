import { describe, expect, it } from "vitest";
import { createSay } from "../infra/texts.ts";
import { createApprovalStage, destination, questionOf } from "./testing/approval-stage.ts";
import { approvalNotices } from "./tell-approval.ts";

const never = new AbortController().signal;
const yes = { verdict: "approved", scope: "once", by: "cli:owner" } as const;
const peer = { role: "peer" as const, id: "fake:7", name: "Ann" };

async function asking(given: Parameters<ReturnType<typeof createApprovalStage>["queue"]>[0] = {}) {
  const stage = createApprovalStage();
  stage.redactor.add("push-key", "hunter2hunter2");
  const room = stage.open();
  const turn = await stage.queue(given);
  const question = questionOf(turn);
  const shown = "git push https://hunter2hunter2@host";
  const answer = await room.consult({ ...question, subject: { ...question.subject, shown } }, never);
  const { approvalId: id } = answer as { approvalId: string };
  return { ...stage, room, turn, id };
}

describe("the owner's own turn", () => {
  it("SAFE-02 asks where they wrote, in words and with something to press", async () => {
    const { sent, id, stores } = await asking();
    const [row, ...more] = await sent();
    expect(more).toEqual([]);
    expect(row).toMatchObject({ destination, kind: "approval", turnId: expect.any(String) });
    for (const part of ["/home/me", "A=1", "/usr/bin/git", "it writes to a host", "Push to origin now."])
      expect(row?.text).toContain(part);
    expect(row?.actions?.map(({ send }) => send)).toEqual([
      `/approve ${id} once`,
      `/approve ${id} task`,
      `/approve ${id} shape`,
      `/deny ${id}`,
    ]);
    expect(row?.text).toContain(`/approve ${id} once|task|shape`);
    expect(await stores.notices.list({ limit: 9 })).toEqual([]);
  });

  it("SEC-02 shows no secret", async () => {
    const [row] = await (await asking()).sent();
    expect(row?.text).toContain("git push https://[secret:push-key]@host");
  });

  it("is worth asking for as long as it can be answered", async () => {
    const { sent, stores, id } = await asking();
    expect((await sent())[0]?.notAfter).toBe((await stores.approvals.get(id))?.expiresAt);
  });

  it("says there who answered elsewhere, once, and nothing to the person who answered there", async () => {
    const elsewhere = await asking();
    await elsewhere.room.answer(elsewhere.id, yes);
    const texts = (await elsewhere.sent()).map(({ text }) => text);
    expect(texts.slice(1)).toEqual([`${elsewhere.id}: approved once by cli:owner.`]);
    const here = await asking();
    await here.room.answer(here.id, { ...yes, by: "fake:42" });
    expect(await here.sent()).toHaveLength(1);
  });
});

describe("somebody else's turn", () => {
  it("SAFE-02 tells them only that the owner was asked, once in a turn, and the owner what it is about", async () => {
    const { sent, stores, room, turn, id } = await asking({ person: peer });
    const question = questionOf(turn, { callId: "c2" });
    await room.consult({ ...question, subject: { ...question.subject, digest: "d2" } }, never);
    const rows = await sent();
    expect(rows).toHaveLength(1);
    expect(rows[0]?.text).toContain("ask my owner");
    expect(rows[0]?.text).not.toContain("git");
    expect(rows[0]?.actions).toBeUndefined();
    const notices = await stores.notices.list({ limit: 9 });
    expect(notices.map(({ kind }) => kind)).toEqual(["approval", "approval"]);
    expect(notices.map(({ subject }) => subject)).toContain(`approval:${id}`);
  });

  it("does not tell them how the owner answered, and the notice goes", async () => {
    const { sent, stores, room, id } = await asking({ person: peer });
    await room.answer(id, yes);
    expect(await sent()).toHaveLength(1);
    expect(await stores.notices.list({ limit: 9 })).toEqual([]);
  });

  it("is told to the owner in the same words and with the same to press, as long as it is open", async () => {
    const { stores, redactor, room, id } = await asking({ person: peer });
    const wordsOf = approvalNotices({ approvals: stores.approvals, redactor, say: createSay("zh") });
    const notice = { kind: "approval", subject: `approval:${id}` };
    const words = await wordsOf(notice);
    expect(words).toMatchObject({ text: expect.stringContaining("[secret:push-key]") });
    expect(words).toMatchObject({
      actions: expect.arrayContaining([{ label: "拒绝", send: `/deny ${id}` }]),
    });
    await room.answer(id, yes);
    expect(await wordsOf(notice)).toBe("settled");
    expect(await wordsOf({ kind: "dead-letter", subject: "turn:1" })).toBeUndefined();
  });
});
