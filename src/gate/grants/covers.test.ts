import { clean } from "@pincer/sdk";
import { array, assert, constantFrom, dictionary, integer, option, property, record } from "fast-check";
import { describe, expect, it } from "vitest";
import type { CallFacts } from "../call-facts.ts";
import { coverageOf, recipientsOf, type CoverageQuestion } from "./covers.ts";
import type { Grant } from "./grant.ts";
import { usesOf } from "./turn-grants.ts";

const place = constantFrom("pigeon:1", "pigeon/main:1", "pigeon:2", "ada@home.example", "BOB@work.example");
const text = constantFrom("a", "b", "2026-11-24T15:00", "5");
const grants = array(
  record<Grant>({
    by: constantFrom("planner", "standing", "mark", "card"),
    id: constantFrom(""),
    tool: constantFrom("message", "mail_send", "calendar_add", "*"),
    quote: constantFrom("words"),
    recipients: array(place, { maxLength: 3 }),
    hosts: array(constantFrom("api.example", "http://news.example/a"), { maxLength: 2 }),
    args: dictionary(
      constantFrom("when", "title"),
      text.map((value) => ({ value })),
    ),
    sources: constantFrom([], ["file:a.md"]),
    count: option(integer({ min: 1, max: 3 }), { nil: undefined }),
  }),
  { maxLength: 4 },
);
const call = record<CallFacts>({
  tool: constantFrom("message", "mail_send", "calendar_add", "http_request"),
  effect: constantFrom("act"),
  controls: constantFrom<CallFacts["controls"]>(
    { to: "recipient" },
    { to: "recipient", when: "schedule" },
    { url: "url" },
    { title: "value", when: "schedule" },
    {},
  ),
  leaves: constantFrom(["text"]),
  arguments: record(
    {
      to: place,
      when: text,
      title: text,
      text,
      url: constantFrom("http://news.example/a", "http://api.example/b"),
    },
    { requiredKeys: [] },
  ),
  recipient: option(place, { nil: undefined }),
});
const context = record<CoverageQuestion["context"]>({
  label: constantFrom(clean, { untrusted: true, sources: ["memory"] }),
});

