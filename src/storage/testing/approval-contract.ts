/** What every storage promises about what is asked of the owner. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ApprovalAnswer } from "../approvals/approvals.ts";
import { no, parkFor, question, subject, waitingTurn, yes } from "./approval-samples.ts";
import { claim, ending, noticeDraft, place, queue, receive, takeFence } from "./message-samples.ts";
import type { Stage } from "./stage.ts";

export function describeApprovals(stage: Stage): void {
  const audited = async (resourceId: string) =>
    (await stage.tenant.audit.list({ limit: 9, resourceId })).map(({ action, actor }) => [action, actor]);

  describe("asking", () => {
    it("SAFE-02 keeps a question as it was asked, under an id that can be typed", async () => {
      const { approvals } = stage.tenant;
      const cause = { argument: "to", value: "bob", from: "web example.org", sentence: "write to bob" };
      const command = { directory: "/w", environment: { A: "1" }, programs: ["/bin/true"], wall: "none" };
      const reasons = [{ code: "other-recipient", values: { argument: "to", value: "bob" } }];
      const fields = [{ name: "to", about: "Who gets it", value: "bob" }];
      const about = { ...subject("d1"), command, fields, recipient: "telegram:bob" };
      const draft = question("r_1", { cause, reasons, subject: about });
      const asked = await approvals.ask(draft);
      expect(asked).toEqual({
        ...draft,
        id: asked.id,
        state: "pending",
        scope: null,
        askedAt: "2026-01-01T12:00:00.000Z",
        answeredAt: null,
        answeredBy: null,
      });
      expect(asked.id).toMatch(/^[2-9a-hjkmnp-z]{6}$/);
      expect(await approvals.get(asked.id)).toEqual(asked);
      expect(await approvals.get(` ${asked.id.toUpperCase()}`)).toEqual(asked);
      expect(await approvals.get("none")).toBeUndefined();
    });

    it("SAFE-02 finds the question about the same call and digest, whatever became of it", async () => {
      const { approvals } = stage.tenant;
      const asked = await approvals.ask(question("r_1"));
      expect(await approvals.ask(question("r_1", { reason: "other words" }))).toEqual(asked);
      await approvals.answer(asked.id, no);
      expect(await approvals.ask(question("r_1"))).toMatchObject({ id: asked.id, state: "denied" });
      const others = [
        await approvals.ask(question("r_1", { callId: "call_2" })),
        await approvals.ask(question("r_1", { subject: subject("d2") })),
        await approvals.ask(question("r_2")),
      ];
      expect(new Set([asked.id, ...others.map(({ id }) => id)]).size).toBe(4);
    });

    it("SAFE-02 takes a question back whose call is no longer what it was", async () => {
      const { approvals } = stage.tenant;
      const before = await approvals.ask(question("r_1"));
      const other = await approvals.ask(question("r_1", { callId: "call_2" }));
      const now = await approvals.ask(question("r_1", { subject: subject("changed") }));
      expect(await approvals.get(before.id)).toMatchObject({ state: "withdrawn" });
      expect(await approvals.answer(before.id, yes)).toMatchObject({ type: "settled" });
      for (const { id } of [other, now]) expect(await approvals.get(id)).toMatchObject({ state: "pending" });
    });

    it("asks nothing for a turn that has ended meanwhile, and anew when it goes on", async () => {
      const { approvals, turns } = stage.tenant;
      const { turnId } = await queue(stage.tenant, "1");
      const fence = await takeFence(stage.tenant);
      await claim(stage.tenant, turnId, fence);
      const asked = await approvals.ask(question(turnId));
      await turns.end(ending(turnId, fence, { state: "failed", ending: { type: "cut" } }));
      expect(await approvals.get(asked.id)).toMatchObject({
        state: "withdrawn",
        answeredAt: "2026-01-01T12:00:00.000Z",
      });
      expect(await approvals.ask(question(turnId, { callId: "late" }))).toMatchObject({ state: "withdrawn" });
      expect(await approvals.list({ limit: 9, states: ["pending"] })).toEqual([]);

      const [input = ""] = await receive(stage.tenant, "go on");
      const session = { workspaceId: "w1", sessionKey: "main" };
      const person = { role: "peer", id: "telegram:42" } as const;
      await turns.resume({ input, session, destination: place(), person });
      const again = await approvals.ask(question(turnId));
      expect(again).toMatchObject({ state: "pending" });
      expect(again.id).not.toBe(asked.id);
      await turns.bury(turnId, { replies: [], notice: noticeDraft("x") });
      expect(await approvals.get(again.id)).toMatchObject({ state: "withdrawn" });
    });

    it("SAFE-02 leaves no open yes behind when its turn is over, and touches no other's", async () => {
      const { approvals, turns } = stage.tenant;
      const { turnId } = await queue(stage.tenant, "1");
      const fence = await takeFence(stage.tenant);
      await claim(stage.tenant, turnId, fence);
      const wide = await approvals.ask(question(turnId));
      const once = await approvals.ask(question(turnId, { callId: "call_2", subject: subject("other") }));
      const others = await approvals.ask(question("r_other"));
      for (const { id } of [once, others]) await approvals.answer(id, yes);
      await approvals.answer(wide.id, { ...yes, scope: "recipient" });
      await turns.end(ending(turnId, fence, { state: "done" }));
      const open = await approvals.list({ limit: 9, states: ["approved"] });
      expect(open.map(({ id }) => id)).toEqual([others.id]);
      expect(await approvals.get(wide.id)).toMatchObject({ state: "spent", answeredBy: "cli:owner" });
      expect(await approvals.get(once.id)).toMatchObject({ state: "withdrawn", answeredBy: "cli:owner" });
      expect(await approvals.spend(once.id)).toBe(false);
    });

    it("gives twenty that ask the same at once one question", async () => {
      const asked = await Promise.all(
        Array.from({ length: 20 }, () => stage.tenant.approvals.ask(question("r_1"))),
      );
      expect(new Set(asked.map(({ id }) => id)).size).toBe(1);
    });
  });

  describe("asking together", () => {
    const limits = { inTask: 3 };
    const drafts = (turnId: string, ...calls: string[]) =>
      calls.map((call) => question(turnId, { callId: call, subject: subject(`d_${call}`) }));
    const together = async (...calls: Parameters<typeof drafts>) =>
      (await stage.tenant.approvals.askTogether(drafts(...calls), limits)).map((outcome) =>
        outcome.type === "asked" ? outcome.approval : outcome.why,
      );
    const asked = async (...calls: Parameters<typeof drafts>) =>
      (await together(...calls)).filter((each) => typeof each !== "string");
    const states = async (turnId: string) =>
      (await stage.tenant.approvals.list({ limit: 99, turnId }))
        .map(({ callId, state }) => `${callId} ${state}`)
        .sort();

    it("puts what is new on one card, in its order, each under an id of its own", async () => {
      const { approvals } = stage.tenant;
      const [first, second, third] = await asked("r_1", "a", "b", "c");
      const card = first?.card ?? "";
      expect(card).toMatch(/^[2-9a-hjkmnp-z]{6}$/);
      expect([first, second, third]).toMatchObject([
        { id: `${card}-1`, card, callId: "a" },
        { id: `${card}-2`, card, callId: "b" },
        { id: `${card}-3`, card, callId: "c" },
      ]);
      expect(await approvals.get(`${card}-2`)).toEqual(second);
      expect(await approvals.get(card)).toBeUndefined();
      const listed = await approvals.list({ limit: 9, card });
      expect(listed.map(({ callId }) => callId)).toEqual(["c", "b", "a"]);
      // The same again, and one more: what is known keeps its card.
      const again = await asked("r_1", "a", "b", "c", "d");
      expect(again.slice(0, 3)).toEqual([first, second, third]);
      expect(again[3]).not.toHaveProperty("card");
    });

    it("is answered as a whole, one by one, or in part with a no to the rest", async () => {
      const { approvals } = stage.tenant;
      const [all] = await asked("r_1", "a", "b");
      expect(await approvals.answer(all?.card?.toUpperCase() ?? "", yes)).toMatchObject({
        type: "answered",
        approvals: [{ callId: "a" }, { callId: "b" }],
      });
      expect(await states("r_1")).toEqual(["a approved", "b approved"]);

      const [some] = await asked("r_2", "a", "b", "c");
      const card = some?.card ?? "";
      expect(await approvals.answer(card, { ...yes, only: [1, 7] })).toMatchObject({
        type: "no-number",
        number: 7,
      });
      expect(await approvals.answer(card, { ...yes, only: [3, 1] })).toMatchObject({ type: "answered" });
      expect(await states("r_2")).toEqual(["a approved", "b denied", "c approved"]);
      expect(await approvals.answer(card, yes)).toMatchObject({ type: "settled" });

      const [none] = await asked("r_3", "a", "b", "c");
      await approvals.answer(`${none?.card}-2`, yes);
      expect(await approvals.answer(none?.card ?? "", no)).toMatchObject({
        approvals: [{ callId: "a" }, { callId: "c" }],
      });
      expect(await states("r_3")).toEqual(["a denied", "b approved", "c denied"]);
    });

    it("takes a wider yes for all of a card or none, and not for what the same answer denies", async () => {
      const { approvals } = stage.tenant;
      const narrow = { scopes: ["once" as const], keys: {} };
      const [one] = await approvals.askTogether(
        [question("r_1"), question("r_1", { callId: "b", subject: subject("d2"), ...narrow })],
        limits,
      );
      const card = (one?.type === "asked" && one.approval.card) || "";
      expect(await approvals.answer(card, { ...yes, scope: "task" })).toMatchObject({ type: "no-scope" });
      expect(await states("r_1")).toEqual(["b pending", "call_1 pending"]);
      expect(await approvals.listGrants({ limit: 9 })).toEqual([]);

      const [alike] = await asked("r_2", "a", "b");
      await approvals.answer(alike?.card ?? "", { ...yes, scope: "task", only: [1] });
      expect(await states("r_2")).toEqual(["a approved", "b denied"]);
    });

    it("wakes the turn when nothing of the card is open", async () => {
      const { approvals, turns } = stage.tenant;
      const { turnId } = await queue(stage.tenant, "1");
      const fence = await takeFence(stage.tenant);
      await claim(stage.tenant, turnId, fence);
      const [first] = await asked(turnId, "a", "b");
      await turns.park({ turnId, fence, state: "waiting", reason: "approval" });
      expect(await approvals.answer(`${first?.card}-1`, yes)).toMatchObject({ turn: undefined });
      expect(await approvals.answer(first?.card ?? "", no)).toMatchObject({ turn: { turnId } });
      expect(await turns.get(turnId)).toMatchObject({ state: "queued" });
    });

    it("asks no more cards than the task may show, over all turns that work for it", async () => {
      const { approvals } = stage.tenant;
      expect(await asked("r_1", "a", "b")).toHaveLength(2);
      expect(await asked("r_1", "c")).toHaveLength(1);
      const child = { ...question("r_child", { callId: "d" }), taskId: "r_1" };
      expect(await approvals.askTogether([child], limits)).toMatchObject([
        { type: "asked", approval: { turnId: "r_child", taskId: "r_1" } },
      ]);
      // What was asked before is found; what is new is not asked.
      expect(await together("r_1", "a", "e")).toMatchObject([{ callId: "a" }, "cards-spent"]);
      expect(await together("r_2", "e")).toMatchObject([{ callId: "e" }]);
      expect(await approvals.list({ limit: 9, taskId: "r_1" })).toHaveLength(4);
    });

    it("leaves a session its one open card, where that is the limit", async () => {
      const { approvals } = stage.tenant;
      const one = { inTask: 3, openInSession: 1 };
      const ask = async (turnId: string, sessionKey: string) =>
        (await approvals.askTogether([question(turnId, { sessionKey })], one))[0];
      const first = await ask("r_1", "main");
      expect(await ask("r_2", "main")).toEqual({ type: "not-asked", why: "cards-open" });
      expect(await ask("r_3", "other")).toMatchObject({ type: "asked" });
      await approvals.answer(first?.type === "asked" ? first.approval.id : "", no);
      expect(await ask("r_2", "main")).toMatchObject({ type: "asked" });
    });

    it("gives each call of a card its own yes, whatever is answered in whatever order", async () => {
      const { approvals } = stage.tenant;
      const step = fc.record({
        about: fc.constantFrom("card", "1", "2", "3"),
        verdict: fc.constantFrom("approved" as const, "denied" as const),
        only: fc.option(fc.subarray([1, 2, 3], { minLength: 1 }), { nil: undefined }),
      });
      let turns = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 5 }), async (steps) => {
          const turnId = `r_cards${turns++}`;
          const [first] = await asked(turnId, "a", "b", "c");
          const card = first?.card ?? "";
          const said = new Map<number, boolean>();
          for (const { about, verdict, only } of steps) {
            const id = about === "card" ? card : `${card}-${about}`;
            const meant = about === "card" ? [1, 2, 3] : [Number(about)];
            const open = meant.filter((number) => !said.has(number));
            const { type } = await approvals.answer(id, { verdict, scope: "once", by: "cli:owner", only });
            const isWrong = open.length === 0 || only?.some((number) => !open.includes(number)) === true;
            expect(type === "answered").toBe(!isWrong);
            if (isWrong) continue;
            for (const number of open)
              said.set(number, verdict === "approved" && (only?.includes(number) ?? true));
          }
          for (const number of [1, 2, 3]) {
            expect(await approvals.spend(`${card}-${number}`)).toBe(said.get(number) === true);
            expect(await approvals.spend(`${card}-${number}`)).toBe(false);
          }
        }),
        { numRuns: 30 },
      );
    });
  });

  describe("answering", () => {
    it("SAFE-02 SAFE-09 notes who said what, in whatever case it was typed, and leaves an audit record without the words", async () => {
      const { approvals, audit } = stage.tenant;
      const asked = await approvals.ask(question("r_1"));
      await stage.clock.advance(5000);
      const approval = {
        ...asked,
        state: "approved",
        scope: "once",
        answeredAt: "2026-01-01T12:00:05.000Z",
        answeredBy: "cli:owner",
      };
      expect(await approvals.answer(asked.id.toUpperCase(), yes)).toEqual({
        type: "answered",
        approval,
        approvals: [approval],
        turn: undefined,
      });
      const refused = await approvals.ask(question("r_2"));
      expect(await approvals.answer(refused.id, { ...no, scope: "task" })).toMatchObject({
        type: "answered",
        approval: { state: "denied", scope: null, answeredBy: "telegram:1" },
      });
      const records = (await audit.list({ limit: 9 })).filter(({ action }) => action !== "approval-ask");
      expect(records).toHaveLength(2);
      expect(records).toEqual(
        expect.arrayContaining([
          expect.objectContaining({
            action: "approval-approve",
            actor: "cli:owner",
            resourceType: "approval",
            resourceId: asked.id,
            metadata: { tool: "message", agentId: "main", turnId: "r_1", scope: "once", digest: "d1" },
          }),
          expect.objectContaining({ action: "approval-deny", actor: "telegram:1", resourceId: refused.id }),
        ]),
      );
      expect(JSON.stringify(records)).not.toMatch(/bob|secret|words/);
      expect(await approvals.listGrants({ limit: 9 })).toEqual([]);
    });

    it("SAFE-02 counts the first answer only", async () => {
      const { approvals } = stage.tenant;
      const { id } = await approvals.ask(question("r_1"));
      const outcomes = await Promise.all([yes, no, yes, no].map((each) => approvals.answer(id, each)));
      expect(outcomes.map(({ type }) => type)).toEqual(["answered", "settled", "settled", "settled"]);
      expect(await approvals.get(id)).toMatchObject({ state: "approved", answeredBy: "cli:owner" });
      expect(await audited(id)).toEqual([
        ["approval-approve", "cli:owner"],
        ["approval-ask", "agent:main"],
      ]);
      expect(await approvals.answer("none", yes)).toEqual({ type: "none" });
    });

    it("X28 takes no answer that comes too late, also before anybody has noted that", async () => {
      const { approvals } = stage.tenant;
      const { turnId, approval } = await waitingTurn(stage.tenant, "1", {
        question: { expiresAt: "2026-01-01T12:00:10.000Z" },
      });
      await stage.clock.advance(10_000);
      expect(await approvals.answer(approval.id, yes)).toMatchObject({
        type: "settled",
        approval: { state: "expired" },
      });
      expect(await approvals.spend(approval.id)).toBe(false);
      expect(await stage.tenant.turns.get(turnId)).toMatchObject({ state: "waiting" });
    });

    it("SAFE-02 refuses a scope that was not offered, and changes nothing", async () => {
      const { approvals } = stage.tenant;
      const { turnId, approval } = await waitingTurn(stage.tenant, "1", {
        question: { scopes: ["once", "task", "recipient"], keys: { task: "t", shape: "git push" } },
      });
      for (const scope of ["recipient", "shape"] as const)
        expect(await approvals.answer(approval.id, { ...yes, scope })).toEqual({
          type: "no-scope",
          approval,
        });
      expect(await approvals.get(approval.id)).toEqual(approval);
      expect(await approvals.listGrants({ limit: 9 })).toEqual([]);
      expect(await stage.tenant.turns.get(turnId)).toMatchObject({ state: "waiting" });
      expect(await audited(approval.id)).toEqual([["approval-ask", "agent:main"]]);
    });
  });

  describe("using an approval", () => {
    it("SAFE-02 lets it be spent once, by one of many, and only when it was given", async () => {
      const { approvals } = stage.tenant;
      const { id } = await approvals.ask(question("r_1"));
      expect(await approvals.spend(id)).toBe(false);
      await approvals.answer(id, yes);
      const spent = await Promise.all(Array.from({ length: 10 }, () => approvals.spend(id)));
      expect(spent.filter(Boolean)).toHaveLength(1);
      expect(await approvals.get(id)).toMatchObject({ state: "spent", answeredBy: "cli:owner" });
      expect(await approvals.spend(id)).toBe(false);
      const denied = await approvals.ask(question("r_2"));
      await approvals.answer(denied.id, no);
      expect(await approvals.spend(denied.id)).toBe(false);
      expect(await approvals.spend("none")).toBe(false);
    });

    it("SAFE-02 runs nothing that nobody said yes to, in whatever order things happen", async () => {
      const { approvals } = stage.tenant;
      const step = fc.constantFrom("ask", "yes", "no", "spend", "expire", "withdraw", "wait");
      let turns = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
          const turnId = `r_law${turns++}`;
          const at = (hours: number) => new Date(stage.clock.now() + hours * 3_600_000).toISOString();
          const draft = question(turnId, { expiresAt: at(2) });
          const { id } = await approvals.ask(draft);
          const answers: string[] = [];
          let spent = 0;
          const say = async (answer: ApprovalAnswer) => {
            const { type } = await approvals.answer(id, answer);
            if (type === "answered") answers.push(answer.verdict);
          };
          for (const each of steps) {
            if (each === "ask") await approvals.ask(draft);
            if (each === "yes") await say(yes);
            if (each === "no") await say(no);
            if (each === "spend") spent += (await approvals.spend(id)) ? 1 : 0;
            if (each === "expire") await approvals.expire(at(0), 99);
            if (each === "withdraw") await approvals.withdraw(turnId);
            if (each === "wait") await stage.clock.advance(3_600_000);
          }
          expect(answers.length).toBeLessThanOrEqual(1);
          expect(spent).toBeLessThanOrEqual(answers[0] === "approved" ? 1 : 0);
        }),
        { numRuns: 30 },
      );
    });
  });

  describe("questions that nobody answers", () => {
    it("X28 expire, oldest first, and wake their turns", async () => {
      const { approvals, turns } = stage.tenant;
      const late = { expiresAt: "2026-01-01T12:00:20.000Z" };
      const first = await waitingTurn(stage.tenant, "1", {
        question: { expiresAt: "2026-01-01T12:00:10.000Z" },
      });
      const second = await waitingTurn(stage.tenant, "2", { question: late });
      const kept = await waitingTurn(stage.tenant, "3");
      expect(await approvals.expire("2026-01-01T12:00:09.999Z", 9)).toEqual({ approvals: [], turns: [] });
      const now = "2026-01-01T12:01:00.000Z";
      expect(await approvals.expire(now, 1)).toMatchObject({
        approvals: [{ id: first.approval.id, state: "expired", answeredBy: "time", answeredAt: now }],
        turns: [{ turnId: first.turnId, state: "queued" }],
      });
      expect(await approvals.expire(now, 9)).toMatchObject({
        approvals: [{ id: second.approval.id }],
        turns: [{ turnId: second.turnId }],
      });
      expect(await turns.get(kept.turnId)).toMatchObject({ state: "waiting" });
      expect(await audited(first.approval.id)).toEqual([
        ["approval-expire", "time"],
        ["approval-ask", "agent:main"],
      ]);
      expect(await approvals.answer(first.approval.id, yes)).toMatchObject({ type: "settled" });
    });

    it("are withdrawn for a turn that is over, and never for one that waits", async () => {
      const { approvals } = stage.tenant;
      const asked = await approvals.ask(question("r_gone"));
      await approvals.ask(question("r_gone", { callId: "call_2" }));
      expect(await approvals.withdraw("r_gone")).toBe(2);
      expect(await approvals.withdraw("r_gone")).toBe(0);
      expect(await approvals.get(asked.id)).toMatchObject({ state: "withdrawn", answeredBy: null });
      const { turnId, approval } = await waitingTurn(stage.tenant, "1");
      expect(await approvals.withdraw(turnId)).toBe(0);
      expect(await approvals.get(approval.id)).toMatchObject({ state: "pending" });
    });
  });

  describe("lists of questions", () => {
    it("SAFE-02 show open ones first, then the newest, of one turn or session or state", async () => {
      const { approvals } = stage.tenant;
      const ask = async (turnId: string, sessionKey = "main") =>
        (await approvals.ask(question(turnId, { sessionKey }))).id;
      const [a, b, c, d] = [await ask("r_1"), await ask("r_2"), await ask("r_3", "other"), await ask("r_4")];
      await approvals.answer(d, no);
      await approvals.answer(b, yes);
      const ids = async (query: Parameters<typeof approvals.list>[0]) =>
        (await approvals.list(query)).map(({ id }) => id);
      expect(await ids({ limit: 9 })).toEqual([c, a, d, b]);
      expect(await ids({ limit: 3 })).toEqual([c, a, d]);
      expect(await ids({ limit: 1 })).toEqual([c]);
      expect(await ids({ limit: 9, states: ["approved", "denied"] })).toEqual([d, b]);
      expect(await ids({ limit: 9, sessionKey: "main" })).toEqual([a, d, b]);
      expect(await ids({ limit: 9, turnId: "r_2" })).toEqual([b]);
      expect(await ids({ limit: 9, states: [] })).toEqual([]);
    });

    it("TEN-01 are a tenant's own", async () => {
      const { id } = await stage.tenant.approvals.ask(question("r_1"));
      const rival = stage.stores.tenant("rival").approvals;
      expect(await rival.get(id)).toBeUndefined();
      expect(await rival.answer(id, yes)).toEqual({ type: "none" });
      expect(await rival.list({ limit: 9 })).toEqual([]);
      expect(await rival.expire("2030-01-01T00:00:00.000Z", 9)).toEqual({ approvals: [], turns: [] });
      expect(await rival.withdraw("r_1")).toBe(0);
      expect((await rival.ask(question("r_1"))).id).not.toBe(id);
      await stage.tenant.approvals.answer(id, yes);
      expect(await rival.spend(id)).toBe(false);
      expect(await rival.prune("2030-01-01T00:00:00.000Z", 9)).toBe(0);
    });

    it("lose what was settled before, but for what an open turn may still look at", async () => {
      const { approvals } = stage.tenant;
      const settle = async (turnId: string) => {
        const { id } = await approvals.ask(question(turnId));
        await approvals.answer(id, yes);
        return id;
      };
      const [old, next] = [await settle("r_1"), await settle("r_2")];
      const fence = await takeFence(stage.tenant);
      const { turnId } = await queue(stage.tenant, "1");
      await claim(stage.tenant, turnId, fence);
      const needed = await settle(turnId);
      const { id: open } = await approvals.ask(question("r_3"));
      await stage.clock.advance(1000);
      const late = await settle("r_4");
      const before = "2026-01-01T12:00:01.000Z";
      expect(await approvals.prune(before, 1)).toBe(1);
      expect(await approvals.prune(before, 9)).toBe(1);
      expect(await approvals.prune(before, 9)).toBe(0);
      for (const id of [old, next]) expect(await approvals.get(id)).toBeUndefined();
      for (const id of [needed, open, late]) expect(await approvals.get(id)).toBeDefined();
    });

    it("keep the second of two questions of a turn that parks for both", async () => {
      const { turnId } = await queue(stage.tenant, "1");
      const fence = await takeFence(stage.tenant);
      await claim(stage.tenant, turnId, fence);
      const { approvals } = stage.tenant;
      const { id } = await approvals.ask(question(turnId));
      await parkFor(stage.tenant, turnId, fence, { callId: "call_2" });
      await approvals.answer(id, yes);
      expect(await approvals.list({ limit: 9, turnId, states: ["pending"] })).toMatchObject([
        { callId: "call_2" },
      ]);
    });
  });
}
