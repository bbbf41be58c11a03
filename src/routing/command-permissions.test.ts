import { permissionPoints } from "@pincer/sdk";
import { describe, expect, it } from "vitest";
import { byCommand, holds, permissionOfCommand } from "../policy/permission-points.ts";
import { mayUse } from "./command.ts";
import { commandRegistry } from "./command-registry.ts";

/** Those that only tell; every other one must name what it changes. */
const telling = new Set([
  "help",
  "tools",
  "tool.describe",
  "skills",
  "status",
  "whoami",
  "why",
  "usage",
  "cost",
  "context",
  "config",
  "approvals",
  "rules",
  "anchors",
  "tape",
  "tape.info",
  "tape.search",
  "quit",
]);

describe("permissions of commands", () => {
  it.each(commandRegistry.map(({ name }) => name))(
    "TEN-04 %s names the permission for what it changes, or only tells",
    (name) => {
      const point = permissionOfCommand(name);
      expect([...permissionPoints, null]).toContain(point);
      expect(point === null).toBe(telling.has(name));
    },
  );

  it("TEN-04 no row is for a command that there is none of", () => {
    const names = commandRegistry.map(({ name }) => name);
    expect(Object.keys(byCommand).filter((name) => !names.includes(name))).toEqual([]);
  });

  it("TEN-03 a peer may use nothing whose permission a peer does not hold, whatever the command says of itself", () => {
    for (const { name } of commandRegistry) {
      const point = permissionOfCommand(name);
      const may = mayUse({ name, access: "anyone" }, { role: "peer", isGroup: false });
      expect([name, may]).toEqual([name, point === null || holds("peer", point ?? undefined)]);
    }
    expect(mayUse({ name: "nobody-knows", access: "anyone" }, { role: "owner", isGroup: false })).toBe(false);
  });
});
