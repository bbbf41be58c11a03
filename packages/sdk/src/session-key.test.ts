import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  defaultScope,
  formatSessionKey,
  normaliseAgentId,
  parseSessionKey,
  sameScope,
  type Conversation,
  type SessionScope,
} from "./session-key.ts";

const reserved = [
  "thread",
  "dm",
  "direct",
  "group",
  "room",
  "main",
  "named",
  "agent",
  "tenant",
  "%74hread",
  "scout",
  "r_1",
  "a:b",
  "a/b",
  "100%",
  " ",
];
const part = fc.oneof(
  fc.string({ unit: "binary", minLength: 1, maxLength: 12 }),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 8 }),
  fc.constantFrom(...reserved),
);
const optional = (name: string) =>
  fc.option(part, { nil: undefined }).map((value) => (value === undefined ? {} : { [name]: value }));

const conversation: fc.Arbitrary<Conversation> = fc.oneof(
  fc.constant<Conversation>({ type: "main" }),
  part.map((name): Conversation => ({ type: "named", name: name.normalize("NFC") })),
  part.map((peer): Conversation => ({ type: "direct", peer })),
  fc
    .tuple(part, optional("accountId"), part)
    .map(([channel, account, peer]): Conversation =>
      Object.assign({ type: "direct" as const, channel, peer }, account),
    ),
  fc
    .tuple(part, optional("accountId"), fc.constantFrom("group" as const, "room" as const), part)
    .map(([channel, account, kind, group]): Conversation =>
      Object.assign({ type: "group" as const, channel, kind, group }, account),
    ),
  fc
    .tuple(fc.stringMatching(/^r_[0-9a-z]{1,20}$/), part)
    .map(([turn, call]): Conversation => ({ type: "child", kind: "scout", turn, call })),
);

const scope: fc.Arbitrary<SessionScope> = fc
  .tuple(part, part, fc.stringMatching(/^[a-z0-9][a-z0-9_-]{0,20}$/), conversation, optional("threadId"))
  .map(([tenantId, workspaceId, agentId, conversation, thread]) =>
    Object.assign({ tenantId, workspaceId, agentId, conversation }, thread),
  );

