/** A turn begins clean: what strangers wrote in earlier turns is shown as handles, end to end. */
import { defineTool, textOf, type Entry, type Message } from "@pincer/sdk";
import type { ScriptedStep } from "@pincer/sdk/testing";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import { openTalkStage, type TalkStage } from "./testing/talk-stage.ts";

const secret = "the gate code is 4711";
const page = defineTool({
  name: "page_read",
  effect: "read",
  controls: {},
  resultOrigin: "web",
  description: "Reads the page.",
  input: Type.Object({}),
  run: async () => ({ text: secret, from: "evil.example" }),
});
const look: ScriptedStep = { calls: [{ name: "page_read", arguments: {} }] };
const told: ScriptedStep = { text: `It says ${secret}.` };
const plainly = "Please add flour, sugar, eggs and milk to my shopping list";

const lines = ({ model }: TalkStage) =>
  (model.requests.at(-1)?.messages ?? []).map((message) => textOf(message as Message));

async function transcript({ home }: TalkStage): Promise<Entry[]> {
  const folder = join(home, "agents/main/sessions");
  const [file = ""] = await readdir(folder);
  const text = (await readFile(join(folder, file), "utf8")).trimEnd();
  return text.split("\n").map((line) => JSON.parse(line) as Entry);
}
const labels = (entries: readonly Entry[]) =>
  entries.flatMap((entry) =>
    entry.type === "message" && entry.message.role === "assistant" ? [entry.message.label?.untrusted] : [],
  );

describe("the turn after one that read a page", () => {
  it("is shown handles, is untainted, and says so with its answer", async () => {
    const stage = await openTalkStage({ steps: [look, told, { text: "Added." }], tools: [page] });
    await stage.say("what does the page say?");
    await stage.say(plainly);
    expect(lines(stage)).toEqual([
      "what does the page say?",
      expect.stringMatching(
        /^\[#5 answer, 30 characters, \d\d:\d\d; #4 result of page_read, 21 characters\. recall opens one\.\]$/,
      ),
      plainly,
    ]);
    expect(JSON.stringify(stage.model.requests.at(-1)?.messages)).not.toContain("4711");
    expect(labels(await transcript(stage))).toEqual([false, true, false]);
  });

  it("is shown the last answer where the words are about it, which taints it, without another request", async () => {
    const stage = await openTalkStage({ steps: [look, told, { text: "Because." }], tools: [page] });
    await stage.say("what does the page say?");
    await stage.say("why?");
    expect(stage.model.requests).toHaveLength(3);
    const last = stage.model.requests.at(-1)?.messages.at(-1);
    expect(last).toMatchObject({ note: expect.stringContaining(secret) });
    expect(labels(await transcript(stage))).toEqual([false, true, true]);
  });

  it("opens a handle with recall, which taints what follows", async () => {
    const open: ScriptedStep = { calls: [{ name: "recall", arguments: { handle: 4 } }] };
    const stage = await openTalkStage({
      steps: [look, told, open, { text: "Done." }, { text: "Hi." }],
      tools: [page],
    });
    await stage.say("what does the page say?");
    await stage.say(plainly);
    expect(lines(stage).at(-1)).toBe(
      `${secret}\n[#4 result of page_read: characters 0 to 21 of 21; the end]`,
    );
    await stage.say("hello");
    expect(JSON.stringify(stage.model.requests.at(-1)?.messages)).not.toContain("4711");
    expect(lines(stage)).toContainEqual(expect.stringContaining("result of recall"));
    expect(labels(await transcript(stage))).toEqual([false, true, false, true, false]);
  });

  it("is shown all of it in somebody else's chat, where nothing can be done with it", async () => {
    const stage = await openTalkStage({ steps: [look, told, { text: "Hi." }], tools: [page] });
    await stage.say("what does the page say?", { person: "7" });
    await stage.say(plainly, { person: "7" });
    expect(lines(stage)).toEqual(["what does the page say?", "", secret, `It says ${secret}.`, plainly]);
    expect(stage.model.requests.at(-1)?.tools.map(({ name }) => name)).not.toContain("recall");
  });

  it("is described as it will be", async () => {
    const stage = await openTalkStage({ steps: [look, told], tools: [page] });
    await stage.say("what does the page say?");
    const shown = await stage.client.request("context.show", {});
    expect(shown.parts).toContainEqual(
      expect.objectContaining({ kind: "history", name: "handles", from: 2, to: 5, count: 1 }),
    );
  });
});
