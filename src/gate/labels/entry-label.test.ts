import {
  clean,
  isLabelWithin,
  joinLabels,
  noUsage,
  origins,
  type AssistantMessage,
  type Entry,
  type Label,
  type Message,
  type MessageEntry,
  type TextBlock,
  type ToolResultMessage,
} from "@pincer/sdk";
import { array, assert, boolean, constantFrom, oneof, option, property, record, subarray } from "fast-check";
import { describe, expect, it } from "vitest";
import { labelOfBlock, labelOfMark, labelOfMessage, labelOfTurn, originsOf } from "./entry-label.ts";

const untrusted = (...sources: string[]): Label => ({ untrusted: true, sources });
const block = (rest: Partial<TextBlock>): TextBlock => ({ type: "text", text: "x", ...rest });
const answer = (rest: Partial<AssistantMessage>): AssistantMessage => ({
  role: "assistant",
  content: [{ type: "text", text: "x" }],
  provider: "p",
  model: "m",
  usage: noUsage(),
  stopReason: "stop",
  ...rest,
});
const result = (rest: Partial<ToolResultMessage>): ToolResultMessage => ({
  role: "toolResult",
  toolCallId: "c",
  toolName: "mail_read",
  content: [{ type: "text", text: "x" }],
  isError: false,
  ...rest,
});
const said = (message: Message, seq = 2): MessageEntry => ({ type: "message", message, seq, time: "" });
const mark = (rest: object) => ({ seq: 2, time: "", ...rest }) as Entry;

describe("what a person said", () => {
  it.each<[string, Partial<TextBlock>, Label]>([
    ["the owner typed it", { origin: "owner" }, clean],
    ["Pincer says it", { origin: "system" }, clean],
    ["a program or a pipe sent it", { origin: "owner", typed: false }, untrusted()],
    ["it was passed on", { origin: "quoted" }, untrusted()],
    ["somebody in a group said it", { origin: "group" }, untrusted()],
    [
      "it came from another conversation",
      { origin: "session", from: "agent:main:x" },
      untrusted("session:agent:main:x"),
    ],
    ["nobody knows", {}, untrusted()],
  ])("is labelled by its origin where %s", (_what, given, label) => {
    expect(labelOfBlock(block(given), "owner")).toEqual(label);
  });

  it("is a peer's own in their own chat alone", () => {
    expect(labelOfBlock(block({ origin: "peer" }), "peer")).toEqual(clean);
    expect(labelOfBlock(block({ origin: "peer", typed: false }), "peer")).toEqual(untrusted());
    expect(labelOfBlock(block({ origin: "peer" }), "owner")).toEqual(untrusted());
    expect(labelOfBlock(block({ origin: "group" }), "peer")).toEqual(untrusted());
  });

  it("has the label that was stored with it, whatever its origin", () => {
    expect(labelOfBlock(block({ origin: "owner", label: untrusted("memory") }), "owner")).toEqual(
      untrusted("memory"),
    );
    expect(labelOfBlock(block({ origin: "program", label: clean }), "owner")).toEqual(clean);
  });

  it("may say anything in a picture, which nobody here reads", () => {
    const image = { type: "image", media: "m", mimeType: "image/png" } as const;
    expect(labelOfMessage({ role: "user", content: [block({ origin: "owner" }), image] }, "owner")).toEqual(
      untrusted(),
    );
  });
});

describe("what a tool gave back", () => {
  it.each<[string, Partial<ToolResultMessage>, Label]>([
    ["of an account, whichever tool reads it", {}, untrusted("tool:mail")],
    ["of a file", { origin: "file", from: "a/b.md" }, untrusted("file:a/b.md")],
    ["of a page", { origin: "web", from: "news.example" }, untrusted()],
    ["of Pincer itself", { origin: "system" }, clean],
    ["an error of Pincer itself", { origin: "system", isError: true }, clean],
    ["an error of the tool", { isError: true }, untrusted("tool:mail")],
    ["a file that was labelled when it was written", { origin: "file", label: clean }, clean],
  ])("is labelled as %s", (_what, given, label) => {
    expect(labelOfMessage(result(given), "owner")).toEqual(label);
  });
});

