import { expect, it } from "vitest";
import { createAuditTrail } from "./audit-trail.ts";
import { keepAudit } from "./keep-audit.ts";
import { createAuditHome, factOf } from "../../storage/testing/audit-home.ts";

async function createStage(keepDays = 365) {
  const home = await createAuditHome();
  const log = await home.open();
  const { clock } = home;
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  const trail = createAuditTrail({ audit: log.audit, clock, onError });
  /** What the keeper has under way: files take the time that they take. */
  const working = new Set<Promise<unknown>>();
  const tracked =
    <Arguments extends unknown[], Result>(work: (...args: Arguments) => Promise<Result>) =>
    (...args: Arguments): Promise<Result> => {
      const begun = work(...args).finally(() => working.delete(begun));
      working.add(begun);
      return begun;
    };
  const { audit, anchors } = log;
  const keeping = keepAudit({
    audit: { prune: tracked(audit.prune), record: tracked(audit.record) },
    anchors: { write: tracked(anchors.write), tidy: tracked(anchors.tidy) },
    trail,
    clock,
    keepDays: () => keepDays,
    onError,
  });
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 15_000) {
      await clock.advance(15_000);
      do {
        await Promise.all(working);
        await new Promise((resolve) => setImmediate(resolve));
      } while (working.size > 0);
    }
  };
  return { home, log, trail, keeping, clock, pass, errors };
}

it("TEN-05 writes an anchor with the first rows, after many, and at the stop", async () => {
  const { home, log, keeping, trail, pass, errors } = await createStage();
  await log.audit.record(factOf(0));
  await pass(30_000);
  expect(await home.anchorLines()).toHaveLength(1);
  await log.audit.recordAll(
    Array.from({ length: 300 }, (_, index) => factOf(index)),
    "later",
  );
  await pass(30_000);
  expect(await home.anchorLines()).toHaveLength(2);
  trail.note(factOf(7));
  await keeping.stop();
  expect(await home.anchorLines()).toHaveLength(3);
  expect(await log.verify()).toMatchObject({ ok: true, rows: 302, anchoredSeq: 302 });
  await log.close();
  expect(errors).toEqual([]);
});

it("TEN-05 clears away what is older than it is to be kept, and records that", async () => {
  const { log, keeping, clock, pass } = await createStage(1);
  await log.audit.record(factOf(0));
  await clock.advance(2 * 24 * 60 * 60_000);
  await log.audit.record(factOf(1));
  await pass(60_000);
  await keeping.stop();
  expect((await log.audit.list({ limit: 9 })).map(({ action }) => action)).toEqual(["audit-prune", "unset"]);
  expect(await log.verify()).toMatchObject({ ok: true, rows: 2, prunedSeq: 1 });
  await log.close();
});

it("keeps everything where the config says so", async () => {
  const { log, keeping, clock, pass } = await createStage(0);
  await log.audit.record(factOf(0));
  await clock.advance(9000 * 24 * 60 * 60_000);
  await pass(60_000);
  await keeping.stop();
  expect(await log.audit.list({ limit: 9 })).toHaveLength(1);
  await log.close();
});
