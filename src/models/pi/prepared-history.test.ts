/** What the library makes of a prepared history, up to the body that goes over the wire: nothing is lost or renamed on the way. */
import type { Message, ToolDescription } from "@pincer/sdk";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { prepareHistory } from "../history/prepare-history.ts";
import { anyHistory, targets } from "../history/testing/any-history.ts";
import { loadApi } from "./load-api.ts";
import { toPiContext } from "./pi-context.ts";
import { toPiModel } from "./pi-request.ts";

type Target = (typeof targets)[number];
const media = async () => ({ data: Buffer.from("x"), mimeType: "image/png" });

/** The body that would be sent; nothing is sent. */
async function bodyFor(
  messages: readonly Message[],
  record: Target,
  tools: ToolDescription[] = [],
): Promise<unknown> {
  const request = { systemPrompt: "be", messages, tools };
  const context = await toPiContext({ record, request, readMedia: media });
  const stream = await loadApi(record.api);
  if (!stream) throw new Error(`${record.api} is not spoken`);
  const bodies: unknown[] = [];
  const events = stream(record as never, context, {
    apiKey: "none",
    onPayload(payload: unknown) {
      bodies.push(payload);
      throw new Error("that is all that was wanted");
    },
  } as never);
  await events.result();
  return bodies[0];
}

/** Ids of calls and of results, in the order of the body, whatever the format calls them. */
function idsIn(value: unknown, found: { calls: string[]; results: string[] } = { calls: [], results: [] }) {
  if (Array.isArray(value)) for (const each of value) idsIn(each, found);
  else if (typeof value === "object" && value !== null) {
    const row = value as Record<string, unknown>;
    const id = row["tool_call_id"] ?? row["toolCallId"] ?? row["tool_use_id"];
    if (typeof id === "string") found.results.push(id);
    else if (row["type"] === "function_call_output") found.results.push(String(row["call_id"]));
    else if (row["type"] === "function_call") found.calls.push(String(row["call_id"]));
    else if (row["type"] === "tool_use" || row["type"] === "function") found.calls.push(String(row["id"]));
    for (const each of Object.values(row)) idsIn(each, found);
  }
  return found;
}

const formats = ["anthropic-messages", "openai-responses", "openai-completions", "mistral-conversations"];

describe.each(targets.filter(({ api }) => formats.includes(api)))("a history in $api", (record) => {
  it("SESS-16 MODEL-03 keeps each call with its result, by the names that were chosen", async () => {
    await fc.assert(
      fc.asyncProperty(anyHistory, async (messages) => {
        const prepared = prepareHistory(messages, record, "normal");
        const wanted = prepared.flatMap((each) =>
          each.role === "toolResult" ? [each.toolCallId.split("|")[0] ?? ""] : [],
        );
        const { calls, results } = idsIn(await bodyFor(prepared, record));
        expect({ calls, results }).toEqual({ calls: wanted, results: wanted });
      }),
      { numRuns: 150 },
    );
  });
});

describe("a model as the library is told of it", () => {
  it.each(targets.filter(({ api }) => formats.includes(api)))(
    "is asked in $api what it would be asked as it is",
    async (record) => {
      await fc.assert(
        fc.asyncProperty(anyHistory, async (messages) => {
          const prepared = prepareHistory(messages, record, "normal");
          const tools = [{ name: "read", description: "Reads.", parameters: { type: "object" } }];
          const request = { systemPrompt: "be", messages: prepared, tools };
          // Only how much it may say is decided elsewhere.
          const told = {
            ...toPiModel(record, {}, request),
            maxTokens: record.maxTokens,
            contextWindow: 200_000,
          };
          expect(await bodyFor(prepared, told as Target, tools)).toEqual(
            await bodyFor(prepared, record, tools),
          );
        }),
        { numRuns: 50 },
      );
    },
  );
});

describe("a history in google-generative-ai", () => {
  it.each(targets.filter(({ api }) => api.startsWith("google-")))(
    "SESS-16 answers the calls of one turn in the next, for $id",
    async (record) => {
      await fc.assert(
        fc.asyncProperty(anyHistory, async (messages) => {
          const body = (await bodyFor(prepareHistory(messages, record, "normal"), record)) as {
            contents: Array<{ role: string; parts: Array<Record<string, { name: string } | undefined>> }>;
          };
          const named = (part: "functionCall" | "functionResponse", turn = 0) =>
            body.contents[turn]?.parts.flatMap((each) => each[part]?.name ?? []) ?? [];
          for (const turn of body.contents.keys()) {
            if (named("functionCall", turn).length === 0) continue;
            expect(named("functionResponse", turn + 1)).toEqual(named("functionCall", turn));
          }
          expect(body.contents[0]?.role).toBe("user");
          expect(body.contents.at(-1)?.role).toBe("user");
        }),
        { numRuns: 150 },
      );
    },
  );
});
