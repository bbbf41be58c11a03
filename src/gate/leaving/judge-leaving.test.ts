import { clean, joinLabels, type Label } from "@pincer/sdk";
import { array, assert, constantFrom, property, record, subarray } from "fast-check";
import { describe, expect, it } from "vitest";
import type { CallContext, ShownText } from "../call-context.ts";
import type { CallFacts } from "../call-facts.ts";
import type { Grant } from "../grants/grant.ts";
import { judgeLeaving } from "./judge-leaving.ts";

const sources = ["memory", "file:a.md", "file:b.md", "tool:mail"];
const label = record<Label>({ untrusted: constantFrom(true, false), sources: subarray(sources) }).map(
  (each) => joinLabels([each]),
);
const shown = array(
  record<ShownText>({
    text: constantFrom("the bins go out on Tuesday", "meet at six", "secret"),
    origin: constantFrom("file", "web", "tool", "prompt", "owner"),
    from: constantFrom("x"),
    label,
  }),
  { maxLength: 6 },
);
const grant: Grant = {
  by: "planner",
  id: "",
  tool: "message",
  quote: "tell bob",
  recipients: ["pigeon:502"],
  hosts: [],
  args: {},
  sources: [],
  count: 1,
};
const call: CallFacts = {
  tool: "message",
  effect: "act",
  controls: { to: "recipient" },
  leaves: ["text"],
  arguments: { to: "bob", text: "meet at six" },
  recipient: "pigeon:502",
};
const tainted: Label = { untrusted: true, sources: ["memory"] };
const judge = (over: Partial<CallContext>, granted: Partial<Grant> = {}, called: Partial<CallFacts> = {}) =>
  judgeLeaving(
    { ...call, ...called },
    { label: tainted, shown: [], seen: [], typed: [], ...over },
    { ...grant, ...granted },
  );

describe("what leaves", () => {
  it("with a tainted context is never worded from a private source that the grant does not name", () => {
    assert(
      property(shown, subarray(sources), (texts, granted) => {
        const context = {
          label: joinLabels([tainted, ...texts.map((each) => each.label)]),
          shown: texts,
          seen: [],
          typed: [],
        };
        const found = judgeLeaving(call, context, { ...grant, sources: granted });
        const others = context.label.sources.filter((source) => !granted.includes(source));
        const told = found.type === "worded" ? found.texts.flatMap(({ label }) => label.sources) : [];
        expect(found.type === "free" ? others : []).toEqual([]);
        expect(granted).toEqual(expect.arrayContaining(told));
      }),
    );
  });

  it("is free from a context that nobody else wrote in, and where every private source is named", () => {
    expect(judge({ label: { untrusted: false, sources: ["memory"] } })).toEqual({ type: "free" });
    expect(judge({ label: clean })).toEqual({ type: "free" });
    expect(judge({}, { sources: ["memory"] })).toEqual({ type: "free" });
    expect(judge({ label: { untrusted: true, sources: [] } })).toEqual({ type: "free" });
  });

  it("goes as the owner has seen it, whole or in whole lines of one piece", () => {
    const seen = [{ source: "answer:s#4", text: "Plan\n\n- meet at six\n- bring the keys\n- no cake" }];
    const text = (words: string) => judge({ seen }, {}, { arguments: { to: "bob", text: words } }).type;
    expect(text("- meet at six\n- bring the keys")).toBe("seen");
    expect(text(seen[0]?.text ?? "")).toBe("seen");
    expect(text("- meet at six\n- no cake")).toBe("worded");
    expect(text("- bring the")).toBe("worded");
    expect(text("")).toBe("free");
  });

  it("asks where a value that is no text would leave, or an address that the owner did not write", () => {
    expect(judge({}, {}, { arguments: { to: "bob", text: ["a", "b"] } })).toEqual({
      type: "asks",
      sources: ["memory"],
    });
    const post = { controls: { url: "url" as const }, leaves: ["url", "body"] };
    const given = { url: "http://api.example/hook?d=secret", body: "x" };
    expect(judge({}, { hosts: ["api.example"] }, { ...post, arguments: given }).type).toBe("asks");
    expect(judge({}, { hosts: [given.url] }, { ...post, arguments: given }).type).toBe("worded");
  });

  it("stays with the owner where a tool that says who hears of it names nobody", () => {
    const entry = { controls: { when: "schedule", guest: "recipient" } as const, leaves: ["title"] };
    expect(judge({}, {}, { ...entry, recipient: undefined, arguments: { title: "dentist" } })).toEqual({
      type: "free",
    });
    expect(judge({}, {}, { ...entry, arguments: { title: "dentist", guest: "bob" } }).type).toBe("worded");
    const undeclared = {
      controls: { title: "value" } as const,
      leaves: ["title", "note"],
      recipient: undefined,
    };
    expect(judge({}, {}, { ...undeclared, arguments: { title: "x", note: "y" } }).type).toBe("worded");
  });
});

describe("a writer is shown texts of a source", () => {
  const result = (over: Partial<ShownText>): ShownText => ({
    text: "Dinner at 19:00, says m2",
    origin: "tool",
    from: "mail",
    label: { untrusted: true, sources: ["tool:mail"] },
    told: { texts: [], isTainted: true, isFailure: false },
    ...over,
  });
  const mails: Label = { untrusted: true, sources: ["memory", "tool:mail"] };
  const shownTo = (shown: ShownText[], typed: string[] = []) => {
    const found = judge({ label: mails, shown, typed }, { sources: ["tool:mail"] });
    return found.type === "worded" ? found.texts.map(({ text }) => text) : [];
  };
  const told = (...texts: string[]) => ({ texts, isTainted: true, isFailure: false });

  it("SEC-02 and never our own words or a failure, which may say again what the model put into the call", () => {
    const made = { text: "made likes tea.md", label: clean, told: told("likes tea.md") };
    const failed = { text: "there is no mail likes tea", told: { ...told("likes tea"), isFailure: true } };
    expect(shownTo([result(made), result(failed)])).toEqual([]);
  });

  it("SEC-02 nor what somebody answers to words that the model put together after strangers' texts were read", () => {
    const echo = { text: "nothing found for likes tea", told: told("likes tea") };
    expect(shownTo([result({}), result(echo)])).toEqual(["Dinner at 19:00, says m2"]);
    const untainted = { ...echo, told: { ...echo.told, isTainted: false } };
    expect(shownTo([result(untainted)])).toEqual([echo.text]);
  });

  it("an answer to what was typed, or stands in such a text before, is one", () => {
    const mail = result({ text: "the whole mail", told: told("m2") });
    expect(shownTo([mail])).toEqual([]);
    expect(shownTo([result({}), mail])).toEqual(["Dinner at 19:00, says m2", "the whole mail"]);
    expect(shownTo([mail], ["send Bob what m2 says"])).toEqual(["the whole mail"]);
  });
});
