import { createHandClock } from "@pincer/sdk/testing";
import { clean, noUsage, type EntryBody } from "@pincer/sdk";
import { describe, expect, it } from "vitest";
import { createIds } from "../../infra/ids.ts";
import { createMemoryStores } from "../../storage/memory-stores.ts";
import { claim, ending, queue, takeFence } from "../../storage/testing/message-samples.ts";
import { request } from "../../storage/testing/samples.ts";
import type { TurnPerson } from "../../storage/turns/turns.ts";
import { createResultReader } from "./result-reader.ts";

const group = "agent:main:telegram:group:9";
const main = "agent:main:main";
const owner: TurnPerson = { role: "owner", id: "telegram:1" };
const ann: TurnPerson = { role: "peer", id: "telegram:42" };
const bob: TurnPerson = { role: "peer", id: "telegram:43" };
const pincer: TurnPerson = { role: "system", id: "system:tool:exec" };

/** One turn makes a result; another turn of the session reads it, perhaps beside one that a crash left behind. */
async function readBy(sessionKey: string, making: TurnPerson, reading: TurnPerson, left?: TurnPerson) {
  const clock = createHandClock();
  const stores = createMemoryStores({ clock, ids: createIds(clock.now) }).tenant("t_default");
  const { read } = createResultReader({ stores, workspaceId: "w1" });
  const fence = await takeFence(stores, "any");
  const begin = async (id: string, person: TurnPerson) => {
    const { turnId } = await queue(stores, id, { session: request(sessionKey), person });
    return claim(stores, turnId, fence);
  };
  const first = await begin("1", making);
  const { turnId: runId } = first.turn;
  const content = [{ type: "text" as const, text: "the PIN is 4711" }];
  const message = { role: "toolResult" as const, toolCallId: "c", toolName: "read", isError: false, content };
  const bodies = [{ type: "message" as const, runId, message }];
  const [result] = await stores.entries.append(first.session.sessionId, bodies, fence);
  const seq = result?.seq ?? 0;
  const own = await read(sessionKey, seq);
  await stores.turns.end(ending(runId, fence));
  const between = await read(sessionKey, seq);
  if (left) await begin("left", left);
  await begin("2", reading);
  return { own, between, later: await read(sessionKey, seq), other: await read(sessionKey, seq - 1) };
}

const label = { untrusted: true, sources: ["tool:read"] };
const result = { toolName: "read", text: "the PIN is 4711", label };

it.each<[string, string, TurnPerson, TurnPerson]>([
  ["the same person in a group", group, ann, ann],
  ["the owner", group, ann, owner],
  ["the owner, of their own", group, owner, owner],
  ["Pincer itself in the owner's own session", main, owner, pincer],
])("gives a result again to %s", async (_who, key, making, reading) => {
  expect(await readBy(key, making, reading)).toEqual({
    own: result,
    between: undefined,
    later: result,
    other: undefined,
  });
});

it.each<[string, TurnPerson, TurnPerson]>([
  ["a guest what a tool told the owner", owner, ann],
  ["a guest what a tool told another one", bob, ann],
  ["Pincer itself, which answers all, what a tool told the owner", owner, pincer],
])("tells %s in a group nothing of it", async (_who, making, reading) => {
  expect(await readBy(group, making, reading)).toMatchObject({ own: result, later: undefined });
});

it("opens nothing by a turn of the owner that a crash left behind", async () => {
  expect((await readBy(group, owner, ann, owner)).later).toBeUndefined();
  expect((await readBy(group, ann, ann, owner)).later).toEqual(result);
});

describe("what a handle stands for", () => {
  const answer = {
    role: "assistant",
    provider: "p",
    model: "m",
    usage: noUsage(),
    stopReason: "stop",
  } as const;
  const foreign = { untrusted: true, sources: ["file:a.md"] };
  const bodies: EntryBody[] = [
    {
      type: "message",
      message: {
        role: "user",
        content: [
          { type: "text", text: "look", origin: "owner" },
          { type: "text", text: "> theirs", origin: "quoted", from: "with a message of Ada" },
          { type: "image", media: "m", mimeType: "image/png" },
        ],
      },
    },
    {
      type: "message",
      message: {
        ...answer,
        label: foreign,
        content: [
          { type: "thinking", thinking: "hm" },
          { type: "text", text: "It is 12." },
          { type: "toolCall", id: "c", name: "read", arguments: { path: "b.md" } },
        ],
      },
    },
    { type: "compaction", summary: "They talked.", keepFrom: 1, label: foreign },
    { type: "event", name: "carried", data: { summary: "Before.", label: clean } },
    { type: "anchor", name: "next", state: { summary: "Go on.", origin: "peer" } },
    { type: "event", name: "memory-flushed", data: { summary: "x" } },
  ];

  async function opened(reading: TurnPerson = owner, key = main) {
    const clock = createHandClock();
    const stores = createMemoryStores({ clock, ids: createIds(clock.now) }).tenant("t_default");
    const fence = await takeFence(stores, "any");
    const { turnId } = await queue(stores, "1", { session: request(key), person: reading });
    const { session } = await claim(stores, turnId, fence);
    const entries = await stores.entries.append(session.sessionId, bodies, fence);
    const { open } = createResultReader({ stores, workspaceId: "w1" });
    return Promise.all([...entries.map(({ seq }) => open(key, seq)), open(key, 999)]);
  }

  it("is opened with its label: messages, answers with their calls, and marks", async () => {
    expect(await opened()).toEqual([
      {
        kind: "message",
        text: "look\n> theirs",
        images: [{ type: "image", media: "m", mimeType: "image/png" }],
        origin: "quoted",
        from: "with a message of Ada",
        label: { untrusted: true, sources: [] },
      },
      {
        kind: "answer",
        text: 'It is 12.\ncalls read {"path":"b.md"}',
        images: [],
        origin: "summary",
        from: "an earlier answer",
        label: foreign,
      },
      ...[
        ["They talked.", foreign] as const,
        ["Before.", clean] as const,
        ["Go on.\norigin: peer", { untrusted: true, sources: [] }] as const,
      ].map(([text, label]) => ({
        kind: "summary",
        text,
        images: [],
        origin: "summary",
        from: "a summary",
        label,
      })),
      undefined,
      undefined,
    ]);
  });

  it("is for nobody else in a group", async () => {
    expect((await opened(ann, group)).filter(Boolean)).toEqual([]);
  });
});