const read = (text: string) => {
  const parsed = parseSessionKey(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.scope;
};
const inAgent = (agentId: string, conversation: Conversation, threadId?: string): SessionScope => ({
  ...defaultScope,
  agentId,
  conversation,
  ...(threadId !== undefined && { threadId }),
});

describe("the short spelling", () => {
  const table: Array<[string, Conversation, string?]> = [
    ["agent:default:main", { type: "main" }],
    ["agent:default:telegram:dm:123456789", { type: "direct", channel: "telegram", peer: "123456789" }],
    [
      "agent:default:telegram:bot1:dm:42",
      { type: "direct", channel: "telegram", accountId: "bot1", peer: "42" },
    ],
    ["agent:default:dm:alice", { type: "direct", peer: "alice" }],
    [
      "agent:default:discord:group:987654321",
      { type: "group", channel: "discord", kind: "group", group: "987654321" },
    ],
    [
      "agent:default:matrix:home:room:r1",
      { type: "group", channel: "matrix", accountId: "home", kind: "room", group: "r1" },
    ],
    ["agent:default:named:项目", { type: "named", name: "项目" }],
    [
      "agent:default:discord:group:987654321:thread:77",
      { type: "group", channel: "discord", kind: "group", group: "987654321" },
      "77",
    ],
    ["agent:default:main:thread:77", { type: "main" }, "77"],
    ["agent:default:scout:r_01m7:call_1", { type: "child", kind: "scout", turn: "r_01m7", call: "call_1" }],
    ["agent:default:scout:dm:42", { type: "direct", channel: "scout", peer: "42" }],
    ["agent:default:dm:thread", { type: "direct", peer: "thread" }],
  ];

  it.each(table)("ROUTE-05 reads %s", (text, conversation, threadId) => {
    expect(read(text)).toEqual(inAgent("default", conversation, threadId));
  });

  it("ROUTE-05 is the canonical key, written as it was read", () => {
    for (const [text] of table.slice(0, -1)) expect(formatSessionKey(read(text))).toBe(text);
  });

  it("X6 takes `direct` for `dm`", () => {
    expect(formatSessionKey(read("agent:a:telegram:direct:42"))).toBe("agent:a:telegram:dm:42");
    expect(formatSessionKey(read("agent:a:direct:42"))).toBe("agent:a:dm:42");
  });

  it("ROUTE-05 keeps the case of provider ids, and lowers that of agent ids", () => {
    expect(formatSessionKey(read("agent:Helper:feishu:dm:OU_aBc"))).toBe("agent:helper:feishu:dm:OU_aBc");
  });
});

describe("the path spelling", () => {
  const prefix = "tenant:acme/workspace:sales/agent:bot";
  it.each<[string, string]>([
    [`${prefix}/main`, "agent:bot:main"],
    [`${prefix}/dm:telegram:42`, "agent:bot:telegram:dm:42"],
    [`${prefix}/dm:telegram:bot1:42`, "agent:bot:telegram:bot1:dm:42"],
    [`${prefix}/dm:alice`, "agent:bot:dm:alice"],
    [`${prefix}/group:discord:9`, "agent:bot:discord:group:9"],
    [`${prefix}/group:discord:9:thread:77`, "agent:bot:discord:group:9:thread:77"],
    [`${prefix}/dm:alice:thread:7`, "agent:bot:dm:alice:thread:7"],
    [`${prefix}/main:thread:7`, "agent:bot:main:thread:7"],
    [`${prefix}/scout:r_01m7:call_1`, "agent:bot:scout:r_01m7:call_1"],
  ])("ROUTE-06 reads %s as %s of its tenant and space", (path, short) => {
    const parsed = read(path);
    expect(parsed).toMatchObject({ tenantId: "acme", workspaceId: "sales", agentId: "bot" });
    expect(formatSessionKey(parsed)).toBe(short);
    expect(formatSessionKey(parsed, "path")).toBe(path);
  });

  it("ROUTE-06 tells an account called `thread` from a thread", () => {
    const account = inAgent("a", { type: "direct", channel: "x", accountId: "thread", peer: "y" });
    const thread = inAgent("a", { type: "direct", peer: "x" }, "y");
    expect(formatSessionKey(account, "path")).not.toBe(formatSessionKey(thread, "path"));
    expect(read(formatSessionKey(account, "path"))).toEqual(account);
    expect(read(formatSessionKey(thread, "path"))).toEqual(thread);
  });
});

describe("the named spelling", () => {
  it("X6 takes a free string for a conversation of the default agent", () => {
    expect(read("holiday plans: 100% done")).toEqual(
      inAgent("main", { type: "named", name: "holiday plans: 100% done" }),
    );
    expect(formatSessionKey(read("telegram:42"))).toBe("agent:main:named:telegram%3A42");
    expect(formatSessionKey(read("我的项目"))).toBe("agent:main:named:我的项目");
  });

  it("X6 takes a bare `main` for the main conversation", () => {
    expect(formatSessionKey(read("main"))).toBe("agent:main:main");
    expect(formatSessionKey(read("agent:main:main"), "named")).toBe("main");
  });

  it("X6 reads composed and decomposed letters as the same name", () => {
    expect(formatSessionKey(read("cafe\u0301"))).toBe(formatSessionKey(read("café")));
    expect(formatSessionKey(read("agent:main:named:cafe\u0301"))).toBe(formatSessionKey(read("café")));
  });

  it("X6 is undefined where the free string would mean something else", () => {
    expect(formatSessionKey(inAgent("helper", { type: "named", name: "x" }), "named")).toBeUndefined();
    expect(
      formatSessionKey(inAgent("helper", { type: "named", name: "x" }), "named", { agentId: "helper" }),
    ).toBe("x");
    expect(formatSessionKey(inAgent("main", { type: "named", name: "main" }), "named")).toBeUndefined();
    expect(
      formatSessionKey(inAgent("main", { type: "named", name: "agent:main:main" }), "named"),
    ).toBeUndefined();
    expect(formatSessionKey(inAgent("main", { type: "named", name: "x" }, "1"), "named")).toBeUndefined();
  });
});

describe("laws", () => {
  it("X6 reads back what it wrote, in every spelling that can hold the scope", () => {
    fc.assert(
      fc.property(scope, (scope) => {
        expect(parseSessionKey(formatSessionKey(scope), scope)).toEqual({ ok: true, scope });
        expect(parseSessionKey(formatSessionKey(scope, "path"))).toEqual({ ok: true, scope });
        const named = formatSessionKey(scope, "named", scope) ?? formatSessionKey(scope);
        expect(parseSessionKey(named, scope)).toEqual({ ok: true, scope });
      }),
      { numRuns: 3000 },
    );
  });

  it("X6 gives different scopes different keys, and one scope one key", () => {
    fc.assert(
      fc.property(scope, scope, (one, other) => {
        const home = { tenantId: one.tenantId, workspaceId: one.workspaceId };
        const neighbour = { ...other, ...home };
        expect(formatSessionKey(one) === formatSessionKey(neighbour)).toBe(sameScope(one, neighbour));
        expect(formatSessionKey(one, "path") === formatSessionKey(other, "path")).toBe(sameScope(one, other));
        const viaPath = parseSessionKey(formatSessionKey(one, "path"));
        expect(viaPath.ok && formatSessionKey(viaPath.scope)).toBe(formatSessionKey(one));
      }),
      { numRuns: 2000 },
    );
  });

  it("X6 gives scopes made of the same few awkward words different keys", () => {
    const word = fc.constantFrom("thread", "dm", "x");
    const close = fc
      .tuple(
        fc.option(word, { nil: undefined }),
        fc.option(word, { nil: undefined }),
        word,
        fc.option(word, { nil: undefined }),
      )
      .map(([channel, accountId, peer, threadId]) =>
        inAgent(
          "a",
          {
            type: "direct",
            ...(channel !== undefined && { channel }),
            ...(channel !== undefined && accountId !== undefined && { accountId }),
            peer,
          },
          threadId,
        ),
      );
    fc.assert(
      fc.property(close, close, (one, other) => {
        const isSame = JSON.stringify(one) === JSON.stringify(other);
        expect(formatSessionKey(one) === formatSessionKey(other)).toBe(isSame);
        expect(formatSessionKey(one, "path") === formatSessionKey(other, "path")).toBe(isSame);
      }),
      { numRuns: 3000 },
    );
  });

  it("X6 never throws while reading, and everything it accepts has a canonical key", () => {
    const nearKey = fc
      .array(
        fc.constantFrom(
          "agent",
          "tenant",
          "workspace",
          ":",
          "/",
          "main",
          "dm",
          "thread",
          "%",
          "%41",
          "x",
          "named",
        ),
        { maxLength: 14 },
      )
      .map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(
        fc.oneof(nearKey, fc.string({ unit: "binary" }), fc.string({ maxLength: 600, minLength: 500 })),
        (text) => {
          const parsed = parseSessionKey(text);
          const canonical = parsed.ok
            ? parseSessionKey(formatSessionKey(parsed.scope), parsed.scope)
            : parsed;
          expect(canonical).toEqual(parsed);
        },
      ),
      { numRuns: 3000 },
    );
  });
});

