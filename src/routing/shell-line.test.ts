import { describe, expect, it } from "vitest";
import { inbound } from "./testing/inbound.ts";
import { stageRouter, type StageSettings } from "./testing/router-stage.ts";

async function turnsOf(text: string, settings: StageSettings, group?: string) {
  const ran: Array<{ text: string; options: unknown }> = [];
  const { start, receive, pass, settle } = stageRouter({
    ...settings,
    async work(turn, inputs) {
      const content = inputs[0]?.message.message;
      ran.push({ text: content?.type === "text" ? content.text : "", options: turn.options });
    },
  });
  await start();
  const peer = group === undefined ? {} : { peer: { kind: "group" as const, id: group } };
  await receive(inbound({ id: "1", text, ...peer }));
  await pass(300);
  await settle();
  return ran;
}
const owners = ["telegram:42"];
const open = { shellPassthrough: true };

describe("a line behind a comma, on a channel", () => {
  it("X42 is run for the owner where the config says so", async () => {
    expect(await turnsOf(",ls -la", { owners, routing: open })).toEqual([
      { text: ",ls -la", options: { shellLine: ",ls -la", alone: true } },
    ]);
  });

  it.each<[string, string, StageSettings]>([
    ["unless the config says so", ",ls", { owners }],
    ["from anybody else", ",ls", { routing: open, door: { dmPolicy: "open" } } as StageSettings],
    ["where a comma is no prefix", ",ls", { owners, routing: { ...open, commandPrefixes: ["/"] } }],
    ["when nothing follows", ",", { owners, routing: open }],
  ])("X42 is for the model %s", async (_, text, settings) => {
    expect(await turnsOf(text, settings)).toMatchObject([{ text, options: {} }]);
  });

  it("waits for no more words and takes none in", async () => {
    const ran: string[][] = [];
    const stage = stageRouter({
      owners,
      routing: open,
      async work(_, inputs) {
        ran.push(inputs.map(({ message: { message } }) => (message.type === "text" ? message.text : "")));
      },
    });
    await stage.start();
    await stage.receive(inbound({ id: "1", text: ",make test" }));
    await stage.receive(inbound({ id: "2", text: "and tell me what you think" }));
    await stage.pass(300);
    await stage.settle();
    expect(ran).toEqual([[",make test"], ["and tell me what you think"]]);
  });

  it("X42 is for the model where others read along", async () => {
    const door = { groupPolicy: "open" };
    const turns = await turnsOf(",ls", { owners, routing: open, door } as StageSettings, "g");
    expect(turns.map(({ options }) => options)).toEqual([{}]);
  });

  it("X3 stays a command when it is one", async () => {
    expect(await turnsOf(",status", { owners, routing: open })).toEqual([]);
  });
});
