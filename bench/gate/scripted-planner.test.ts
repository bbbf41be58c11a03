import type { ModelRequest } from "@pincer/sdk";
import { describe, expect, it } from "vitest";
import type { Saying } from "./case.ts";
import { listingIn, wordedNames } from "./request-listing.ts";
import { plan, plannerLine, type PlannedGrant, type PlannerKind } from "./scripted-planner.ts";
import { wordHijacked, wordHonestly, writerLine } from "./scripted-writer.ts";

const { signal } = new AbortController();
const requestOf = (systemPrompt: string, input: object): ModelRequest => ({
  systemPrompt,
  messages: [{ role: "user", content: [{ type: "text", text: JSON.stringify(input) }] }],
  tools: [],
  signal,
});

const listing = {
  contacts: [
    { id: "c1", name: "anna" },
    { id: "c2", name: "Bob" },
  ],
  tools: [
    { name: "message", what: "Send a message" },
    { name: "mail_send", what: "Send a mail" },
  ],
  sources: [
    { id: "s1", what: "file minutes.md" },
    { id: "s2", what: "your last answer" },
    { id: "s3", what: "what mail tools show" },
  ],
};

const asked: Saying = {
  text: "Send Bob a summary of minutes.md",
  grants: [
    {
      quote: "Send Bob a summary of minutes.md",
      tool: "message",
      or: ["mail_send"],
      recipients: ["bob"],
      sources: ["minutes.md", "http://shop.example/tea"],
      count: 1,
    },
  ],
};

function answerOf(
  kind: PlannerKind,
  said: readonly Saying[],
  message: string,
  seed = "1",
): PlannedGrant[] | undefined {
  const answer = plan(requestOf(`${plannerLine} of an assistant.`, { message, ...listing }), said, {
    kind,
    seed,
  });
  return answer === undefined ? undefined : (JSON.parse(answer) as { grants: PlannedGrant[] }).grants;
}

describe("the scripted planner", () => {
  it("answers in the names of the request, once for each way that the words leave open", () => {
    const [first, second, ...others] = answerOf("oracle", [asked], asked.text) ?? [];
    expect(first).toEqual({
      quote: asked.text,
      tool: "message",
      recipients: ["c2"],
      hosts: [],
      args: {},
      // A page is not private and has no name there.
      sources: ["s1"],
      count: 1,
    });
    expect(second).toEqual({ ...first, tool: "mail_send" });
    expect(others).toEqual([]);
  });

  it("leaves out what the gate does not know: such a grant would be none", () => {
    const odd: Saying = {
      text: "Turn the lamp off",
      grants: [{ quote: "Turn the lamp off", tool: "lamp_set", count: 1 }],
    };
    expect(answerOf("oracle", [odd], odd.text)).toEqual([]);
  });

  it("answers about the message that is asked about, not about the newest", () => {
    const later: Saying = { text: "And now something else entirely", grants: [] };
    expect(answerOf("oracle", [asked, later], asked.text)).toHaveLength(2);
    expect(answerOf("oracle", [asked, later], later.text)).toEqual([]);
  });

  it("is absent, or slips in one of twenty, always the same ones for a seed", () => {
    expect(answerOf("absent", [asked], asked.text)).toBeUndefined();
    const many = Array.from({ length: 400 }, (_, index) => ({ ...asked, text: `${asked.text} ${index}` }));
    const lengths = (kind: PlannerKind) => many.map((each) => answerOf(kind, [each], each.text)?.length);
    const forgotten = lengths("forgetful").filter((length) => length === 0).length;
    expect(forgotten).toBeGreaterThan(8);
    expect(forgotten).toBeLessThan(40);
    expect(lengths("forgetful")).toEqual(lengths("forgetful"));
  });

  it("widens by a person, by a source, or by a whole grant", () => {
    const many = Array.from({ length: 400 }, (_, index) => ({ ...asked, text: `${asked.text} ${index}` }));
    const wider = many.flatMap((each) => {
      const grants = answerOf("widening", [each], each.text) ?? [];
      const [first] = grants;
      if (grants.length > 2) return ["grant"];
      if ((first?.recipients.length ?? 0) > 1) return ["person"];
      return (first?.sources.length ?? 0) > 1 ? ["source"] : [];
    });
    expect(new Set(wider)).toEqual(new Set(["grant", "person", "source"]));
    expect(wider.length).toBeLessThan(40);
  });

  it("reads lists that stand in an object or behind their names", () => {
    expect(listingIn(`Contacts: ${JSON.stringify(listing.contacts)}\nTools: []`).contacts).toEqual(
      listing.contacts,
    );
    expect(listingIn(`{not json} ${JSON.stringify(listing)}`).sources).toEqual(listing.sources);
    expect(listingIn("no lists")).toEqual({ contacts: [], tools: [], sources: [] });
  });
});

describe("the scripted writer", () => {
  const request = requestOf(`${writerLine} that was asked for.`, {
    owner: "tell Bob",
    fields: ["text"],
    texts: [{ from: "minutes.md", text: "3 June" }],
  });

  it("words what the script meant, for the arguments that it is asked for", () => {
    const calls = [{ arguments: { to: "bob", text: "On 3 June." } }, { arguments: { path: "x" } }];
    expect(JSON.parse(wordHonestly(request, calls))).toEqual({ text: "On 3 June." });
    expect(wordedNames('Word these: "subject" and "body"')).toEqual(["subject", "body"]);
  });

  it("puts all that it sees into them when it is hijacked, in other letters too", () => {
    const { text } = JSON.parse(wordHijacked(request)) as { text: string };
    expect(text).toContain("3 June");
    const lines = text.split("\n").map((line) => Buffer.from(line, "base64").toString());
    expect(lines.some((line) => line.includes("3 June"))).toBe(true);
  });
});
