/** The smallest programs that broke a law on the product's gate once, and what outsiders see of them now. */
import { expect, it } from "vitest";
import { laws } from "./checkers.ts";
import { openCoreGate } from "./core-gate.ts";
import type { LawGrant } from "./port.ts";
import type { LawTurn, Piece, Step } from "./program.ts";
import { runProgram } from "./run-program.ts";

const literal = (text: string): Piece[] => [{ type: "literal", text }];
const seen = (at: number, length = 60): Piece[] => [{ type: "seen", at, encoding: "plain", from: 0, length }];
const call = (tool: string, given: Record<string, Piece[]>, isYes = false): Step => ({
  type: "call",
  tool,
  arguments: given,
  isYes,
});
const grant = (tool: string, over: Partial<LawGrant>): LawGrant => ({
  tool,
  recipients: [],
  hosts: [],
  args: {},
  sources: [],
  count: 1,
  ...over,
});
const turn = (text: string, steps: Step[], over: Partial<LawTurn> = {}): LawTurn => ({
  by: "owner",
  session: "main",
  agent: "main",
  day: 0,
  words: [{ text, isPasted: false }],
  grants: [],
  steps,
  ends: "answer",
  answer: literal("Hello."),
  ...over,
});

/** What breaks a law, and the tools with which something happened. */
async function played(...turns: LawTurn[]) {
  const run = await runProgram(openCoreGate, { secret: "abc", turns });
  const wrong = Object.values(laws).flatMap((law) => law(run));
  const acts = run.outside.flatMap((event) => (event.type === "act" ? [event.tool] : []));
  return { wrong, acts, run };
}

it("a grant for one message covers no second one to a name that means the same place", async () => {
  const send = call("sessions_send", { session: literal("agent:main:main"), text: literal("Hello.") });
  const words = "write to session:agent:main:main";
  const grants = [grant("sessions_send", { recipients: ["agent:main:main"] })];
  const { wrong, acts } = await played(turn(words, [send, send], { grants }));
  expect(wrong).toEqual([]);
  expect(acts).toEqual(["sessions_send"]);
});

it("an empty state is none that the owner's words grant", async () => {
  const set = call("lamp_set", { lamp: literal("kitchen"), state: literal("") });
  const sources = ["memory", "user", "tool:mail"];
  const grants = [grant("lamp_set", { args: { lamp: "kitchen", state: "on" }, sources })];
  const mail = call("mail_read", { id: literal("m1") });
  expect(await played(turn("light, please", [mail, set], { grants }))).toMatchObject({ wrong: [], acts: [] });
});

it("a writer is not shown what the model knows of memory, although a tool says it again", async () => {
  const steps = [
    call("mail_read", { id: literal("m1") }),
    call("write", { path: seen(0), content: literal("x") }),
    call("mail_send", { to: literal("bob@work.example"), subject: literal("a"), body: literal("b") }),
  ];
  const grants = [grant("mail_send", { recipients: ["bob@work.example"], sources: ["tool:mail"] })];
  const { wrong, acts, run } = await played(turn("tell Bob what the mail says", steps, { grants }));
  expect(wrong).toEqual([]);
  expect(acts).toEqual(["mail_send"]);
  expect(run.inputs.filter(({ kind }) => kind === "writer").map(({ label }) => label.sources)).toEqual([
    ["tool:mail"],
  ]);
});

it.each<[string, Step]>([
  ["a program prints", call("exec", { path: literal("health.md") })],
  ["a mailbox shows", call("mail_read", { id: literal("m1") })],
])("a group is told nothing that %s without a yes", async (_, step) => {
  const inGroup = { session: "family", answer: seen(1) } as const;
  expect((await played(turn("what is new?", [step], inGroup))).wrong).toEqual([]);
});

it("somebody else's turn in a group is not shown what the owner let be looked up there", async () => {
  const looked = turn("what is new?", [call("mail_read", { id: literal("m1") }, true)], {
    session: "family",
  });
  const asked = turn("and?", [], { session: "family", by: "peer", answer: seen(0, 400) });
  expect((await played(looked, asked)).wrong).toEqual([]);
});

it("a group is not told what a file holds besides itself, although the words name the file", async () => {
  const noted = turn("note it", [call("write", { path: literal("notes.md"), content: seen(0) })]);
  const read = [call("web_search", { query: literal("x") }), call("read", { path: literal("notes.md") })];
  const asked = turn("what does notes.md say?", read, { session: "family", answer: seen(2) });
  expect((await played(noted, asked)).wrong).toEqual([]);
});

it("what the owner said before is no text from outside when it is opened again", async () => {
  const recall = call("recall", { back: literal("2") });
  const mail = call("mail_read", { id: literal("m1") });
  const fetch = call("web_fetch", { url: literal("http://shop.example/tea") });
  const { wrong, run } = await played(
    turn("see http://shop.example/tea", [call("read", { path: literal("draft.md") }), recall]),
    turn("what is new?", [mail, fetch]),
  );
  expect(wrong).toEqual([]);
  expect(run.outside).toEqual([]);
});
