import * as fc from "fast-check";
import { expect, it } from "vitest";
import { readPath } from "@pincer/sdk";
import { evaluateConfig } from "./evaluate-config.ts";
import { describeProblem } from "./loaded-config.ts";
import { takeOverShapes } from "./openclaw-shapes.ts";
import { migrateText } from "./set-config.ts";

const evaluate = (value: unknown, profile?: string) =>
  evaluateConfig({
    text: JSON.stringify(value),
    file: "config.json5",
    lastGood: undefined,
    environment: {},
    profile,
    flags: {},
  });

const telegram = (keys: object) => ({ channels: { telegram: keys } });
const groupsOf = (keys: object) => {
  const { config, mode } = evaluate(telegram(keys));
  expect(mode).toBe("normal");
  const { groups, groupPolicy, requireMention, groupAllowFrom } = config.channels["telegram"] ?? {};
  return { groups, groupPolicy, requireMention, groupAllowFrom };
};

it.each([
  [{ session: { reset: { mode: "none" } } }, "session.reset.mode", "manual"],
  [{ plugins: { load: { paths: ["/x"] } } }, "plugins.load", []],
  [{ gateway: { http: { endpoints: { chatCompletions: { enabled: true } } } } }, "gateway.http", true],
  [{ gateway: { http: { endpoints: { chatCompletions: { enabled: false } } } } }, "gateway.http", false],
  [{ gateway: { tailscale: { mode: "off" } } }, "gateway.tailscale", "off"],
  [{ gateway: { tailscale: { mode: "serve", resetOnExit: true } } }, "gateway.tailscale", "serve"],
  [{ gateway: { tailscale: { mode: "everything" } } }, "gateway.tailscale", "off"],
  [{ tools: { sessions: { visibility: "all" } } }, "tools.sessions", {}],
  [{ tools: { sessions: { visibility: "self" } } }, "tools.modes.sessions_history", "deny"],
  [{ hooks: { enabled: true, token: "x", path: "/hooks" } }, "hooks", {}],
  [{ hooks: { enabled: false, post: { secret: "secret:post" } } }, "hooks", {}],
  [{ hooks: { token: "x", gmail: { model: "m" }, mappings: [] } }, "hooks", {}],
  [telegram({ streaming: "partial" }), "channels.telegram.streaming", "edit"],
  [telegram({ streaming: true }), "channels.telegram.streaming", "edit"],
  [telegram({ streaming: false }), "channels.telegram.streaming", "off"],
  [telegram({ streaming: { mode: "block" } }), "channels.telegram.streaming", "blocks"],
  [telegram({ accounts: { a: { streaming: "partial" } } }), "channels.telegram.accounts.a.streaming", "edit"],
])("reads %j of an openclaw.json so that nothing else is lost, and says so", (value, path, expected) => {
  const { mode, config, problems } = evaluate({ ...value, language: "zh" });
  expect(mode).toBe("normal");
  expect(config.language).toBe("zh");
  expect(readPath(config, path.split("."))).toEqual(expected);
  expect(problems.length).toBeGreaterThan(0);
  expect(problems.map(({ severity }) => severity)).not.toContain("error");
});

it("keeps a hook of its own beside the settings of another assistant's hooks", () => {
  const { config } = evaluate({ hooks: { enabled: true, token: "x", post: { secret: "secret:post" } } });
  expect(Object.keys(config.hooks)).toEqual(["post"]);
});

it("never shows a token or the id of a group in what it says", () => {
  const { problems } = evaluate({
    hooks: { enabled: true, token: "planted-token" },
    ...telegram({ groups: { "-100planted": {} } }),
  });
  expect(problems.map(describeProblem).join("\n")).not.toContain("planted");
});

it("answers the groups that a map names, and every group only where the policy says so too", () => {
  const closed = { groups: [], groupPolicy: "allowlist", requireMention: true };
  expect(groupsOf({ groups: { "*": { requireMention: true } } })).toEqual(closed);
  expect(groupsOf({ groups: {}, groupPolicy: "open" })).toEqual(closed);
  expect(groupsOf({ groups: { "*": {} }, groupPolicy: "disabled" })).toMatchObject({
    groupPolicy: "disabled",
  });
  expect(groupsOf({ groups: { "*": {} }, groupPolicy: "open" })).toEqual({ ...closed, groupPolicy: "open" });
  expect(groupsOf({ groups: { "-1": {} }, groupPolicy: "open" })).toEqual({ ...closed, groups: ["-1"] });
  expect(groupsOf({ groups: { "*": {}, "-1": { enabled: false } }, groupPolicy: "open" })).toEqual(closed);
  expect(groupsOf({ groups: { "-1": { tools: { deny: ["exec"] } }, "-2": {} } })).toEqual({
    ...closed,
    groups: ["-2"],
  });
  expect(groupsOf({ groups: { "*": { allowFrom: ["7"] }, "-2": {} } })).toEqual(closed);
});

it("hears a group without a mention only where every group of the map says so", () => {
  const quiet = { requireMention: false };
  expect(groupsOf({ groups: { "-1": quiet, "-2": quiet } }).requireMention).toBe(false);
  expect(groupsOf({ groups: { "-1": quiet, "-2": {} } }).requireMention).toBe(true);
  expect(groupsOf({ groups: { "-1": {}, "*": quiet } }).requireMention).toBe(false);
  expect(groupsOf({ groups: { "-1": quiet }, requireMention: true }).requireMention).toBe(true);
});

it("hears in the groups of a map only the people who are named, unless groups are open", () => {
  const groups = { "-1": {} };
  expect(groupsOf({ groups, allowFrom: [7] }).groupAllowFrom).toEqual([7]);
  expect(groupsOf({ groups, allowFrom: [7], groupAllowFrom: [8] }).groupAllowFrom).toEqual([8]);
  expect(groupsOf({ groups, allowFrom: [7], groupPolicy: "open" }).groupAllowFrom).toBeUndefined();
});

it("closes in a profile and in an account what a map below them leaves closed", () => {
  const { config } = evaluate(
    {
      ...telegram({ groups: { "-1": {} }, allowFrom: [7], accounts: { a: { groupPolicy: "open" } } }),
      profiles: { w: telegram({ groups: { "-2": {} } }) },
    },
    "w",
  );
  expect(config.channels["telegram"]).toMatchObject({
    groups: ["-2"],
    groupAllowFrom: [7],
    accounts: { a: { groupPolicy: "allowlist", groups: ["-1"] } },
  });
});

it("writes what says the same into the file on config migrate, and leaves the rest as its author wrote it", () => {
  const text = migrateText(
    '{ channels: { telegram: { streaming: "partial" /* mine */ } }, hooks: { token: "x" } }',
  );
  expect(text).toContain('streaming: "edit" /* mine */');
  expect(text).toContain('token: "x"');
});

it("takes any value, and changes nothing where it is asked again", () => {
  const names =
    "channels telegram groups * streaming mode hooks enabled gateway http tailscale tools sessions visibility " +
    "plugins load profiles accounts toString";
  const key = fc.constantFrom(...names.split(" "));
  const tree = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 6 },
      fc.constantFrom<unknown>("partial", "all", "self", "none", true, false, null, 7),
      fc.dictionary(key, tie("value"), { maxKeys: 5 }),
    ),
  })).value;
  fc.assert(
    fc.property(tree, (value) => {
      const once = takeOverShapes(value).value;
      expect(takeOverShapes(once).changes).toEqual([]);
    }),
  );
});