describe("what is refused", () => {
  it.each([
    ["", "empty"],
    ["   ", "empty"],
    ["a\u0000b", "control"],
    ["a\nb", "control"],
    ["lone \ud800 surrogate", "Unicode"],
    ["agent:main", "conversation"],
    ["agent:main:dm:", "empty"],
    ["agent:main:a:b:c:d:e:f:g", "conversation"],
    ["agent:main:main:thread:", "empty"],
    ["agent:a b:main", "agent id"],
    ["agent:../x:main", "agent id"],
    ["agent:main:dm:%zz", "escape"],
    ["agent:main:dm:%ff", "escape"],
    ["agent:main:group:1", "conversation"],
    ["tenant:t/agent:a/main", "path key"],
    ["tenant:t/workspace:w/agent:a/main/more", "path key"],
    ["tenant:%/workspace:w/agent:a/main", "escape"],
  ])("X6 refuses %j with a reason", (text, reason) => {
    expect(parseSessionKey(text)).toEqual({ ok: false, reason: expect.stringContaining(reason) });
  });

  it("X6 refuses what is too long, also when only its canonical key would be", () => {
    for (const text of ["x".repeat(513), ":".repeat(400)]) {
      expect(parseSessionKey(text)).toEqual({ ok: false, reason: expect.stringContaining("longer") });
    }
  });

  it("X6 does not write a key that could not be read back", () => {
    const write = (conversation: Conversation) => () => formatSessionKey(inAgent("main", conversation));
    expect(write({ type: "direct", peer: "" })).toThrow("empty");
    expect(write({ type: "direct", peer: "\ud800" })).toThrow("Unicode");
    expect(write({ type: "direct", accountId: "a", peer: "b" })).toThrow("channel");
    expect(write({ type: "named", name: "x".repeat(600) })).toThrow("longer");
    expect(() => formatSessionKey(inAgent("Not An Id", { type: "main" }))).toThrow("agent id");
  });
});

it("ROUTE-05 agent ids are lower case, begin with a letter or digit and have at most 64 characters", () => {
  expect(normaliseAgentId(" Helper_2 ")).toBe("helper_2");
  expect(normaliseAgentId("a".repeat(64))).toBe("a".repeat(64));
  for (const none of ["", "-a", "a".repeat(65), "a b", "a/b", "..", "小明"])
    expect(normaliseAgentId(none)).toBeUndefined();
});
