/** What every storage promises about turns that go on after they stopped short. */
import { describe, expect, it } from "vitest";
import type { ResumeTurn, TurnEndingRecord } from "../turns/turns.ts";
import { noTotals } from "../usage/usage.ts";
import { claim, draft, ending, entriesFor, place, queue, receive, takeFence } from "./message-samples.ts";
import { request, texts } from "./samples.ts";
import type { Stage } from "./stage.ts";
import { addUsage, someCall } from "./add-usage.ts";

export function describeResumedTurns(stage: Stage): void {
  const wish = (input: ResumeTurn["input"], more: Partial<ResumeTurn> = {}): ResumeTurn => ({
    input,
    session: { workspaceId: "w1", sessionKey: "main" },
    destination: place(),
    person: { role: "peer", id: "telegram:42" },
    ...more,
  });
  /** A turn that has ended like this, with one line. */
  const stopped = async (how: TurnEndingRecord, more: Parameters<typeof queue>[2] = {}) => {
    const fence = await takeFence(stage.tenant);
    const { turnId } = await queue(stage.tenant, `asked-${how.type}`, more);
    await claim(stage.tenant, turnId, fence);
    const replies = [draft("stopped", { turnId, dedupeKey: "stopped" })];
    const { outbox } = await stage.tenant.turns.end(
      ending(turnId, fence, { state: "failed", ending: how, replies }),
    );
    return { turnId, fence, outbox };
  };
  const limit = { type: "step-limit", steps: 3 } as const;

  describe("going on with a turn", () => {
    it.each<TurnEndingRecord>([
      limit,
      { type: "budget", reason: "no money" },
      { type: "repeated-calls", tool: "look", times: 3 },
      { type: "model-failed", reason: "down" },
      { type: "cut" },
      { type: "failed", code: "model/not-found", reason: "no such model" },
      { type: "failed", code: "config/bad-value", reason: "not in the config" },
    ])(
      "LOOP-05 queues the newest turn again that ended with $type, and its words are the next",
      async (how) => {
        const { turnId, fence } = await stopped(how);
        const [input = ""] = await receive(stage.tenant, "go on");
        await stage.clock.advance(1000);
        const outcome = await stage.tenant.turns.resume(wish(input));
        expect(outcome).toMatchObject({
          type: "resumed",
          turn: {
            turnId,
            state: "queued",
            claims: 0,
            ending: null,
            endedAt: null,
            startedAt: null,
            options: { continued: { seq: 3 } },
          },
        });
        expect(await stage.tenant.turns.pending({ limit: 9 })).toMatchObject([{ turnId }]);
        const again = await claim(stage.tenant, turnId, fence);
        expect(texts(again.entries)).toEqual(["words of asked-" + how.type, "answer"]);
        expect(again.turn.startedAt).toBe("2026-01-01T12:00:01.000Z");
        const taken = await stage.tenant.turns.takeInputs({ turnId, fence, entriesFor });
        expect(texts(taken)).toEqual(["words of go on"]);
        await stage.tenant.turns.end(ending(turnId, fence));
        expect(texts(await stage.tenant.turns.entries(turnId))).toEqual([
          "words of asked-" + how.type,
          "answer",
          "words of go on",
          "answer",
        ]);
        const steps = (await stage.tenant.turns.journal(turnId)).map(({ type }) => type);
        expect(steps).toEqual(["claimed", "ended", "continued", "claimed", "steered", "ended"]);
      },
    );

    it("LOOP-05 says again what it said when it stopped, should it stop again", async () => {
      const { turnId, fence } = await stopped(limit);
      const [input = ""] = await receive(stage.tenant, "go on");
      await stage.tenant.turns.resume(wish(input));
      await claim(stage.tenant, turnId, fence);
      const replies = [draft("stopped", { turnId, dedupeKey: "stopped" })];
      const { outbox } = await stage.tenant.turns.end(ending(turnId, fence, { replies }));
      expect(outbox).toMatchObject([{ text: "stopped", state: "queued" }]);
    });

    it("MODEL-05 counts what the turn uses anew, and what the session uses on", async () => {
      const { turnId } = await stopped(limit);
      const { usage } = stage.tenant;
      await addUsage(usage, someCall({ turnId }));
      const [input = ""] = await receive(stage.tenant, "go on");
      await stage.tenant.turns.resume(wish(input));
      expect(await usage.totals({ type: "turn", turnId })).toEqual(noTotals());
      expect(await usage.totals({ type: "session", sessionId: "s_1" })).toMatchObject({ calls: 1 });
      expect(await usage.list({ limit: 9, turnId })).toHaveLength(1);
    });

    it("goes on once for one message, however often it is asked", async () => {
      const { turnId } = await stopped(limit);
      const [input = ""] = await receive(stage.tenant, "go on");
      await stage.tenant.turns.resume(wish(input));
      expect(await stage.tenant.turns.resume(wish(input))).toMatchObject({ type: "settled", turnId });
      expect(await stage.tenant.turns.inputs(turnId)).toHaveLength(2);
    });

    it("PROTO-11 goes on once for five simultaneous requests", async () => {
      const cli = { destination: null, person: { role: "owner" as const, id: "cli:owner" }, direct: true };
      const [input = ""] = await receive(stage.tenant, "key");
      expect(await stage.tenant.turns.resume(wish(input, cli))).toEqual({
        type: "refused",
        reason: "nothing",
      });
      const { turnId } = await stopped(limit, { destination: null, person: cli.person });
      const outcomes = await Promise.all(
        Array.from({ length: 5 }, () => stage.tenant.turns.resume(wish(input, cli))),
      );
      expect(outcomes.filter(({ type }) => type === "resumed")).toMatchObject([
        { turn: { turnId, direct: true } },
      ]);
      expect(outcomes.filter(({ type }) => type === "settled")).toHaveLength(4);
    });

    it("lays new wishes over the old ones", async () => {
      await stopped(limit, { options: { model: "one", provider: "p" } });
      const [input = ""] = await receive(stage.tenant, "go on");
      expect(await stage.tenant.turns.resume(wish(input, { options: { model: "two" } }))).toMatchObject({
        turn: { options: { model: "two", provider: "p" } },
      });
    });

    it("says why not, and leaves the message as it was", async () => {
      const { turns, inbox, sessions } = stage.tenant;
      const [input = ""] = await receive(stage.tenant, "go on");
      const refusal = async (more: Partial<ResumeTurn> = {}) => {
        const outcome = await turns.resume(wish(input, more));
        return outcome.type === "refused" ? outcome.reason : outcome.type;
      };
      expect(await refusal()).toBe("nothing");
      const { turnId, fence } = await stopped(limit);
      expect(await refusal({ turnId: "r_other" })).toBe("nothing");
      expect(await refusal({ session: { workspaceId: "w2", sessionKey: "main" } })).toBe("nothing");
      expect(await refusal({ destination: place("7") })).toBe("elsewhere");
      expect(await refusal({ destination: null })).toBe("elsewhere");
      expect(await refusal({ person: { role: "peer", id: "telegram:43" } })).toBe("not-yours");

      const next = await queue(stage.tenant, "2");
      expect(await refusal()).toBe("running");
      await claim(stage.tenant, next.turnId, fence);
      expect(await refusal()).toBe("running");
      await turns.end(ending(next.turnId, fence));
      expect(await refusal()).toBe("nothing");
      expect(await turns.get(turnId)).toMatchObject({ state: "failed" });

      await stopped({ type: "model-failed", reason: "down" });
      await sessions.openNew(request("main"));
      expect(await refusal()).toBe("nothing");
      expect(await inbox.get(input)).toMatchObject({ state: "new" });
    });

    it.each([
      ["peer", "owner", "resumed", "telegram:42"],
      ["owner", "owner", "resumed", "telegram:42"],
      ["owner", "peer", "refused", "telegram:1"],
      ["system", "peer", "refused", "telegram:1"],
    ] as const)(
      "LOOP-05 lets the turn of a %s go on for the %s or not: %s, and it stays whose it was",
      async (role, asking, type, id) => {
        const person = { role, id };
        const { turnId } = await stopped(limit, { person });
        const [input = ""] = await receive(stage.tenant, "go on");
        const outcome = await stage.tenant.turns.resume(
          wish(input, { person: { role: asking, id: "telegram:1" } }),
        );
        expect(outcome.type).toBe(type);
        expect(await stage.tenant.turns.get(turnId)).toMatchObject({ person });
      },
    );

    it.each<TurnEndingRecord>([
      { type: "answered" },
      { type: "silent" },
      { type: "aborted", by: "stop" },
      { type: "failed", code: "tool/not-found", reason: "y" },
      { type: "failed", code: "internal/model", reason: "y" },
    ])("does not go on with one that ended with $type", async (how) => {
      await stopped(how);
      const [input = ""] = await receive(stage.tenant, "go on");
      expect(await stage.tenant.turns.resume(wish(input))).toEqual({ type: "refused", reason: "nothing" });
    });
  });
}
