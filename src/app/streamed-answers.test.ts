/** An answer while it is being made, as the followers of a run and the people of a chat see it. */
import { noUsage, type AssistantMessage, type Model } from "@pincer/sdk";
import { connect } from "node:net";
import { createInterface } from "node:readline";
import { expect, it, onTestFinished } from "vitest";
import { openTalkStage, type TalkStage } from "./testing/talk-stage.ts";

/** Says each answer in these pieces; a piece may be a tool call. */
function createPiecewiseModel(answers: Array<Array<string | { call: string; arguments: object }>>): Model {
  let asked = 0;
  return {
    provider: "scripted",
    id: "pieces",
    async *stream() {
      const content: AssistantMessage["content"] = [];
      let text = "";
      for (const piece of answers[Math.min(asked++, answers.length - 1)] ?? []) {
        if (typeof piece === "string") {
          text += piece;
          yield { type: "text-delta", text: piece };
          continue;
        }
        const call = {
          type: "toolCall" as const,
          id: `call_${asked}`,
          name: piece.call,
          arguments: piece.arguments as Record<string, unknown>,
        };
        content.push(call);
        yield { type: "tool-call", call };
      }
      const stopReason = content.length > 0 ? ("toolUse" as const) : ("stop" as const);
      if (text !== "") content.unshift({ type: "text", text });
      const usage = noUsage();
      const message = { role: "assistant" as const, provider: "scripted", model: "pieces", usage, content };
      yield { type: "end", message: { ...message, stopReason } };
    },
  };
}

const open = (answers: Parameters<typeof createPiecewiseModel>[0], defaults = {}, pigeon = {}) =>
  openTalkStage({
    extras: { models: [createPiecewiseModel(answers)] },
    config: { agents: { defaults }, channels: { pigeon } },
  });

interface RunEvent {
  event: string;
  payload: Record<string, unknown>;
}

/** What a follower of one run is told over its socket, until the end. */
async function follow({ gateway }: TalkStage): Promise<RunEvent[]> {
  const socket = connect(gateway.socket);
  onTestFinished(() => void socket.destroy());
  const send = (id: string, method: string, params: object) =>
    socket.write(`${JSON.stringify({ type: "req", id, method, params })}\n`);
  send("c", "connect", { protocol: 1, client: { name: "test", version: "1" } });
  send("r", "agent.run", { input: "go on", idempotencyKey: "k1", stream: true });
  const events: RunEvent[] = [];
  for await (const line of createInterface({ input: socket })) {
    const frame = JSON.parse(line) as RunEvent & { type: string };
    if (frame.type === "event") events.push(frame);
    if (frame.event === "agent.completed") break;
  }
  return events;
}

const wordsOf = (events: RunEvent[], kind: string) =>
  events
    .flatMap(({ event, payload }) => (event === kind ? [payload["delta"] ?? payload["text"]] : []))
    .join("");

const thinking = [["<thi", "nk>it may ", "rain</th", "ink>Take an ", "umb", "rella."]];

it("STREAM-02 STREAM-03 reasoning between tags, also cut in two, is left out, said too, or told apart", async () => {
  const off = await follow(await open(thinking));
  expect(wordsOf(off, "agent.delta")).toBe("Take an umbrella.");
  expect(JSON.stringify(off)).not.toContain("rain");

  const on = await open(thinking, { reasoningDefault: "on" });
  expect((await on.say("go on")).join("\n")).toMatch(/it may rain[\s\S]*Take an umbrella\./);

  const apart = await follow(await open(thinking, { reasoningDefault: "stream" }));
  expect(wordsOf(apart, "agent.thinking")).toBe("it may rain");
  expect(wordsOf(apart, "agent.delta")).toBe("Take an umbrella.");
});

it("STREAM-02 what stands in final tags is said without them", async () => {
  const stage = await open([["<final>Take", " it.</fi", "nal>"]]);
  expect(await stage.say("go on")).toEqual(["Take it."]);
});

it("STREAM-10 tags inside code are text", async () => {
  const code = "Write `<think>` or:\n\n```\n<think>x</think>\n```";
  const stage = await open([Array.from(code)]);
  expect(await stage.say("go on")).toEqual([code]);
});

const withTools = [
  ["Let me look.", { call: "tools_echo", arguments: { text: "x" } }],
  ["And again.", { call: "read", arguments: { path: "nowhere.txt" } }],
  ["That is all."],
];

it.each([
  [undefined, ["One. Two!\n\nThree?", "Four."]],
  ["text_end", ["One. Two!\n\nThree?", "Four."]],
  ["sentence", ["One.", "Two!", "Three?", "Four."]],
  ["paragraph", ["One. Two!", "Three?", "Four."]],
  ["none", ["One. Two!\n\nThree?\n\nFour."]],
])("STREAM-04 an answer in blocks is cut at its %s", async (blockStreamingBreak, blocks) => {
  const pieces = [["One. Two!\n\nThree?", { call: "tools_echo", arguments: { text: "x" } }], ["Four."]];
  const stage = await open(pieces, { blockStreamingBreak }, { streaming: "blocks" });
  expect((await stage.say("go on")).map((text) => text.trim())).toEqual(blocks);
});

it("STREAM-05 STREAM-07 followers are told of words, blocks, each tool's begin and end, and the end", async () => {
  const events = await follow(await open(withTools));
  const told = events.map(({ event, payload }) => {
    const { text, delta, call, result } = payload as {
      text?: string;
      delta?: string;
      call?: { name: string };
      result?: { ok: boolean };
    };
    return [event, text ?? delta, call?.name, result?.ok].filter((part) => part !== undefined).join(" ");
  });
  expect(told).toEqual([
    "agent.delta Let me look.",
    "agent.block Let me look.",
    "agent.tool_call tools_echo",
    "agent.tool_result tools_echo true",
    "agent.delta And again.",
    "agent.block And again.",
    "agent.tool_call read",
    "agent.tool_result read false",
    "agent.delta That is all.",
    "agent.block That is all.",
    "agent.completed",
  ]);
});

it("STREAM-06 a text that was sent to the same chat in this turn is not sent again, and in the next turn it is", async () => {
  const stage = await open([
    [{ call: "message", arguments: { action: "reply", text: "It is done." } }],
    ["It is  DONE"],
    ["It is  DONE"],
  ]);
  expect(await stage.say("go on")).toEqual(["It is done."]);
  expect(await stage.say("go on")).toEqual(["It is  DONE"]);
});
