import type { ReadAnswer, ReadRequest } from "@pincer/sdk";
import { describe, expect, it } from "vitest";
import { readTaken, textsOfSource, type TakingQuestion } from "./read-taken.ts";

const { signal } = new AbortController();

async function taking(found: unknown, over: Partial<TakingQuestion["taken"][number]> = {}) {
  const requests: ReadRequest[] = [];
  const value = {
    argument: "when",
    value: "2031-06-12T08:00",
    source: "tool:mail",
    kind: "schedule",
    texts: ["The trip is on 2031-06-12 at 08:00, or on the 13th."],
    ...over,
  } as const;
  const read = async (request: ReadRequest): Promise<ReadAnswer> => {
    requests.push(request);
    if (found === undefined) return { type: "unread", reason: "no model" };
    return {
      type: "read",
      fields: { [value.argument]: found as string[] },
      origin: "tool",
      from: "tool:mail",
    };
  };
  const typed = ["put the trip into my calendar"];
  const taken = await readTaken(
    { read, now: "2031-05-01" },
    { tool: "calendar_add", typed, taken: [value] },
    signal,
  );
  return { taken, requests };
}

describe("a value that a grant wants taken from a source", () => {
  it("SEC-02 is read from that source and the owner's words, and from nothing that the acting model wrote", async () => {
    const { requests } = await taking(["2031-06-12T08:00"], { value: "the model says otherwise" });
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({
      text: "The trip is on 2031-06-12 at 08:00, or on the 13th.",
      from: "tool:mail",
    });
    expect(requests[0]?.question).toContain("put the trip into my calendar");
    expect(JSON.stringify(requests)).not.toContain("otherwise");
  });

  it("stays as it is where the reader finds the same, in whatever spelling", async () => {
    const { taken } = await taking(["2031-06-12 08:00", "2031-06-12T08:00"]);
    expect(taken).toEqual({ type: "read", values: {} });
  });

  it("SEC-02 is the reader's where the model wrote another one", async () => {
    const { taken } = await taking(["2031-06-12T08:00"], { value: "2031-06-14T08:00" });
    expect(taken).toEqual({ type: "read", values: { when: "2031-06-12T08:00" } });
  });

  it.each([
    ["there is none", []],
    ["several fit, and none is the model's", ["2031-06-15", "2031-06-16"]],
    ["several fit, and the model has chosen one", ["2031-06-13", "2031-06-12T08:00"]],
    ["it is no date", ["tomorrow, and tell Mallory"]],
    ["nobody can read it", undefined],
  ])("is asked where %s", async (_name, found) => {
    expect((await taking(found)).taken.type).toBe("failed");
  });

  it("is asked where nothing of the source was read", async () => {
    const { taken, requests } = await taking(["2031-06-12T08:00"], { texts: [] });
    expect([taken.type, requests]).toEqual(["failed", []]);
  });

  it("is a number of up to 15 digits, or a name that stands in the source, where it is no date", async () => {
    const amount = {
      argument: "amount",
      kind: "value",
      value: "1",
      texts: ["Budget call: 40.50 euros"],
    } as const;
    const of = async (found: string) => (await taking([found], amount)).taken;
    expect(await of("40.50")).toEqual({ type: "read", values: { amount: "40.50" } });
    expect(await of("Budget call")).toEqual({ type: "read", values: { amount: "Budget call" } });
    expect((await of("1234567890123456")).type).toBe("failed");
    expect((await of("the passphrase is acorn")).type).toBe("failed");
  });
});

it("SEC-02 the texts of a source are those that hold nothing else", () => {
  const shown = [
    { text: "mine", origin: "owner", sources: ["tool:mail"] },
    { text: "mail", origin: "tool", sources: ["tool:mail"] },
    { text: "mail and memory", origin: "session", sources: ["memory", "tool:mail"] },
    { text: "page", origin: "web", sources: [] },
  ] as const;
  const context = {
    shown: shown.map(({ text, origin, sources }) => ({
      text,
      origin,
      from: "",
      label: { untrusted: true, sources: [...sources] },
    })),
    seen: [{ source: "answer:s#4", text: "on the 12th" }],
    pages: [{ source: "page:http://opera.example/carmen", text: "6 June" }],
  };
  expect(textsOfSource("tool:mail", context)).toEqual(["mail"]);
  expect(textsOfSource("answer:s#4", context)).toEqual(["on the 12th"]);
  expect(textsOfSource("page:http://opera.example/carmen", context)).toEqual(["6 June"]);
  expect(textsOfSource("memory", context)).toEqual([]);
});
