import * as fc from "fast-check";
import { rm } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { createAuditSeal } from "./audit-seal.ts";
import { createAuditHome, factOf, ownKey } from "../testing/audit-home.ts";

const columns =
  "tenant_id, actor, action, resource_type, resource_id, session_key, run_id, metadata_json, created_at, digest";
/** Puts a copy of the first row somewhere. */
const added = (place: string) =>
  `INSERT INTO audit_logs (id, seq, ${columns}) SELECT 'new', ${place}, ${columns} FROM audit_logs WHERE seq = 1`;

const otherKey = createAuditSeal(Buffer.alloc(32, 2));

describe("TEN-05 an audit log that nobody touched", () => {
  it("is whole, from the first row on and after each opening", async () => {
    const home = await createAuditHome();
    expect(await home.verify()).toEqual({
      ok: true,
      rows: 0,
      head: null,
      prunedSeq: 0,
      anchors: 0,
      anchoredSeq: 0,
      problems: [],
    });
    await home.write(5);
    await home.write(5, 5);
    const found = await home.verify();
    expect(found).toMatchObject({ ok: true, rows: 10, anchors: 2, anchoredSeq: 10, problems: [] });
    expect(found.head).toEqual({ seq: 10, digest: expect.stringMatching(/^[0-9a-f]{64}$/) });
  });

  it("is whole while others write to it", async () => {
    const home = await createAuditHome();
    await home.write(50);
    const log = await home.open();
    const [verified] = await Promise.all([
      log.verify(),
      ...Array.from({ length: 20 }, (_, index) => log.audit.record(factOf(index))),
    ]);
    expect(verified).toMatchObject({ ok: true });
    await log.close();
    expect(await home.verify()).toMatchObject({ ok: true, rows: 70 });
  });

  it("is whole after old rows were cleared away, and says how far they were", async () => {
    const home = await createAuditHome();
    await home.write(20);
    const log = await home.open();
    const [newest] = await log.audit.list({ limit: 1 });
    const before = new Date(Date.parse(newest?.createdAt ?? "") - 4500).toISOString();
    expect(await log.audit.prune(before, 10)).toBe(10);
    expect(await log.audit.prune(before, 10)).toBe(5);
    expect(await log.audit.prune(before, 10)).toBe(0);
    await log.audit.record(factOf(1));
    await log.close();
    expect(await home.verify()).toMatchObject({ ok: true, rows: 6, prunedSeq: 15 });
    // What was cleared away is sealed, too.
    home.sql("DELETE FROM audit_logs WHERE seq = 16");
    expect(await home.kinds()).toEqual(["dropped"]);
  });

  it("is whole after a torn line in the anchors", async () => {
    const home = await createAuditHome();
    await home.write(3);
    const lines = await home.anchorLines();
    await home.setAnchors([...lines, '{"tenantId":"t","seq":9']);
    await home.write(3, 3);
    expect(await home.verify()).toMatchObject({ ok: true, anchors: 2, anchoredSeq: 6 });
  });
});

it("passes over lines of the anchors that say nothing: they are no forgery", async () => {
  const home = await createAuditHome();
  await home.write(3);
  const line = JSON.parse((await home.anchorLines())[0] ?? "") as Record<string, unknown>;
  const broken = ["seq", "digest", "time", "mac", "tenantId"].map((name) =>
    JSON.stringify({ ...line, [name]: null }),
  );
  await home.setAnchors([...(await home.anchorLines()), ...broken]);
  expect(await home.verify()).toMatchObject({ ok: true, anchors: 1 });
});

