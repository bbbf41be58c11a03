import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decideToolAccess, type ToolRule } from "./tool-access.ts";
import { groupsOf, isReservedName, namesInProfile, namesOf } from "./tool-groups.ts";

const only = (...names: string[]): ToolRule => ({ type: "only", source: "this run's --tool-allow", names });
const deny = (...names: string[]): ToolRule => ({ type: "deny", source: "tools.deny", names });

describe("tool access", () => {
  it("allows by default", () => {
    expect(decideToolAccess(["read"], [])).toMatchObject({ allowed: true, reason: "allowed by default" });
  });

  it("CLI-09 allows nothing when tools are switched off", () => {
    const off: ToolRule = { type: "off", source: "tools are switched off", names: [] };
    expect(decideToolAccess(["read"], [only("read"), off])).toMatchObject({
      allowed: false,
      reason: "tools are switched off",
    });
  });

  it("CLI-10 allows only what the run lists, by name, alias or group; an empty list is no limit", () => {
    expect(decideToolAccess(["read", "fs.read_file"], [only("fs.read_file")]).allowed).toBe(true);
    expect(decideToolAccess(["read", ...groupsOf("read")], [only("group:fs")]).allowed).toBe(true);
    expect(decideToolAccess(["read"], [only()]).allowed).toBe(true);
    expect(decideToolAccess(["list"], [only("read")])).toMatchObject({
      allowed: false,
      reason: "not in this run's --tool-allow",
    });
  });

  it("keeps to every limit at once", () => {
    expect(decideToolAccess(["read"], [only("read", "list"), only("list")]).allowed).toBe(false);
    expect(decideToolAccess(["list"], [only("read", "list"), only("list")]).allowed).toBe(true);
  });

  it("denies a whole group", () => {
    expect(decideToolAccess(["read", ...groupsOf("read")], [deny("group:fs")])).toMatchObject({
      allowed: false,
      reason: "denied by tools.deny",
    });
  });

  it("lets deny win over every combination of allows", () => {
    const names = fc.subarray(["a", "b", "c"]);
    fc.assert(
      fc.property(names, names, fc.boolean(), (first, second, denyFirst) => {
        const limits = [only(...first), only(...second)];
        const rules = denyFirst ? [deny("alias"), ...limits] : [...limits, deny("alias")];
        expect(decideToolAccess(["a", "alias"], rules).allowed).toBe(false);
      }),
    );
  });

  it("never allows more when a rule with names is added", () => {
    const names = fc.subarray(["a", "b", "c"], { minLength: 1 });
    const rule = fc.oneof(
      names.map((each) => only(...each)),
      names.map((each) => deny(...each)),
      names.map((each): ToolRule => ({ type: "standing", source: "rule", names: each, match: [] })),
      fc.tuple(names, fc.subarray(["owner", "peer"])).map(([each, roles]): ToolRule => ({
        type: "when",
        source: "tools.visibility[0]",
        names: each,
        channels: [],
        chats: [],
        roles,
      })),
    );
    const place = { chatType: "direct" as const, userRoles: ["peer"], sessionKey: "", agentId: "main" };
    fc.assert(
      fc.property(fc.array(rule), rule, (rules, more) => {
        const before = decideToolAccess(["a"], rules, { place }).allowed;
        const after = decideToolAccess(["a"], [...rules, more], { place }).allowed;
        expect(after && !before).toBe(false);
      }),
    );
  });
});

describe("groups and profiles", () => {
  it("know their tools, also those to come, and no others", () => {
    expect(groupsOf("read")).toEqual(["group:fs"]);
    expect(groupsOf("nonsense")).toEqual([]);
    expect(isReservedName("group:web")).toBe(true);
    expect(isReservedName("exec")).toBe(true);
    expect(isReservedName("exce")).toBe(false);
    expect(groupsOf("browser_click")).toEqual(["group:browser"]);
    expect(isReservedName("cron")).toBe(true);
    expect(isReservedName("effect:write")).toBe(true);
    for (const name of ["effect:think", "toString"]) expect(isReservedName(name)).toBe(false);
    expect(namesInProfile("coding")).toContain("group:fs");
    expect(namesInProfile("full")).toEqual([]);
    expect(namesInProfile("nonsense")).toBeUndefined();
  });

  it("are among all that a rule may call a tool by, with its family and its effect", () => {
    expect(namesOf({ name: "browser_click", aliases: ["click"], effect: "act" })).toEqual([
      "browser_click",
      "click",
      "browser",
      "group:browser",
      "effect:act",
    ]);
  });
});