it("an answer is labelled as all that its request showed; from before that it may be made of anything", () => {
  expect(labelOfMessage(answer({ label: clean }), "owner")).toEqual(clean);
  expect(labelOfMessage(answer({}), "owner")).toEqual(untrusted("session"));
  expect(labelOfMessage(answer({ origin: "quoted" }), "owner")).toEqual(untrusted());
});

const anyLabel = record({ untrusted: boolean(), sources: subarray(["a", "b"]) });
const anyMessage = oneof(
  record({ label: option(anyLabel, { nil: undefined }) }).map(({ label }) => answer(label ? { label } : {})),
  record({ origin: constantFrom(...origins), isError: boolean() }).map(result),
  constantFrom(...origins).map((origin): Message => ({ role: "user", content: [block({ origin })] })),
);

it("a turn is labelled as all of its entries and what it was shown, and only grows", () => {
  assert(
    property(array(anyMessage), array(anyMessage), anyLabel, (first, more, before) => {
      const turn = first.map((message) => said(message));
      const label = labelOfTurn(turn, "owner", before);
      expect(label).toEqual(
        joinLabels([before, ...first.map((message) => labelOfMessage(message, "owner"))]),
      );
      const longer = labelOfTurn([...turn, ...more.map((message) => said(message))], "owner", before);
      expect(isLabelWithin(label, longer)).toBe(true);
    }),
  );
});

describe("what stands for what was said before", () => {
  it("has its stored label, else that of its origins, else it may be anything", () => {
    const summary = { type: "compaction", summary: "x", keepFrom: 1 };
    expect(labelOfMark(mark({ ...summary, label: clean, origins: ["web"] }), "owner")).toEqual(clean);
    expect(labelOfMark(mark({ ...summary, origins: ["owner", "system"] }), "owner")).toEqual(clean);
    expect(labelOfMark(mark({ ...summary, origins: ["owner", "program"] }), "owner")).toEqual(
      untrusted("workdir"),
    );
    expect(labelOfMark(mark(summary), "owner")).toEqual(untrusted("session"));
    const carried = { type: "event", name: "carried" };
    expect(labelOfMark(mark({ ...carried, data: { label: clean } }), "owner")).toEqual(clean);
    expect(labelOfMark(mark({ ...carried, data: { origins: ["owner"] } }), "owner")).toEqual(clean);
    expect(labelOfMark(mark({ ...carried, data: { origins: ["web"] } }), "owner")).toEqual(untrusted());
    for (const data of [{}, { label: { untrusted: "no", sources: [] } }, { label: "x" }, { origins: "web" }])
      expect(labelOfMark(mark({ ...carried, data }), "owner")).toEqual(untrusted("session"));
  });

  it("is a handoff's author's", () => {
    const handoff = (origin?: string) => mark({ type: "anchor", name: "a", state: { summary: "x", origin } });
    expect(labelOfMark(handoff(), "owner")).toEqual(clean);
    expect(labelOfMark(handoff("peer"), "owner")).toEqual(untrusted());
    expect(labelOfMark(handoff("peer"), "peer")).toEqual(clean);
  });
});

it("names the kinds of texts that something was made of", () => {
  const pictures = [
    block({ origin: "owner" }),
    { type: "image" as const, media: "m", mimeType: "image/png" },
  ];
  expect(originsOf([said({ role: "user", content: pictures })])).toEqual(["owner", "quoted"]);
  expect(originsOf([said(answer({}))])).toEqual([]);
  expect(originsOf([said(answer({ origin: "quoted" })), said(result({}))], ["web"])).toEqual([
    "quoted",
    "tool",
    "web",
  ]);
});
