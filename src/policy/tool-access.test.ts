import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decideToolAccess, type ToolRule } from "./tool-access.ts";
import { groupsOf, isReservedName, namesInProfile, namesOf } from "./tool-groups.ts";

const only = (...names: string[]): ToolRule => ({ type: "only", source: "--tool-allow", names });
const deny = (...names: string[]): ToolRule => ({ type: "deny", source: "tools.deny", names });

describe("tool access", () => {
  it("allows by default", () => {
    expect(decideToolAccess(["read"], [])).toMatchObject({
      allowed: true,
      reasons: [{ code: "by-default" }],
    });
  });

  it("CLI-09 allows nothing when tools are switched off", () => {
    const why = { code: "tools-off", values: {} };
    const off: ToolRule = { type: "off", source: "--no-with-tools", names: [], why };
    expect(decideToolAccess(["read"], [only("read"), off])).toMatchObject({
      allowed: false,
      reasons: [why],
    });
  });

  it("CLI-10 allows only what the run lists, by name, alias or group; an empty list is no limit", () => {
    expect(decideToolAccess(["read", "fs.read_file"], [only("fs.read_file")]).allowed).toBe(true);
    expect(decideToolAccess(["read", ...groupsOf("read")], [only("group:fs")]).allowed).toBe(true);
    expect(decideToolAccess(["read"], [only()]).allowed).toBe(true);
    expect(decideToolAccess(["list"], [only("read")])).toMatchObject({
      allowed: false,
      reasons: [{ code: "not-in", values: { source: "--tool-allow" } }],
    });
  });

  it("hides no tool because of what a call could be made with, before there is a call", () => {
    const rule: ToolRule = { type: "standing", source: "rule 1", names: ["exec"], match: ["/work"] };
    expect(decideToolAccess(["exec", "group:runtime"], [rule], { workdir: "/work" }).allowed).toBe(true);
    const call = { workdir: "/work", arguments: { command: "ls" } };
    expect(decideToolAccess(["exec", "group:runtime"], [rule], call).allowed).toBe(false);
  });

  it("keeps to every limit at once", () => {
    expect(decideToolAccess(["read"], [only("read", "list"), only("list")]).allowed).toBe(false);
    expect(decideToolAccess(["list"], [only("read", "list"), only("list")]).allowed).toBe(true);
  });

  it("denies a whole group", () => {
    expect(decideToolAccess(["read", ...groupsOf("read")], [deny("group:fs")])).toMatchObject({
      allowed: false,
      reasons: [{ code: "denied-by", values: { source: "tools.deny" } }],
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

describe("the rule that decides", () => {
  const other = ["other"];
  const listed = ["read"];
  /** Of each kind one that speaks against the tool, the strongest first, and what it is called then. */
  const against: Array<[ToolRule, string]> = [
    [{ type: "off", source: "off", names: [] }, "switch"],
    [{ type: "standing", source: "rule", names: listed, match: [] }, "standing"],
    [{ type: "deny", source: "tools.deny", names: listed }, "deny"],
    [{ type: "only", source: "tools.allow", names: other }, "agent"],
    [
      { type: "when", source: "here", names: listed, channels: [], chats: [], roles: ["owner"] },
      "visibility",
    ],
    [{ type: "mode", source: "tools.modes", names: listed, mode: "approval-required" }, "mode"],
  ];
  /** Those that say nothing about it. */
  const silent: ToolRule[] = [
    { type: "standing", source: "rule", names: other, match: [] },
    { type: "standing", source: "rule", names: listed, match: ["*"] },
    { type: "deny", source: "tools.deny", names: other },
    { type: "only", source: "tools.allow", names: [] },
    { type: "when", source: "there", names: other, channels: [], chats: [], roles: ["owner"] },
    { type: "mode", source: "tools.modes", names: other, mode: "approval-required" },
  ];

  it("is the strongest of them, whatever their order and whatever stands between them", () => {
    const indexes = fc.shuffledSubarray([...against.keys()], { minLength: 1 });
    fc.assert(
      fc.property(indexes, fc.shuffledSubarray(silent), fc.boolean(), (chosen, others, isFirst) => {
        const rules = chosen.flatMap((index) => against[index]?.[0] ?? []);
        const strongest = Math.min(...chosen);
        const { rule } = decideToolAccess(listed, isFirst ? [...others, ...rules] : [...rules, ...others]);
        expect(rule).toEqual({ layer: against[strongest]?.[1], source: against[strongest]?.[0].source });
      }),
    );
  });

  it("is the first of its kind", () => {
    const rules: ToolRule[] = ["one", "two"].map((source) => ({ type: "deny", source, names: listed }));
    expect(decideToolAccess(listed, rules).rule.source).toBe("one");
  });

  it("is no list where none of the config grants the tool, and one where a list or a mode does", () => {
    const granted: ToolRule = { type: "granted", source: "edition", names: [] };
    const mode: ToolRule = { type: "mode", source: "tools.modes.read", names: listed, mode: "allow" };
    expect(decideToolAccess(listed, [granted])).toMatchObject({ allowed: false, rule: { layer: "edition" } });
    expect(decideToolAccess(listed, [granted, mode])).toMatchObject({
      allowed: true,
      reasons: [{ code: "allowed-by", values: { source: "tools.modes.read" } }],
    });
    expect(decideToolAccess(listed, [only("read"), granted])).toMatchObject({
      allowed: true,
      reasons: [{ code: "in", values: { source: "--tool-allow" } }],
    });
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

  it("follow a tool that has changed since they were asked for", () => {
    const tool = { name: "read", aliases: ["look"], effect: "read" as "read" | "write" };
    expect(namesOf(tool)).toEqual(["read", "look", "group:fs", "effect:read"]);
    expect(namesOf(tool)).toBe(namesOf(tool));
    tool.effect = "write";
    expect(namesOf(tool)).toContain("effect:write");
    tool.aliases[0] = "see";
    expect(namesOf(tool)).toContain("see");
    tool.aliases.push("watch");
    expect(namesOf(tool)).toContain("watch");
    tool.name = "exec";
    expect(namesOf(tool)).toEqual(["exec", "see", "watch", "group:runtime", "effect:write"]);
  });

  it("are asked for by name, whatever the name", () => {
    for (const name of ["__proto__", "constructor", "group:fs", ""]) expect(groupsOf(name)).toEqual([]);
  });
});
