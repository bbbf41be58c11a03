/**
 * A call that needs approval, and processes that die at any moment: before the question, between the yes and the
 * call, after it.
 */
import { noUsage, textOf, toolFailure, type ToolCallBlock } from "@pincer/sdk";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { createRunnerStage } from "../../agent/testing/runner-stage.ts";
import { createTurnRunner } from "../../agent/turn-runner.ts";
import { defaultConfig } from "../../config/default-config.ts";
import { createSessionLeases } from "../../storage/sessions/session-lease.ts";
import type { TurnRecord } from "../../storage/turns/turns.ts";
import { createRunEvents } from "../../agent/turns/run-events.ts";
import { createApprovals } from "./create-approvals.ts";
import { tellNobody } from "./create-approvals.ts";
import type { CallRound } from "../call-round.ts";
import { numberOn } from "../../storage/approvals/approval-row.ts";
import type { ApprovalRecord } from "../../storage/approvals/approvals.ts";

/** Dies at its n-th call to the storage, before or after the write. */
interface End {
  at: number;
  how: "before" | "after";
}

type Verdict = "approved" | "denied";

/**
 * One turn with answers whose calls share ids and need approval; one process after the other runs it. `together`: all
 * calls are of one answer.
 */
function stage(verdicts: readonly Verdict[], { idempotent = false, alike = false, together = false } = {}) {
  const opened = createRunnerStage();
  const { stores, setup, clock } = opened;
  const ran: string[] = [];
  let life = 0;
  setup.model = {
    provider: "p",
    id: "m",
    async *stream({ messages }) {
      const step = messages.filter(({ role }) => role === "toolResult").length;
      const callOf = (at: number): ToolCallBlock => ({
        type: "toolCall",
        id: together ? `call ${at}` : "same",
        name: "send",
        arguments: { step: alike ? 0 : at },
      });
      const calls = together ? verdicts.map((_, at) => callOf(at)) : [callOf(step)];
      const isLast = step === verdicts.length;
      yield {
        type: "end",
        message: {
          role: "assistant",
          content: isLast ? [{ type: "text", text: "done" }] : calls,
          provider: "p",
          model: "m",
          usage: noUsage(),
          stopReason: isLast ? "stop" : "toolUse",
        },
      };
    },
  };

  async function live(turn: TurnRecord, end: End | undefined): Promise<void> {
    const own = ++life;
    const death = Promise.withResolvers<never>();
    const gone = new Promise<never>(() => {});
    let words = 0;
    let isAlive = true;
    const die = () => {
      isAlive = false;
      death.reject(new Error("gone"));
      return gone;
    };
    const through =
      (verb: (...request: unknown[]) => Promise<unknown>) =>
      async (...request: unknown[]): Promise<unknown> => {
        if (!isAlive) return gone;
        const isNow = ++words === end?.at;
        if (isNow && end.how === "before") return die();
        const result = await verb(...request);
        return isNow ? die() : isAlive ? result : gone;
      };
    const mortal = <Store extends object>(store: Store): Store =>
      Object.fromEntries(
        Object.entries(store).map(([name, verb]) => [name, through(verb as never)]),
      ) as unknown as Store;
    const turns = mortal(stores.turns);
    const room = createApprovals({
      approvals: mortal(stores.approvals),
      turns,
      clock,
      config: () => defaultConfig,
      redactor: opened.redactor,
      events: createRunEvents(),
      telling: tellNobody,
      offer: () => {},
      onError: () => {},
    });
    const tools = {
      ...setup.tools,
      isIdempotent: () => idempotent,
      acts: () => !idempotent,
      async admit(call: ToolCallBlock, signal: AbortSignal, asking?: "nobody" | CallRound) {
        const digest = JSON.stringify(call.arguments);
        const subject = { tool: "send", call, shown: "send", digest };
        const why = { reason: "r", rule: "r", scopes: ["once" as const], keys: {} };
        const question = { callId: call.id, subject, ...why };
        const all = asking === undefined || asking === "nobody" ? [question] : await asking.join(question);
        const said = await room.consult({ turn, ...question }, signal, all);
        if (said.type === "waiting") return { type: "pause" as const, approvalId: said.approvalId };
        if (said.type === "denied" || said.type === "not-asked") {
          const result = toolFailure("execution_error", `Denied: ${said.reason}`);
          return { type: "refused" as const, result };
        }
        return {
          type: "run" as const,
          async run() {
            if (!(await room.spend(said.approvalId))) return toolFailure("execution_error", "used up");
            if (!isAlive) return gone;
            ran.push(digest);
            return { ok: true, content: [{ type: "text" as const, text: "did" }], usage: { durationMs: 0 } };
          },
        };
      },
    };
    const leases = createSessionLeases({
      leases: stores.leases,
      clock,
      holder: { id: `process ${own}`, pid: own, host: "here", processStart: "" },
      isAlive: () => false,
    });
    const run = createTurnRunner({ ...opened.parts, turns, leases, setUp: () => ({ ...setup, tools }) });
    await Promise.race([run(turn, opened.never), death.promise]).catch((error: unknown) => {
      if (isAlive) throw error;
    });
  }

  const verdictOf = ({ subject }: ApprovalRecord): Verdict =>
    verdicts[Number((JSON.parse(subject.digest) as { step: number }).step)] ?? "denied";

  /** All that waits on the card at once, by its numbers. */
  async function answerCard(): Promise<void> {
    const waiting = await stores.approvals.list({ limit: 9, states: ["pending"] });
    const card = waiting[0]?.card;
    if (card === undefined) return answerAll();
    const only = waiting.filter((each) => verdictOf(each) === "approved").map(numberOn);
    const answer = only.length > 0 ? { verdict: "approved" as const, only } : { verdict: "denied" as const };
    await stores.approvals.answer(card, { scope: "once", by: "me", ...answer });
  }

  async function answerAll(): Promise<void> {
    for (const { id, subject } of await stores.approvals.list({ limit: 9, states: ["pending"] })) {
      const step = Number((JSON.parse(subject.digest) as { step: number }).step);
      const verdict = verdicts[step] ?? "denied";
      await stores.approvals.answer(id, { verdict, scope: "once", by: "me" });
    }
  }

  async function toTheEnd(ends: ReadonlyArray<End | undefined>): Promise<string[]> {
    const { turnId } = await opened.queue("go");
    for (let at = 0; at < 60; at++) {
      const turn = await stores.turns.get(turnId);
      if (!turn) throw new Error("the turn is gone");
      if (turn.ending) {
        const said = await opened.said(turnId);
        return said.filter(({ role }) => role === "toolResult").map(textOf);
      }
      if (turn.state === "waiting") await (together ? answerCard() : answerAll());
      else await live(turn, ends[at]);
    }
    throw new Error("it does not end");
  }
  const listed = () => stores.approvals.list({ limit: 99 });
  const asked = async () => (await listed()).length;
  const cards = async () => new Set((await listed()).map(({ id, card }) => card ?? id)).size;
  return { ran, asked, cards, toTheEnd };
}

