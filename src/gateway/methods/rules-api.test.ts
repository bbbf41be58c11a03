import { describe, expect, it } from "vitest";
import { createApiStage, ways } from "../../app/testing/api-stage.ts";

describe.each(ways)("the rules API %s", (way) => {
  it("adds, lists and removes", async () => {
    const { apis, tenant } = await createApiStage(way);
    const { rules } = apis;
    const { rule, added } = await rules.add({ text: "never touch /etc" });
    expect(added).toBe(true);
    expect(rule).toMatchObject({
      id: 1,
      enforcement: { match: ["/etc"] },
      setBy: "cli:owner",
      agentId: null,
    });
    await rules.add({ text: "be brief", agentId: "main" });
    await rules.add({ text: "never use echo", deny: ["echo", "fs.list_dir"] });
    expect((await rules.list({})).rules.map(({ id }) => id)).toEqual([1, 2, 3]);
    expect((await rules.list({ agentId: "other" })).rules.map(({ id }) => id)).toEqual([1, 3]);
    expect(await rules.remove({ id: 1 })).toEqual({ removed: rule });
    expect(await tenant.audit.list({ limit: 9, resourceId: "1" })).toHaveLength(2);
  });

  it("refuses what it cannot keep", async () => {
    const { rules } = (await createApiStage(way)).apis;
    await expect(rules.add({ text: " " })).rejects.toMatchObject({ code: "usage/empty-input" });
    await expect(rules.add({ text: "x".repeat(501) })).rejects.toMatchObject({ code: "usage/bad-argument" });
    await expect(rules.add({ text: "x", deny: ["exce"] })).rejects.toMatchObject({ code: "tool/not-found" });
    await expect(rules.add({ text: "x", agentId: "nobody" })).rejects.toMatchObject({
      code: "config/not-found",
    });
    await expect(rules.remove({ id: 7 })).rejects.toMatchObject({ code: "rule/not-found" });
  });
});
