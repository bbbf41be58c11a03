import { clean, type Label } from "@pincer/sdk";
import { describe, expect, it } from "vitest";
import type { CallContext } from "./call-context.ts";
import type { CallFacts } from "./call-facts.ts";
import type { Grant } from "./grants/grant.ts";
import { createTurnGrants } from "./grants/turn-grants.ts";
import { judgeCall, type JudgeParts } from "./judge-call.ts";

const context = ({ label = clean, isGroup = false, isOwners = true } = {}): CallContext => ({
  label,
  shown: [],
  typed: [],
  said: [],
  earlierWords: [],
  isOwners,
  isGroup,
  seen: [],
  pages: [],
  earlier: [],
  earlierCalls: [],
});

const grantOf = (more: Partial<Grant>): Grant => ({
  by: "planner",
  id: "",
  tool: "answer",
  quote: "what is on my list?",
  recipients: [],
  hosts: [],
  args: {},
  sources: [],
  count: 1,
  ...more,
});

const partsFor = ({
  planned = [] as Grant[],
  named = [] as string[],
  isConfirmed = true,
} = {}): JudgeParts => ({
  grants: createTurnGrants({
    isConfirmed: async () => isConfirmed,
    standing: async () => [],
    marks: [],
    plan: async () => ({ type: "planned", grants: planned }),
  }),
  owners: [],
  named,
  isConfirmed: async () => false,
  wasApproved: async () => false,
  isGiven: () => false,
  unseenChange: async () => "",
  holdsStoredSecret: () => false,
  judgeAddress: () => undefined,
  mayShow: () => true,
  judgeWrite: async () => undefined,
});

describe("what is looked up where others read the answer", () => {
  const reading = (tool: string, looksAt: CallFacts["looksAt"], path?: string): CallFacts => ({
    tool,
    effect: looksAt === "program" ? "act" : "read",
    controls: path === undefined ? {} : { path: "path" },
    leaves: [],
    arguments: path === undefined ? { command: "cat notes.md # dinner" } : { path, maxBytes: 100 },
    looksAt,
  });
  const calls: ReadonlyArray<[source: string, call: CallFacts]> = [
    ["file:todo.md", reading("read", "file", "./todo.md")],
    ["workdir", reading("exec", "program")],
    ["memory", reading("memory_search", "memory")],
    ["session", reading("sessions_history", "session")],
    ["tool:mail", reading("mail_read", "tool")],
  ];
  const inGroup = context({ isGroup: true });

  it.each(calls)("SAFE-02 is asked about unless the owner's words ask for it: %s", async (source, call) => {
    expect((await judgeCall(call, inGroup, partsFor())).findings).toMatchObject([{ check: "audience" }]);
    const other = partsFor({
      planned: [grantOf({ sources: ["file:x.md"] }), grantOf({ tool: "message", sources: [source] })],
    });
    expect((await judgeCall(call, inGroup, other)).findings).toMatchObject([{ check: "audience" }]);
    const asked = partsFor({ planned: [grantOf({ sources: [source] })] });
    expect((await judgeCall(call, inGroup, asked)).findings).toEqual([]);
    // Words that may be pasted grant nothing that no card has shown.
    const pasted = partsFor({ planned: [grantOf({ sources: [source] })], isConfirmed: false });
    expect((await judgeCall(call, inGroup, pasted)).findings).toMatchObject([{ check: "audience" }]);
    expect((await judgeCall(call, inGroup, partsFor({ named: [source] }))).findings).toEqual([]);
    expect((await judgeCall(call, context(), partsFor())).findings).toEqual([]);
  });

  it("leaves to others the accounts that the config gives them, and no other", async () => {
    const parcel = reading("parcel_status", "tool");
    const theirs = context({
      isGroup: true,
      isOwners: false,
      label: { untrusted: true, sources: [] } satisfies Label,
    });
    expect((await judgeCall(parcel, theirs, { ...partsFor(), isGiven: () => true })).findings).toEqual([]);
    expect((await judgeCall(parcel, theirs, partsFor())).findings).toMatchObject([
      { code: "group-reads-along" },
    ]);
  });
});

describe("a call that would tell more than its grant names", () => {
  const post: CallFacts = {
    tool: "http_request",
    effect: "act",
    controls: { url: "url" },
    leaves: ["url", "body"],
    arguments: { url: "http://lamp.example/api", body: "color=blue" },
  };
  const tainted = context({ label: { untrusted: true, sources: ["memory"] } });
  const standing = grantOf({ by: "standing", tool: "http_request", hosts: ["lamp.example"] });

  it("SAFE-02 runs where the owner has read exactly this on a card and said yes, and asks otherwise", async () => {
    const parts = partsFor({ planned: [standing] });
    expect((await judgeCall(post, tainted, parts)).findings).toMatchObject([{ check: "sources" }]);
    const approved = { ...parts, wasApproved: async () => true };
    expect((await judgeCall(post, tainted, approved)).findings).toEqual([]);
    // What a file holds may have changed since.
    const changed = { ...approved, unseenChange: async () => "-old\n+new a.md" };
    const holding = {
      ...tainted,
      label: { ...tainted.label, sources: [...tainted.label.sources, "file:a.md"] },
    };
    expect((await judgeCall(post, holding, changed)).findings).toMatchObject([{ check: "unseen" }]);
    const ungranted = { ...partsFor(), wasApproved: async () => true };
    expect((await judgeCall(post, tainted, ungranted)).findings).toMatchObject([
      { check: "url" },
      { check: "sources" },
    ]);
  });

  it("SAFE-02 names each value that is to be taken from a source with the private sources that it would tell", async () => {
    const call: CallFacts = {
      ...post,
      controls: { ...post.controls, when: "schedule" },
      arguments: { ...post.arguments, when: "2031-01-02" },
    };
    const grant = { ...standing, args: { when: { from: "tool:mail" } } };
    const { findings } = await judgeCall(call, tainted, partsFor({ planned: [grant] }));
    expect(findings).toMatchObject([{ check: "sources" }, { check: "value" }]);
  });
});
