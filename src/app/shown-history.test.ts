/** How much of a conversation a model is shown, and what of it is left out. */
import { defineTool, textOf, type Message } from "@pincer/sdk";
import type { ScriptedStep } from "@pincer/sdk/testing";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import { createGateway } from "./create-gateway.ts";
import { gatewayParts } from "./testing/gateway-parts.ts";
import { openTalkStage, type TalkStage } from "./testing/talk-stage.ts";

/** What the newest request shows, a line per message of this role. */
const shown = ({ model }: TalkStage, role: string): string[] =>
  (model.requests.at(-1)?.messages ?? [])
    .filter((message) => message.role === role)
    .map((message) => textOf(message as Message));

describe("a direct chat with a limit", () => {
  const limits = {
    channels: { pigeon: { dmHistoryLimit: 2, dms: { "7": { historyLimit: 4 } } } },
  };
  const say = async (stage: TalkStage, count: number, speaker: { person: string; thread?: string }) => {
    const earlier: number[] = [];
    for (let turn = 1; turn <= count; turn++) {
      await stage.say(`U${turn}`, speaker);
      // A notice in front says that older messages were left out.
      const users = shown(stage, "user").filter((text) => /^U\d$/.test(text));
      // The newest ones, without a gap, and each with its answer.
      expect(users.slice(-3)).toEqual([`U${turn - 2}`, `U${turn - 1}`, `U${turn}`].slice(-users.length));
      expect(shown(stage, "assistant").length).toBe(users.length - 1);
      earlier.push(users.length - 1);
    }
    return earlier;
  };

  it("SESS-17 CFG-09 shows at most as many earlier turns as the channel's limit says, and at least half of them", async () => {
    const stage = await openTalkStage({ config: limits });
    const earlier = await say(stage, 8, { person: "8" });
    expect(earlier.slice(0, 3)).toEqual([0, 1, 2]);
    expect(Math.max(...earlier)).toBe(2);
    expect(Math.min(...earlier.slice(1))).toBe(1);
  });

  it("SESS-18 CFG-09 takes a person's own limit before the channel's, in a thread too, and the owner's", async () => {
    const stage = await openTalkStage({ config: limits });
    expect(Math.max(...(await say(stage, 9, { person: "7" })))).toBe(4);
    expect(Math.max(...(await say(stage, 9, { person: "7", thread: "t1" })))).toBe(4);
    expect(Math.max(...(await say(stage, 6, { person: "42" })))).toBe(2);
  });

  it("SESS-18 without either there is none", async () => {
    const stage = await openTalkStage();
    expect(await say(stage, 8, { person: "7" })).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });
});

it("CTX-06 a request is built again from the transcript, also by the next process", async () => {
  const stage = await openTalkStage();
  await stage.say("first");
  await stage.say("second");
  const before = stage.model.requests.at(-1)?.messages;
  await stage.gateway.stop(1000);
  const next = await createGateway(
    gatewayParts(stage.home),
    {},
    { channels: [stage.network.channel], models: [stage.model] },
  );
  await stage.network.say({
    peer: { kind: "user", id: "42" },
    sender: { id: "42" },
    message: { type: "text", id: "third", text: "third", attachments: [], mentioned: true },
    timestamp: Date.now(),
  });
  await next.idle();
  await next.stop(1000);
  expect(stage.model.requests.at(-1)?.messages.slice(0, 3)).toEqual(before);
  expect(shown(stage, "user")).toEqual(["first", "second", "third"]);
});

describe("old tool results", () => {
  const long = "x".repeat(9000);
  /** Its words are Pincer's own: a turn that read those of others would be shown as handles. */
  const tool = defineTool({
    name: "long_note",
    effect: "read",
    description: "A long note of the house.",
    input: Type.Object({}),
    resultOrigin: "system",
    run: async () => ({ text: long }),
  });
  const read: ScriptedStep = { calls: [{ name: "long_note", arguments: {} }] };
  const done: ScriptedStep = { text: "Done." };
  const talkAbout = async (contextPruning: object, pauseMinutes: number) => {
    const stage = await openTalkStage({
      steps: [read, done, read, done, read, done, read, done, done],
      tools: [tool],
      config: { agents: { defaults: { contextPruning } } },
    });
    for (let turn = 0; turn < 4; turn++) await stage.say("read it");
    stage.pass(pauseMinutes * 60_000);
    await stage.say("and now?");
    return {
      stage,
      sizes: shown(stage, "toolResult").map((text) => (text.length > 8000 ? "whole" : "short")),
    };
  };

  it("COMP-17 COMP-19 are trimmed after five minutes in what is shown, and stay whole in the transcript", async () => {
    const { stage, sizes } = await talkAbout({}, 6);
    expect(sizes).toEqual(["short", "short", "short", "whole"]);
    const folder = join(stage.home, "agents/main/sessions");
    const [file = ""] = await readdir(folder);
    const lines = (await readFile(join(folder, file), "utf8")).split("\n");
    expect(lines.filter((line) => line.includes(long))).toHaveLength(4);
  });

  it.each<[object, number]>([
    [{}, 4],
    [{ ttl: "1h" }, 30],
    [{ mode: "off" }, 600],
  ])(
    "COMP-19 stay while the cache lives, as the config says: %j after %d minutes",
    async (settings, pause) => {
      const { sizes } = await talkAbout(settings, Math.min(pause, 200));
      expect(sizes).toEqual(["whole", "whole", "whole", "whole"]);
    },
  );
});

it("COMP-23 in a chat of strangers old results go wholly, in the owner's they are only trimmed", async () => {
  const look: ScriptedStep = { calls: [{ name: "tools_echo", arguments: { text: "short words" } }] };
  const done: ScriptedStep = { text: "Done." };
  const after = async (person: string) => {
    const stage = await openTalkStage({ steps: [look, done, look, done, look, done, look, done, done] });
    for (let turn = 0; turn < 4; turn++) await stage.say("look", { person });
    stage.pass(6 * 60_000);
    await stage.say("and now?", { person });
    return shown(stage, "toolResult").map((text) => text.includes("short words"));
  };
  expect(await after("42")).toEqual([true, true, true, true]);
  expect((await after("7"))[0]).toBe(false);
});
