import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { textOf, type Message, type ReceivedMessage } from "@pincer/sdk";
import { createRecordingChannel, createScriptedModel } from "@pincer/sdk/testing";
import { expect, it, onTestFinished } from "vitest";
import type { BeforeCompact } from "../agent/compaction/compaction.ts";
import { createGateway } from "./create-gateway.ts";
import { gatewayParts } from "./testing/gateway-parts.ts";

const message = (id: string, text: string): ReceivedMessage => ({
  peer: { kind: "user", id: "42" },
  sender: { id: "42" },
  // The network tells what was pasted: nothing.
  message: { type: "text", id, text, attachments: [], mentioned: true, pasted: [] },
  timestamp: Date.now(),
});

/** A chat that says these one after another. */
async function talk(beforeCompact: BeforeCompact, texts: string[]) {
  const home = mkdtempSync(join(tmpdir(), "pincer-before-compact-"));
  const config = {
    owners: ["pigeon:42"],
    queue: { debounceMs: 0 },
    channels: { pigeon: { dmPolicy: "open" } },
  };
  writeFileSync(join(home, "config.json5"), JSON.stringify(config), { mode: 0o600 });
  const network = createRecordingChannel({ id: "pigeon" });
  const model = createScriptedModel([{ text: "fine ".repeat(300) }]);
  const gateway = await createGateway(
    gatewayParts(home),
    {},
    { channels: [network.channel], models: [model], beforeCompact },
  );
  onTestFinished(async () => {
    await gateway.stop(1000);
    rmSync(home, { recursive: true });
  });
  for (const [index, text] of texts.entries()) {
    await network.say(message(String(index), text));
    await gateway.idle();
  }
  return { model, replies: network.ledger.map(({ text }) => text) };
}

const questions = ["first", "second", "third"].map((word) => `${word} `.repeat(300).trim());

it("COMP-09 asks session_before_compact, tells it what will be summed up, and takes its summary", async () => {
  const seen: Array<Parameters<BeforeCompact>[0]> = [];
  const { model } = await talk(
    async (event) => {
      seen.push(event);
      return { summary: "In the words of the hook." };
    },
    [...questions, "/compact keep the dates", "and now?"],
  );
  expect(seen).toHaveLength(1);
  const [{ preparation, customInstructions, signal } = {}] = seen;
  expect(preparation?.messagesToSummarize.map((each: Message) => textOf(each))).toContain(questions[0]);
  expect(preparation?.turnPrefixMessages.map((each: Message) => textOf(each))).toEqual([questions[2]]);
  expect(preparation?.fileOps).toEqual({ read: new Set(), written: new Set(), edited: new Set() });
  expect(preparation?.tokensBefore).toBeGreaterThan(1000);
  expect(Number(preparation?.firstKeptEntryId)).toBeGreaterThan(2);
  expect(customInstructions).toContain("keep the dates");
  expect(signal?.aborted).toBe(false);
  // Nobody else was asked for one.
  expect(model.requests).toHaveLength(4);
  expect(textOf(model.requests.at(-1)?.messages[0] as Message)).toContain("In the words of the hook.");
});

it("COMP-09 sums nothing up that session_before_compact forbids", async () => {
  const { model } = await talk(async () => ({ cancel: true }), [...questions, "/compact", "and now?"]);
  expect(model.requests).toHaveLength(4);
  expect(textOf(model.requests.at(-1)?.messages[0] as Message)).toContain(questions[0]);
});
