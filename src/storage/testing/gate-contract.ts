/** What every storage promises about what the gate remembers. */
import type { Label } from "@pincer/sdk";
import { array, assert, asyncProperty, integer, nat, record } from "fast-check";
import { describe, expect, it } from "vitest";
import { claim, ending, queue, takeFence } from "./message-samples.ts";
import { holder } from "./samples.ts";
import type { Stage } from "./stage.ts";

const hash = (letter: string) => letter.repeat(64);
const untrusted = (...sources: string[]): Label => ({ untrusted: true, sources });
const clean: Label = { untrusted: false, sources: [] };
const owner = { type: "owner", actor: "cli:owner", of: "/w" } as const;
const tool = { type: "tool" } as const;
const day = "2026-01-01";

export function describeGate(stage: Stage): void {
  describe("what the gate remembers", () => {
    const gate = () => stage.tenant.gate;
    const labelOf = async (path: string, letter: string) =>
      (await gate().fileLabel({ path, hash: hash(letter) }))?.label;

    it("has a label for the content that it was stored for, and none for another one", async () => {
      const label = untrusted("memory");
      await gate().labelFiles([{ path: "/w/a", hash: hash("a"), label }], tool);
      expect(await gate().fileLabel({ path: "/w/a", hash: hash("a") })).toEqual({
        label,
        by: "tool",
        at: "2026-01-01T12:00:00.000Z",
      });
      expect(await labelOf("/w/a", "b")).toBeUndefined();
      expect(await labelOf("/w/b", "a")).toBeUndefined();
      await gate().labelFiles([{ path: "/w/a", hash: hash("b"), label: clean }], tool);
      // Until it is written, the file may be what it was.
      expect([await labelOf("/w/a", "a"), await labelOf("/w/a", "b")]).toEqual([label, clean]);
      await gate().forgetOthers([{ path: "/w/a", hash: hash("b") }]);
      expect([await labelOf("/w/a", "a"), await labelOf("/w/a", "b")]).toEqual([undefined, clean]);
    });

    it("believes the owner more than a tool, for this content alone, and audits it", async () => {
      await gate().labelFiles([{ path: "/w/a", hash: hash("a"), label: clean }], owner);
      await gate().labelFiles([{ path: "/w/a", hash: hash("a"), label: untrusted() }], tool);
      expect(await labelOf("/w/a", "a")).toEqual(clean);
      await gate().labelFiles([{ path: "/w/a", hash: hash("b"), label: untrusted() }], tool);
      expect(await labelOf("/w/a", "b")).toEqual(untrusted());
      await gate().forgetOthers([{ path: "/w/a", hash: hash("b") }]);
      expect(await labelOf("/w/a", "a")).toEqual(clean);
      await gate().labelFiles([{ path: "/w/a", hash: hash("c"), label: clean }], owner);
      expect(await labelOf("/w/a", "a")).toBeUndefined();
      expect(await stage.tenant.audit.list({ limit: 9, action: "file-label" })).toMatchObject([
        { metadata: { files: 1 } },
        {
          actor: "cli:owner",
          resourceType: "file",
          resourceId: "/w",
          metadata: { digest: expect.any(String) },
        },
      ]);
    });

    it("knows the labels of the same content elsewhere: a file may be a copy", async () => {
      await gate().labelFiles([{ path: "/w/a", hash: hash("a"), label: untrusted("memory") }], tool);
      const at = stage.clock.now();
      const id = await gate().programBegan({ root: "/w", at, holder: holder("one") });
      await gate().programEnded(id, at);
      const files = [
        { path: "/w/copy", hash: hash("a"), ctimeMs: at },
        { path: "/w/a", hash: hash("a"), ctimeMs: at + 9000 },
        { path: "/w", ctimeMs: at },
      ];
      expect(await gate().describeFiles(files)).toEqual([
        { stored: undefined, copied: [untrusted("memory")], history: "program" },
        { stored: expect.objectContaining({ by: "tool" }), copied: [], history: "known" },
        { stored: undefined, copied: [], history: "program" },
      ]);
      await gate().labelFiles([{ path: "/w/copy", hash: hash("a"), label: clean }], owner);
      expect(await gate().describeFiles(files.slice(0, 1))).toMatchObject([
        { stored: { by: "owner" }, copied: [] },
      ]);
      expect(await gate().describeFiles([])).toEqual([]);
    });

    it("forgets a file, and with a folder all below it", async () => {
      const paths = ["/w/a", "/w/a/b", "/w/ab", "/w/c"];
      await gate().labelFiles(
        paths.map((path) => ({ path, hash: hash("a"), label: clean })),
        tool,
      );
      await gate().forgetFiles("/w/a");
      const left = await Promise.all(paths.map((path) => labelOf(path, "a")));
      expect(left).toEqual([undefined, undefined, clean, clean]);
    });

    it("knows when a program ran that could write below a folder, and of one that still runs", async () => {
      const at = stage.clock.now();
      const id = await gate().programBegan({ root: "/w", at, holder: holder("one") });
      expect(await gate().historyAt("/w/a", at + 1e9)).toBe("program");
      await gate().programEnded(id, at + 5000);
      await gate().programEnded(id, at + 9e9);
      const seen = (path: string, after: number) => gate().historyAt(path, at + after);
      expect(await seen("/w/deep/a", 0)).toBe("program");
      expect(await seen("/w/a", 5000)).toBe("program");
      // A file system's clock ticks.
      expect(await seen("/w/a", -10)).toBe("program");
      expect(await seen("/w/a", -1000)).toBe("known");
      expect(await seen("/w/a", 6000)).toBe("known");
      expect(await seen("/other/a", 0)).toBe("known");
      expect(await seen("/wide", 0)).toBe("known");
      await gate().programEnded(
        await gate().programBegan({ root: "", at: at + 2e6, holder: holder("one") }),
        at + 2e6,
      );
      expect(await seen("/other/a", 2e6)).toBe("program");
    });

    it("ends what ran for a process that is gone, at the time of finding it", async () => {
      const at = stage.clock.now();
      await gate().programBegan({ root: "/w", at, holder: holder("gone") });
      await gate().programBegan({ root: "/v", at, holder: holder("here") });
      expect(await gate().endGonePrograms(at + 7000, ({ id }) => id === "gone")).toBe(1);
      expect(await gate().endGonePrograms(at + 9000, ({ id }) => id === "gone")).toBe(0);
      expect(await gate().historyAt("/w/a", at + 6000)).toBe("program");
      expect(await gate().historyAt("/w/a", at + 8000)).toBe("known");
      expect(await gate().historyAt("/v/a", at + 8000)).toBe("program");
    });

    it("a clock that is set back while a program runs makes no hole", async () => {
      const at = stage.clock.now();
      const id = await gate().programBegan({ root: "/w", at, holder: holder("one") });
      await gate().programEnded(id, at - 60_000);
      expect(await gate().historyAt("/w/a", at - 30_000)).toBe("program");
    });

    it("however many programs ran, it knows each of their moments, and keeps few spans", async () => {
      const run = record({ pause: nat(100_000), length: nat(20_000), overlaps: nat(1) });
      await assert(
        asyncProperty(array(run, { maxLength: 90 }), integer({ min: 0, max: 1e6 }), async (runs, salt) => {
          const root = `/p${salt}-${runs.length}`;
          let at = stage.clock.now();
          const moments: number[] = [];
          let ids: string[] = [];
          for (const { pause, length, overlaps } of runs) {
            at += pause;
            ids.push(await gate().programBegan({ root, at, holder: holder("one") }));
            moments.push(at, at + length);
            if (overlaps === 0) {
              at += length;
              for (const id of ids) await gate().programEnded(id, at);
              ids = [];
            } else moments.pop();
          }
          for (const id of ids) await gate().programEnded(id, at);
          for (const moment of moments) expect(await gate().historyAt(`${root}/a`, moment)).toBe("program");
          expect(await gate().historyAt(`${root}/a`, at + 200)).toBe("known");
        }),
        { numRuns: 8 },
      );
    });

    it("after a loss, whatever is older is unknown, and what was spent counts as everything for a day", async () => {
      const at = stage.clock.now();
      expect(await gate().spendBits({ agentId: "main", day, bits: 1, limit: 64 })).toBe(true);
      await gate().noteLoss(at);
      await gate().noteLoss(at - 5000);
      expect(await gate().historyAt("/any", 0)).toBe("lost");
      expect(await gate().historyAt("/any", at)).toBe("lost");
      expect(await gate().historyAt("/any", at + 1000)).toBe("known");
      expect(await gate().spendBits({ agentId: "main", day, bits: 1, limit: 64 })).toBe(false);
      expect(await gate().bitsSpent("main", day)).toBe("unknown");
      await stage.clock.advance(24 * 3600 * 1000);
      expect(await gate().spendBits({ agentId: "main", day: "2026-01-02", bits: 1, limit: 64 })).toBe(true);
    });

    it("keeps the first plan of a turn, and forgets it with the turn", async () => {
      const { turnId } = await queue(stage.tenant, "1");
      expect(await gate().plan(turnId)).toBeUndefined();
      const plans = await Promise.all([{ n: 1 }, { n: 2 }].map((plan) => gate().keepPlan(turnId, plan)));
      expect(plans).toEqual([{ n: 1 }, { n: 1 }]);
      expect(await gate().keepPlan(turnId, "words", "call-1")).toBe("words");
      expect(await gate().plan(turnId, "call-2")).toBeUndefined();
      const fence = await takeFence(stage.tenant);
      await claim(stage.tenant, turnId, fence);
      await stage.tenant.turns.end(ending(turnId, fence));
      expect(await gate().plan(turnId)).toEqual({ n: 1 });
      expect(await stage.tenant.turns.prune("2030-01-01T00:00:00.000Z", 9)).toBe(1);
      expect(await gate().plan(turnId)).toBeUndefined();
    });

    it("lists what was planned and used, and audits plans and words without what they say", async () => {
      const { turnId } = await queue(stage.tenant, "1");
      await gate().keepPlan(turnId, { type: "planned", grants: [{ quote: "tell Bob" }] });
      await stage.clock.advance(1000);
      await gate().keepPlan(turnId, { type: "failed", reason: "no model" }, "plan of 2");
      await gate().keepPlan(turnId, { type: "written" }, "words of c 1");
      await gate().noteUse(turnId, "c 1", { tool: "message" });
      await gate().noteUse(turnId, "c 1", { tool: "another" });
      expect(await gate().listPlans(turnId)).toMatchObject([
        { type: "plan", callId: "", made: { type: "planned" } },
        { type: "plan", callId: "", made: { type: "failed" } },
        { type: "use", callId: "c 1", made: { tool: "message" } },
        { type: "words", callId: "c 1", made: { type: "written" } },
      ]);
      const records = await stage.tenant.audit.list({ limit: 9, runId: turnId });
      expect(records.map(({ action, actor, metadata }) => [action, actor, metadata["outcome"]])).toEqual([
        ["gate-words", "gate", "written"],
        ["gate-plan", "gate", "failed"],
        ["gate-plan", "gate", "planned"],
      ]);
      expect(records[2]).toMatchObject({ resourceId: turnId, metadata: { grants: 1 } });
      expect(records.every(({ sessionKey }) => sessionKey !== null)).toBe(true);
      expect(JSON.stringify(records)).not.toContain("Bob");
    });

    it("forgets the plans of a session that is deleted", async () => {
      const { turnId } = await queue(stage.tenant, "1");
      const fence = await takeFence(stage.tenant);
      const { session } = await claim(stage.tenant, turnId, fence);
      await gate().keepPlan(turnId, "plan");
      await stage.tenant.turns.end(ending(turnId, fence));
      await stage.tenant.sessions.delete(session.sessionId, "owner");
      expect(await gate().plan(turnId)).toBeUndefined();
    });

    it("never lets more bits be spent than the limit of a day, however many spend at once", async () => {
      const spend = (bits: number) => gate().spendBits({ agentId: "main", day, bits, limit: 64 });
      const spent = await Promise.all(Array.from({ length: 20 }, () => spend(7)));
      expect(spent.filter(Boolean)).toHaveLength(9);
      expect(await gate().bitsSpent("main", day)).toBe(63);
      expect([await spend(1.5), await spend(-1), await spend(Number.NaN), await spend(1)]).toEqual([
        false,
        false,
        false,
        true,
      ]);
      expect(await gate().spendBits({ agentId: "other", day, bits: 64, limit: 64 })).toBe(true);
      expect(await gate().spendBits({ agentId: "main", day: "2026-01-02", bits: 64, limit: 64 })).toBe(true);
      expect(await gate().bitsSpent("main", day)).toBe(64);
    });

    it("knows which versions of a steering file count, with the text of the newest, and audits each change once", async () => {
      const file = { agentId: "main", path: "/w/AGENTS.md", by: "cli:owner" };
      await gate().accept({ ...file, hash: hash("a"), text: "be brief" });
      await gate().accept({ ...file, hash: hash("a"), by: "editor" });
      const at = "2026-01-01T12:00:00.000Z";
      const first = { path: file.path, hash: hash("a"), by: "cli:owner", at };
      expect(await gate().listAccepted("main")).toEqual([first]);
      expect(await gate().acceptedText("main", file.path)).toBe("be brief");
      await gate().accept({ ...file, hash: hash("b"), by: "editor" });
      const second = { ...first, hash: hash("b"), by: "editor" };
      expect(await gate().listAccepted("main")).toEqual(expect.arrayContaining([first, second]));
      const { path } = file;
      expect(await gate().fileLabel({ path, hash: hash("b") })).toEqual({
        label: clean,
        by: "accepted",
        acceptedBy: "editor",
        at,
      });
      expect(await gate().acceptedText("main", file.path)).toBeUndefined();
      expect(await gate().listAccepted("other")).toEqual([]);
      const records = await stage.tenant.audit.list({ limit: 9, action: "file-accept" });
      expect(records).toMatchObject([{ actor: "editor" }, { actor: "cli:owner", resourceId: file.path }]);
      expect(JSON.stringify(records)).not.toContain("be brief");
    });

    it("keeps the last five versions, so that one can go back", async () => {
      const accept = async (letter: string) => {
        await stage.clock.advance(1);
        await gate().accept({ agentId: "main", path: "/w/AGENTS.md", by: "editor", hash: hash(letter) });
      };
      for (const letter of ["a", "b", "c", "d", "e", "a", "f"]) await accept(letter);
      const kept = (await gate().listAccepted("main")).map((each) => each.hash[0]);
      expect(kept).toEqual(["f", "a", "e", "d", "c"]);
    });

    it("TEN-01 is a tenant's own", async () => {
      const at = stage.clock.now();
      await gate().labelFiles([{ path: "/w/a", hash: hash("a"), label: clean }], owner);
      await gate().programBegan({ root: "", at, holder: holder("one") });
      await gate().accept({ agentId: "main", path: "/w/a", hash: hash("a"), by: "editor", text: "a" });
      await gate().spendBits({ agentId: "main", day, bits: 64, limit: 64 });
      const rival = stage.stores.tenant("rival").gate;
      expect(await rival.fileLabel({ path: "/w/a", hash: hash("a") })).toBeUndefined();
      expect(await rival.historyAt("/w/a", at)).toBe("known");
      expect(await rival.endGonePrograms(at, () => true)).toBe(0);
      expect(await rival.listAccepted("main")).toEqual([]);
      expect(await rival.acceptedText("main", "/w/a")).toBeUndefined();
      expect(await rival.bitsSpent("main", day)).toBe(0);
    });
  });
}