const anEnd = fc.record({
  at: fc.integer({ min: 1, max: 14 }),
  how: fc.constantFrom("before" as const, "after" as const),
});

it("SAFE-02 an approved call runs at most once and a denied one never, whenever processes end", async () => {
  const verdict = fc.constantFrom("approved" as const, "denied" as const);
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(verdict, verdict),
      fc.array(anEnd, { maxLength: 6 }),
      async (verdicts, ends) => {
        const { ran, toTheEnd } = stage(verdicts);
        const results = await toTheEnd(ends);
        expect(results).toHaveLength(2);
        for (const [step, said] of verdicts.entries()) {
          const times = ran.filter((digest) => digest === JSON.stringify({ step })).length;
          const result = results[step] ?? "";
          // An unknown outcome is reported as unknown; a known one is right.
          const isUnknown = result.includes("outcome unknown");
          const expected = said === "denied" ? { result: /Denied/, most: 0 } : { result: /^did$/, most: 1 };
          expect(times).toBeLessThanOrEqual(expected.most);
          expect(isUnknown && said === "approved" ? "did" : result).toMatch(expected.result);
          expect(isUnknown || times === expected.most).toBe(true);
        }
      },
    ),
    { numRuns: 12 },
  );
}, 30_000);

it("calls that are asked together are one card, and each runs at most once by its own yes, whenever processes end", async () => {
  const verdict = fc.constantFrom("approved" as const, "denied" as const);
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(verdict, verdict, verdict),
      fc.array(anEnd, { maxLength: 6 }),
      fc.boolean(),
      async (verdicts, ends, idempotent) => {
        const { ran, asked, cards, toTheEnd } = stage(verdicts, { together: true, idempotent });
        const results = await toTheEnd(ends);
        expect(results).toHaveLength(3);
        expect([await asked(), await cards()]).toEqual([3, 1]);
        for (const [step, said] of verdicts.entries()) {
          const times = ran.filter((digest) => digest === JSON.stringify({ step })).length;
          const most = said === "denied" ? 0 : idempotent ? Infinity : 1;
          expect(times).toBeLessThanOrEqual(most);
        }
        const count = (pattern: RegExp) => results.filter((result) => pattern.test(result)).length;
        const denied = verdicts.filter((said) => said === "denied").length;
        // An unknown outcome is reported as unknown; a known one is right.
        expect(count(/Denied/)).toBe(denied);
        expect(count(/^did$/) + count(/outcome unknown/)).toBe(3 - denied);
      },
    ),
    { numRuns: 25 },
  );
}, 60_000);

