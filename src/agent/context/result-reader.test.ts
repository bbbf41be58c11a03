import { createHandClock } from "@pincer/sdk/testing";
import { expect, it } from "vitest";
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
  const read = createResultReader({ stores, workspaceId: "w1" });
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

const result = { toolName: "read", text: "the PIN is 4711" };

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
