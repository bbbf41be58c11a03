import type { Entry } from "@pincer/sdk";
import { expect, it } from "vitest";
import type { RecalledTurn } from "../storage/turns/turns.ts";
import { createAssistantOutput } from "./assistant-output.ts";
import { inbound } from "./testing/inbound.ts";
import { stageRouter, ticks } from "./testing/router-stage.ts";

/** A turn whose answer is these words, told as ended. */
async function answered(words: string, given: { isOn: boolean; here?: boolean }) {
  const stage = stageRouter({ owners: ["telegram:42"], routing: { debounceMs: 0 } });
  await stage.start();
  const watch = createAssistantOutput({
    ...stage.stores,
    walk: (row) => stage.router().ask(row),
    isOn: () => given.isOn,
    tenantId: "t_default",
    now: () => stage.clock.now(),
    onError: (error) => stage.errors.push(error),
  });
  await stage.receive(inbound({ text: "hello" }));
  await ticks();
  const [turn] = await stage.turns();
  if (!turn) throw new Error("there is no turn");
  const whole = { turn, session: undefined, entries: [entry(words)] } as unknown as RecalledTurn;
  const before = await stage.said();
  watch.ended?.(given.here ? { ...turn, destination: null } : turn, [], whole);
  await ticks();
  const said = (await stage.said()).slice(before.length).map(({ text }) => text);
  const entries = await stage.stores.entries.recent(turn.sessionId ?? "", 9);
  return { ...stage, said, entries, turns: await stage.turns() };
}

const entry = (text: string) =>
  ({
    type: "message",
    seq: 2,
    message: { role: "assistant", content: [{ type: "text", text }] },
  }) as unknown as Entry;

it("ARCH-05 a command that the assistant writes is only shown, unless the owner switched that on", async () => {
  const off = await answered(",whoami", { isOn: false });
  expect(off.said).toEqual([]);
  expect(await off.stores.inbox.listNew(9)).toEqual([]);
  const on = await answered(",whoami", { isOn: true });
  expect(on.said).toEqual([expect.stringContaining("You are assistant:main")]);
  expect(on.turns).toHaveLength(1);
});

it("ARCH-05 where the answer is read in the session, what the command says is an entry of it", async () => {
  const { said, entries } = await answered(",whoami", { isOn: true, here: true });
  expect(said).toEqual([]);
  expect(entries.at(-1)).toMatchObject({ type: "command", name: "whoami", input: ",whoami" });
});

it.each([
  ",approve",
  ",rule be loud",
  ",new plan a trip",
  ",tape.reset",
  ",stop",
  ",continue",
  ",compact",
  ",echo x",
  "Say ,help for more.",
  ",help\nand more",
  "/help",
])("has no effect where the assistant writes %j, also when that is switched on", async (words) => {
  const { said, turns, begunSessions, stores } = await answered(words, { isOn: true });
  expect({ said, turns: turns.length, begunSessions }).toEqual({ said: [], turns: 1, begunSessions: [] });
  expect(await stores.rules.list({})).toEqual([]);
});