it("SAFE-02 an approved call that may be repeated is run to its end with the yes that it has, whenever processes end", async () => {
  const verdict = fc.constantFrom("approved" as const, "denied" as const);
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(verdict, verdict),
      fc.array(anEnd, { maxLength: 6 }),
      async (verdicts, ends) => {
        const { ran, asked, toTheEnd } = stage(verdicts, { idempotent: true });
        const results = await toTheEnd(ends);
        expect(results).toHaveLength(2);
        expect(await asked()).toBe(2);
        for (const [step, said] of verdicts.entries()) {
          const isRun = ran.includes(JSON.stringify({ step }));
          expect(isRun).toBe(said === "approved");
          expect(results[step]).toMatch(said === "approved" ? /^did$/ : /Denied/);
        }
      },
    ),
    { numRuns: 12 },
  );
}, 30_000);

it("SAFE-02 a call that may be repeated is asked about once, and one that is made again as often as it is made", async () => {
  for (const how of ["before", "after"] as const) {
    for (let at = 1; at <= 16; at++) {
      for (const process of [2, 4]) {
        const { ran, asked, toTheEnd } = stage(["approved", "approved"], { idempotent: true, alike: true });
        // Alternates: a process asks, the owner answers.
        const ends = Array.from({ length: process }, () => undefined);
        expect(await toTheEnd([...ends, { at, how }])).toEqual(["did", "did"]);
        expect(await asked()).toBe(2);
        expect(ran.length).toBeGreaterThanOrEqual(2);
        expect(ran.length).toBeLessThanOrEqual(3);
      }
    }
  }
}, 30_000);

it("SAFE-02 an approved call runs at most once when the process that goes on with it ends at any word", async () => {
  for (const how of ["before", "after"] as const) {
    for (let at = 1; at <= 9; at++) {
      const { ran, toTheEnd } = stage(["approved"]);
      // The first process asks, the owner answers, the second one dies.
      const [result] = await toTheEnd([undefined, undefined, { at, how }]);
      expect(result).toMatch(/^did$|outcome unknown/);
      expect(ran.length).toBeLessThanOrEqual(1);
      expect(result !== "did" || ran.length === 1).toBe(true);
    }
  }
}, 30_000);