describe("TEN-05 an audit log that somebody changed behind our back is found out:", () => {
  const tampered = async () => {
    const home = await createAuditHome();
    await home.write(12);
    await home.write(4, 12);
    return home;
  };

  it.each([
    "actor",
    "action",
    "resource_type",
    "resource_id",
    "session_key",
    "run_id",
    "metadata_json",
    "created_at",
    "id",
  ])("a row whose %s is another one", async (column) => {
    const home = await tampered();
    home.sql(`UPDATE audit_logs SET ${column} = 'x' WHERE seq = 7`);
    expect((await home.verify()).problems).toEqual([{ kind: "edited", seq: 7 }]);
  });

  it("a row that was changed together with its digest", async () => {
    const home = await tampered();
    home.sql("UPDATE audit_logs SET actor = 'x', digest = ? WHERE seq = 7", "0".repeat(64));
    expect((await home.verify()).problems[0]).toEqual({ kind: "edited", seq: 7 });
  });

  it("rows that are gone from the middle, and from the beginning", async () => {
    const home = await tampered();
    home.sql("DELETE FROM audit_logs WHERE seq IN (5, 6, 9)");
    expect((await home.verify()).problems).toEqual([
      { kind: "dropped", seq: 5, toSeq: 6 },
      { kind: "dropped", seq: 9 },
    ]);
    home.sql("DELETE FROM audit_logs WHERE seq <= 2");
    expect((await home.verify()).problems[0]).toEqual({ kind: "dropped", seq: 1, toSeq: 2 });
  });

  it("rows that are gone from the end", async () => {
    const home = await tampered();
    home.sql("DELETE FROM audit_logs WHERE seq > 13");
    expect((await home.verify()).problems).toEqual([{ kind: "dropped-at-end", seq: 14, toSeq: 16 }]);
  });

  it("rows that are gone from the end together with the head, by the anchors", async () => {
    const home = await createAuditHome();
    await home.write(10);
    const [head] = home.sql("SELECT * FROM audit_heads");
    await home.write(5, 10);
    home.sql("DELETE FROM audit_logs WHERE seq > 10");
    // The very head of then, seal and all: only the file outside of the database knows better.
    home.sql(
      "UPDATE audit_heads SET seq = ?, digest = ?, row_count = ?, anchored_seq = ?, mac = ?",
      head?.["seq"] ?? 0,
      head?.["digest"] ?? "",
      head?.["row_count"] ?? 0,
      head?.["anchored_seq"] ?? 0,
      head?.["mac"] ?? "",
    );
    expect((await home.verify()).problems).toEqual([{ kind: "dropped-at-end", seq: 11, toSeq: 15 }]);
  });

  it("all of it gone, with the head", async () => {
    const home = await tampered();
    home.sql("DELETE FROM audit_logs");
    home.sql("DELETE FROM audit_heads");
    expect((await home.verify()).problems).toEqual([{ kind: "dropped-at-end", seq: 1, toSeq: 16 }]);
  });

  it("rows that changed places, by their numbers or by what they say", async () => {
    const home = await tampered();
    home.sql("UPDATE audit_logs SET seq = -1 WHERE seq = 4");
    home.sql("UPDATE audit_logs SET seq = 4 WHERE seq = 8");
    home.sql("UPDATE audit_logs SET seq = 8 WHERE seq = -1");
    const { problems } = await home.verify();
    expect(problems).toContainEqual({ kind: "reordered", seq: 4 });
    expect(problems).toContainEqual({ kind: "reordered", seq: 8 });

    const said = await tampered();
    const words =
      "id, actor, action, resource_type, resource_id, session_key, run_id, metadata_json, created_at";
    const [one, other] = said.sql(`SELECT ${words} FROM audit_logs WHERE seq IN (3, 4) ORDER BY seq`);
    const put = (row: typeof one, seq: number) =>
      said.sql(
        `UPDATE audit_logs SET (${words}) = (?, ?, ?, ?, ?, ?, ?, ?, ?) WHERE seq = ?`,
        ...Object.values(row ?? {}),
        seq,
      );
    said.sql("UPDATE audit_logs SET id = 'aside' WHERE seq = 4");
    put(other, 3);
    put(one, 4);
    expect(await said.kinds()).toEqual(["reordered", "reordered"]);
  });

  it("rows that were put in: behind the end, between two, and without a place", async () => {
    for (const place of ["17", "5.5", "'x'", "-3", "0"]) {
      const home = await tampered();
      home.sql(added(place));
      expect(await home.kinds()).toContain("inserted");
    }
  });

  it("everything computed again, without the key", async () => {
    const home = await tampered();
    home.sql("UPDATE audit_logs SET actor = 'somebody else' WHERE seq = 7");
    home.recompute();
    const { problems } = await home.verify();
    // The walk finds nothing: only who has the key knows.
    expect(problems).toEqual([
      { kind: "head-forged", seq: 16 },
      { kind: "rewritten", seq: 12 },
    ]);
  });

  it("a row in the middle taken out, the others moved up and computed again", async () => {
    const home = await tampered();
    home.sql("DELETE FROM audit_logs WHERE seq = 7");
    home.sql("UPDATE audit_logs SET seq = -seq WHERE seq > 7");
    home.sql("UPDATE audit_logs SET seq = -seq - 1 WHERE seq < 0");
    home.recompute();
    expect(await home.kinds()).toEqual(["head-forged", "dropped-at-end", "rewritten"]);
  });

  it("and stays so when the product writes on top of it", async () => {
    const home = await createAuditHome();
    await home.write(3);
    await rm(home.anchorFile);
    home.sql("UPDATE audit_logs SET actor = 'somebody else' WHERE seq = 3");
    home.recompute();
    await home.write(3, 3);
    expect((await home.verify()).problems).toContainEqual({ kind: "written-without-key", seq: 3 });
    await home.write(3, 6);
    expect(await home.kinds()).toContain("written-without-key");
  });

  it("the head gone, or of somebody else", async () => {
    const home = await tampered();
    home.sql("UPDATE audit_heads SET mac = ?", "0".repeat(64));
    expect((await home.verify()).problems).toEqual([{ kind: "head-forged", seq: 16 }]);
    home.sql("UPDATE audit_heads SET suspect_seq = 3");
    expect(await home.kinds()).toContain("head-forged");
    home.sql("DELETE FROM audit_heads");
    expect(await home.kinds()).toContain("head-missing");
  });

  it("the anchors gone, cut off, forged, or those of another chain", async () => {
    const home = await tampered();
    const lines = await home.anchorLines();
    await home.setAnchors(lines.slice(0, 1));
    expect((await home.verify()).problems).toEqual([{ kind: "anchors-behind", seq: 12, toSeq: 16 }]);
    await rm(home.anchorFile);
    expect((await home.verify()).problems).toEqual([{ kind: "anchors-missing", seq: 0, toSeq: 16 }]);
    await home.setAnchors([...lines, (lines[0] ?? "").replace('"seq":12', '"seq":11')]);
    expect(await home.kinds()).toEqual(["anchor-forged"]);
    const other = otherKey.anchor({ tenantId: "t", seq: 12, digest: "x", time: "y" });
    await home.setAnchors([
      ...lines,
      JSON.stringify({ tenantId: "t", seq: 12, digest: "x", time: "y", mac: other }),
    ]);
    expect(await home.kinds()).toEqual(["anchor-forged"]);
    const own = createAuditSeal(ownKey).anchor({ tenantId: "t", seq: 12, digest: "x", time: "y" });
    await home.setAnchors([
      ...lines,
      JSON.stringify({ tenantId: "t", seq: 12, digest: "x", time: "y", mac: own }),
    ]);
    expect((await home.verify()).problems).toEqual([{ kind: "rewritten", seq: 12 }]);
  });

  it("another key, and none", async () => {
    const home = await tampered();
    expect(await home.kinds(otherKey)).toEqual(["wrong-key"]);
    expect(await home.kinds("none")).toEqual(["no-key"]);
  });

  it("whatever single thing was done to it", async () => {
    const change = fc.oneof(
      fc.record({ what: fc.constant("edit" as const), seq: fc.integer({ min: 1, max: 12 }) }),
      fc.record({ what: fc.constant("drop" as const), seq: fc.integer({ min: 1, max: 12 }) }),
      fc.record({ what: fc.constant("swap" as const), seq: fc.integer({ min: 1, max: 11 }) }),
      fc.record({ what: fc.constant("cut" as const), seq: fc.integer({ min: 1, max: 12 }) }),
      fc.record({ what: fc.constant("insert" as const), seq: fc.integer({ min: 13, max: 20 }) }),
    );
    await fc.assert(
      fc.asyncProperty(change, fc.boolean(), async ({ what, seq }, isComputedAgain) => {
        const home = await createAuditHome();
        await home.write(12);
        const steps = {
          edit: ["UPDATE audit_logs SET metadata_json = '{}' WHERE seq = $"],
          drop: ["DELETE FROM audit_logs WHERE seq = $"],
          swap: [
            "UPDATE audit_logs SET seq = -1 WHERE seq = $",
            "UPDATE audit_logs SET seq = $ WHERE seq = $ + 1",
            "UPDATE audit_logs SET seq = $ + 1 WHERE seq = -1",
          ],
          cut: ["DELETE FROM audit_logs WHERE seq >= $"],
          insert: [added("$")],
        }[what];
        for (const step of steps) home.sql(step.replaceAll("$", String(seq)));
        if (isComputedAgain) home.recompute();
        expect(await home.verify()).toMatchObject({ ok: false });
      }),
      { numRuns: 15 },
    );
  }, 60_000);
});