const messenger: CallFacts = {
  tool: "message",
  effect: "act",
  controls: { to: "recipient" },
  leaves: ["text"],
  arguments: { to: "bob", text: "hi" },
  recipient: "pigeon/main:502",
};
const toBob: Grant = {
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
const ask = (over: Partial<CoverageQuestion>) =>
  coverageOf({
    call: messenger,
    context: { label: clean },
    grants: [toBob],
    uses: () => 0,
    ...over,
  });

describe("coverage", () => {
  it("of a call needs one grant with its tool, all of its recipients and all of its hosts", () => {
    assert(
      property(call, context, grants, (call, context, grants) => {
        const found = coverageOf({ call, context, grants, uses: () => 0 });
        if (found.type === "open") return;
        const { grant } = found;
        expect(grants).toContain(grant);
        expect([call.tool, "*"]).toContain(grant.tool);
        for (const { value } of recipientsOf(call))
          expect(grant.recipients.map((each) => each.toLowerCase().replace("/main", ""))).toContain(
            value.toLowerCase().replace("/main", ""),
          );
        const isAddressed = "url" in call.controls && call.arguments["url"] !== undefined;
        expect(isAddressed && grant.hosts.length === 0).toBe(false);
      }),
    );
  });

  it("with fewer grants is never more", () => {
    assert(
      property(call, context, grants, grants, (call, context, grants, others) => {
        const few = coverageOf({ call, context, grants, uses: () => 0 });
        const many = coverageOf({ call, context, grants: [...grants, ...others], uses: () => 0 });
        expect([few.type, many.type]).not.toEqual(["covered", "open"]);
      }),
    );
  });

  it("in a tainted context is never more than in an untainted one", () => {
    assert(
      property(call, grants, (call, grants) => {
        const tainted = { label: { untrusted: true, sources: [] } };
        const found = coverageOf({ call, context: tainted, grants, uses: () => 0 });
        const untainted = coverageOf({ call, context: { label: clean }, grants, uses: () => 0 });
        expect([found.type, untainted.type]).not.toEqual(["covered", "open"]);
      }),
    );
  });

  it("takes no two halves together", () => {
    const bobsMail: Grant = { ...toBob, tool: "mail_send", recipients: ["bob@work.example"] };
    const annasMessage: Grant = { ...toBob, recipients: ["pigeon:501"] };
    expect(ask({ grants: [bobsMail, annasMessage] })).toEqual({
      type: "open",
      why: { type: "recipient", argument: "to", value: "pigeon/main:502" },
    });
    expect(ask({}).type).toBe("covered");
  });

  it("ends with the count of the grant", () => {
    expect(ask({ uses: () => 1 })).toEqual({ type: "open", why: { type: "count", count: 1 } });
    expect(ask({ uses: () => 1, grants: [{ ...toBob, count: 2 }] }).type).toBe("covered");
  });

  it("counts an earlier call by the place that it reached, and one to nobody known against every grant", () => {
    const earlier = (to: string) => ({
      earlier: [{ ...messenger, recipient: undefined, arguments: { to } }],
    });
    expect(usesOf(toBob, earlier("pigeon:501"))).toBe(0);
    expect(usesOf(toBob, earlier("pigeon/main:502"))).toBe(1);
    // One that names nobody known counts.
    expect(usesOf(toBob, earlier("somebody"))).toBe(1);
  });

  it("goes by whom the tool found, not by the name that the model wrote", () => {
    expect(ask({ call: { ...messenger, recipient: "pigeon/main:666" } }).type).toBe("open");
  });

  it("SEC-02 a value that is there and empty is one that nobody granted", () => {
    const lamp: CallFacts = {
      tool: "lamp",
      effect: "act",
      controls: { state: "value" },
      leaves: [],
      arguments: { state: "" },
    };
    const tainted = { label: { untrusted: true, sources: [] }, fields: [] };
    const on: Grant = { ...toBob, tool: "lamp", recipients: [], args: { state: { value: "on" } } };
    for (const state of ["", [], {}])
      expect(ask({ call: { ...lamp, arguments: { state } }, context: tainted, grants: [on] })).toEqual({
        type: "open",
        why: { type: "value", argument: "state", value: "" },
      });
    expect(ask({ call: { ...lamp, arguments: {} }, context: tainted, grants: [on] }).type).toBe("covered");
  });

  it("a value in a tainted context is the owner's or one of a source that the grant names", () => {
    const pay: CallFacts = {
      tool: "pay",
      effect: "act",
      controls: { amount: "value" },
      leaves: [],
      arguments: { amount: 40 },
    };
    const tainted = { label: { untrusted: true, sources: [] } };
    const grant: Grant = { ...toBob, tool: "pay", recipients: [] };
    const open = { type: "open", why: { type: "value", argument: "amount", value: "40" } };
    const covered = (args: Grant["args"], taken: object[] = []) => ({
      type: "covered",
      grant: { ...grant, args },
      taken,
    });
    const asking = (args: Grant["args"], over: Partial<CoverageQuestion> = {}) =>
      ask({ call: pay, context: tainted, grants: [{ ...grant, args }], ...over });
    expect(asking({})).toEqual(open);
    expect(asking({ amount: { value: 40 } })).toEqual(covered({ amount: { value: 40 } }));
    const fromBill = { amount: { from: "file:bill.pdf" } };
    expect(asking(fromBill)).toEqual(
      covered(fromBill, [{ argument: "amount", value: "40", source: "file:bill.pdf" }]),
    );
    // What is no plain value cannot be taken.
    expect(asking(fromBill, { call: { ...pay, arguments: { amount: [40] } } })).toEqual(open);
    expect(asking({}, { context: { label: clean } })).toEqual(covered({}));
    expect(asking(fromBill, { context: { label: clean } })).toEqual(covered(fromBill));
  });
});
