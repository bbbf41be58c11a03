import { describe, expect, it } from "vitest";
import { createApiStage, ways } from "../../app/testing/api-stage.ts";

const factOf = (index: number, metadata: Record<string, unknown> = { index }) => ({
  actor: index % 2 === 0 ? "owner" : "token:1",
  action: "set",
  resourceType: "config",
  resourceId: `key.${index}`,
  sessionKey: "agent:main:main",
  runId: `r_${index}`,
  metadata,
});

describe.each(ways)("TEN-05 the audit API %s", (way) => {
  it("gives records page by page, newest first, narrowed in every way", async () => {
    const { apis, tenant, clock } = await createApiStage(way);
    for (let index = 0; index < 5; index++) {
      await clock.advance(1000);
      await tenant.audit.record(factOf(index));
    }
    const first = await apis.audit.query({ limit: 2 });
    expect(first).toMatchObject({ records: [{ seq: 5 }, { seq: 4 }], next: 4 });
    expect(await apis.audit.query({ limit: 9, before: 4 })).toMatchObject({
      records: [{ seq: 3 }, { seq: 2 }, { seq: 1 }],
      next: null,
    });
    const seqs = async (query: Parameters<typeof apis.audit.query>[0]) =>
      (await apis.audit.query(query)).records.map(({ seq }) => seq);
    expect(await seqs({ runId: "r_2" })).toEqual([3]);
    expect(await seqs({ sessionKey: "agent:main:main", actor: "token:1" })).toEqual([4, 2]);
    expect(await seqs({ action: "unset" })).toEqual([]);
    const from = first.records[1]?.createdAt ?? "";
    expect(await seqs({ from })).toEqual([5, 4]);
    expect(await seqs({ to: from })).toEqual([3, 2, 1]);
  });

  it("fits a page of long records into one answer, and loses none", async () => {
    const { apis, tenant } = await createApiStage(way);
    for (let index = 0; index < 5; index++)
      await tenant.audit.record(factOf(index, { long: "x".repeat(index === 2 ? 900_000 : 200_000) }));
    const seqs: number[] = [];
    for (let before: { before?: number } | undefined = {}; before;) {
      const page: Awaited<ReturnType<typeof apis.audit.query>> = await apis.audit.query({
        limit: 100,
        ...before,
      });
      seqs.push(...page.records.map(({ seq }) => seq));
      before = page.next === null ? undefined : { before: page.next };
    }
    expect(seqs).toEqual([5, 4, 3, 2, 1]);
  });

  it("records who took a copy and of what, once for all pages, and finds the log whole", async () => {
    const { apis, tenant } = await createApiStage(way);
    for (let index = 0; index < 5; index++) await tenant.audit.record(factOf(index));
    const first = await apis.audit.export({ limit: 3, actor: "owner" });
    if (first.next !== null) await apis.audit.export({ limit: 3, actor: "owner", before: first.next });
    const exports = await tenant.audit.list({ limit: 9, action: "audit-export" });
    expect(exports).toMatchObject([{ actor: "owner", metadata: { actor: "owner" } }]);
    expect(await apis.audit.verify({})).toMatchObject({ ok: true, rows: 6 });
  });
});
