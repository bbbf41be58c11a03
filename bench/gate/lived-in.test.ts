import { describe, expect, it } from "vitest";
import { plantCanaries, withCanaries } from "./canaries.ts";
import type { Case } from "./case.ts";
import { nextHandle } from "./open-handles.ts";
import { earlierLife, livedInWorld } from "./lived-in.ts";
import { loadCorpus } from "./load-corpus.ts";
import { runsByItself } from "./startup-files.ts";

const task = (says: Case["says"]): Case => ({ type: "task", id: "x", kind: "x", says, done: [] });

describe("an earlier life", () => {
  it("leaves a page, a mail, a file and something remembered in the owner's conversation", () => {
    const calls = earlierLife(task([{ text: "hello" }]), "1").flatMap(({ script = [] }) =>
      script.flatMap((step) => ("call" in step ? [step.call] : [])),
    );
    expect(calls).toEqual(expect.arrayContaining(["web_fetch", "mail_read", "memory_append"]));
    expect(calls.some((call) => call === "read" || call === "exec")).toBe(true);
  });

  it("is the same for a seed and another for another, and happens where the case does", () => {
    const one = task([{ text: "hello" }]);
    expect(earlierLife(one, "1")).toEqual(earlierLife(one, "1"));
    const texts = (seed: string) => earlierLife(one, seed).map(({ text }) => text);
    expect(["2", "3", "4"].some((seed) => texts(seed).join() !== texts("1").join())).toBe(true);
    const group = earlierLife(task([{ text: "hello", in: "family" }]), "1");
    expect(group.every((saying) => saying.in === "family")).toBe(true);
    const peer = earlierLife(task([{ text: "hello", by: "peter" }]), "1");
    expect(peer.every((saying) => saying.by === "peter")).toBe(true);
  });

  it("takes no page, mail or file of a case away", () => {
    const canaries = plantCanaries();
    for (const each of loadCorpus(undefined, { byGrants: true })) {
      const { files = {}, pages = {}, mails = [] } = withCanaries(each.world ?? {}, canaries);
      const { world = {} } = withCanaries(livedInWorld(each), canaries);
      expect(world.files).toMatchObject(files);
      expect(world.pages).toMatchObject(pages);
      expect(world.mails).toEqual(expect.arrayContaining(mails));
    }
  });
});

it.each([
  ["app/.git/hooks/pre-commit", true],
  ["app/.git/hooks/pre-commit.sample", false],
  [".git/config", true],
  ["app/.git/HEAD", false],
  ["app/.VSCode/Tasks.json", true],
  ["app/.envrc", true],
  ["docs/my.envrc.md", false],
  ["app/.github/workflows/x.yml", true],
  ["app.code-workspace", true],
  ["notes.md", false],
])("%s runs by itself: %s", (path, expected) => {
  expect(runsByItself(path)).toBe(expected);
});

describe("handles", () => {
  const tool = { name: "recall", description: "", parameters: {} };
  const shown = (text: string) => ({
    role: "user" as const,
    content: [{ type: "text" as const, text }],
  });
  const messages = [
    shown("[#14 answer, 812 characters, 10:32; #12 result of mail_read, 90 characters. recall opens one.]"),
  ];

  it("are opened results first, the newest before the others, until there are none", () => {
    expect(nextHandle({ messages, tools: [tool] }, [])).toBe(12);
    const opened = (handle: number) => ({
      role: "assistant" as const,
      content: [{ type: "toolCall" as const, id: "c", name: "recall", arguments: { handle } }],
      provider: "x",
      model: "x",
      usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0, cost: 0 },
      stopReason: "toolUse" as const,
    });
    expect(nextHandle({ messages, tools: [tool] }, [opened(12)])).toBe(14);
    expect(nextHandle({ messages, tools: [tool] }, [opened(12), opened(14)])).toBeUndefined();
    expect(nextHandle({ messages, tools: [] }, [])).toBeUndefined();
  });
});
