import { noUsage, type AssistantMessage } from "@pincer/sdk";
import { anything, assert, asyncProperty, constantFrom, json, oneof, property, string } from "fast-check";
import { describe, expect, it } from "vitest";
import { planGrants, plannerRequest, plannerPrompt, readPlan, type PlannerInput } from "./planner.ts";

const input: PlannerInput = {
  message:
    "Tell Bob the summary of notes.md, then mail [pasted address 1] and post it to api.example.com/hook",
  pasted: { "[pasted address 1]": "jane@home.example" },
  earlier: [],
  contacts: [
    { id: "c1", name: "Bob", places: ["pigeon:502", "bob@work.example"] },
    { id: "c2", name: "Anna", places: ["pigeon:501"] },
  ],
  tools: [
    { name: "message", what: "send a message", args: [] },
    { name: "mail_send", what: "send a mail", args: [] },
  ],
  sources: [{ id: "s1", what: "file notes.md", source: "file:notes.md" }],
  now: "Thursday 2026-11-19 20:00",
};
const grant = { quote: "Tell Bob", tool: "message", recipients: ["c1"], sources: ["s1"], count: 1 };
const plan = (...grants: object[]) => readPlan(JSON.stringify({ grants }), input);
const granted = (...grants: object[]) => {
  const found = plan(...grants);
  return found.type === "planned" ? found.grants : found.reason;
};

const said = (text: string): AssistantMessage => ({
  role: "assistant",
  content: [{ type: "text", text }],
  provider: "p",
  model: "m",
  usage: noUsage(),
  stopReason: "stop",
});

describe("a plan", () => {
  it("is made of ids of ours, looked up", () => {
    expect(granted(grant)).toEqual([
      {
        by: "planner",
        id: "",
        tool: "message",
        quote: "Tell Bob",
        recipients: ["pigeon:502", "bob@work.example"],
        hosts: [],
        args: {},
        sources: ["file:notes.md"],
        count: 1,
      },
    ]);
  });

  it("grants nothing for a quote that is not in the message, a tool, contact, source or address that nobody gave", () => {
    expect(granted({ ...grant, quote: "Tell Anna" })).toEqual([]);
    expect(granted({ ...grant, quote: " " })).toEqual([]);
    expect(granted({ ...grant, tool: "exec" })).toEqual([]);
    expect(granted({ ...grant, recipients: ["c1", "c9"] })).toEqual([]);
    expect(granted({ ...grant, recipients: ["mallory@evil.example"] })).toEqual([]);
    expect(granted({ ...grant, recipients: ["pie"] })).toEqual([]);
    expect(granted({ ...grant, sources: ["s2"] })).toEqual([]);
    expect(granted({ ...grant, hosts: ["evil.example"] })).toEqual([]);
    expect(granted({ ...grant, hosts: ["example.com"] })).toEqual([]);
    expect(granted({ ...grant, args: { when: { from: "s7" } } })).toEqual([]);
  });

  it("takes names as they stand in the message, and puts back what was pasted", () => {
    expect(granted({ ...grant, tool: "mail_send", recipients: ["[pasted address 1]"] })).toMatchObject([
      { recipients: ["jane@home.example"] },
    ]);
    expect(granted({ ...grant, hosts: ["api.example.com/hook"] })).toEqual([]);
    const spoken = { ...input, message: "post it to http://api.example.com/hook, and to news.example." };
    const words = { quote: "post it", tool: "message" };
    const read = (hosts: string[]) => readPlan(JSON.stringify({ grants: [{ ...words, hosts }] }), spoken);
    expect(read(["http://api.example.com/hook"])).toMatchObject({
      grants: [{ hosts: ["http://api.example.com/hook"] }],
    });
    expect(read(["news.example"])).toMatchObject({ grants: [{ hosts: ["news.example"] }] });
    expect(read(["example"])).toMatchObject({ grants: [] });
  });

  it("never throws, whatever the model answers, and grants nothing for what does not fit", () => {
    assert(
      property(
        oneof(
          string(),
          json(),
          anything().map((each) => JSON.stringify({ grants: [each] })),
        ),
        (answer) => {
          const found = readPlan(answer, input);
          expect(found.type === "planned" ? found.grants : []).toEqual([]);
        },
      ),
    );
    expect(readPlan('```json\n{"grants":[]}\n```', input)).toEqual({ type: "planned", grants: [] });
  });

  it("names nothing but what the owner's message or our lists name", () => {
    const names = constantFrom(
      "c1",
      "c2",
      "s1",
      "Bob",
      "bob",
      "api.example.com",
      "x.example",
      "[pasted address 1]",
      "jane@home.example",
    );
    assert(
      property(names, names, names, (recipient, host, source) => {
        for (const found of [
          granted({ ...grant, recipients: [recipient], hosts: [host], sources: [source] }),
        ].flat()) {
          if (typeof found === "string") continue;
          const known = [...input.contacts.flatMap(({ places }) => places), "jane@home.example"];
          for (const place of found.recipients)
            expect(known.includes(place) || input.message.includes(place)).toBe(true);
          for (const each of found.hosts) expect(input.message).toContain(each);
          expect(["file:notes.md"]).toEqual(expect.arrayContaining(found.sources));
        }
      }),
    );
  });

  it("is one small request with the same bytes for the same message", () => {
    expect(plannerRequest(input)).toBe(plannerRequest(structuredClone(input)));
    // Four characters a token, at most 800 tokens with a usual home's contacts and tools.
    const contacts = Array.from({ length: 12 }, (_, index) => ({
      id: `c${index}`,
      name: "Somebody",
      places: [],
    }));
    expect((plannerPrompt + plannerRequest({ ...input, contacts })).length).toBeLessThan(3200);
  });

  it("fails where no model answers, and stops where the turn is stopped", async () => {
    const signal = new AbortController().signal;
    const failing = { ask: () => Promise.reject(new Error("no model")) };
    expect(await planGrants(failing, input, signal)).toEqual({ type: "failed", reason: "no model" });
    const silent = { ask: async () => said("I would rather chat.") };
    expect(await planGrants(silent, input, signal)).toMatchObject({ type: "failed" });
    const well = { ask: async () => said(JSON.stringify({ grants: [grant] })) };
    expect(await planGrants(well, input, signal)).toMatchObject({ type: "planned" });
    await assert(
      asyncProperty(constantFrom(failing, silent, well), async (parts) => {
        await expect(planGrants(parts, input, AbortSignal.abort(new Error("stopped")))).rejects.toThrow(
          "stopped",
        );
      }),
    );
  });
});
