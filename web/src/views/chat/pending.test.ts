import { expect, it } from "vitest";
import { createPendingShelf, type PendingMessage } from "./pending.ts";

function memory(given: Record<string, string> = {}) {
  const kept = new Map(Object.entries(given));
  return {
    kept,
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
  };
}

const message = (key: string, session = ""): PendingMessage => ({
  key,
  session,
  text: `words of ${key}`,
  files: [],
  at: "2026-01-01T00:00:00.000Z",
  state: "sending",
});

it("UI-01 keeps what was not answered over a reload, by session and in order, until it is dropped", () => {
  const storage = memory();
  const shelf = createPendingShelf(storage, "owner");
  for (const key of ["a", "b"]) shelf.keep(message(key));
  shelf.keep(message("c", "agent:main:work"));
  shelf.keep({ ...message("a"), state: "taken" });
  const again = createPendingShelf(storage, "owner");
  expect(again.of("").map(({ key, state }) => [key, state])).toEqual([
    ["a", "taken"],
    ["b", "sending"],
  ]);
  for (const key of ["a", "b", "c"]) again.drop(key);
  expect([...storage.kept]).toEqual([]);
});

it("UI-01 keeps a draft for each session", () => {
  const storage = memory();
  const shelf = createPendingShelf(storage, "owner");
  shelf.keepDraft("", "half a thought");
  shelf.keepDraft("agent:main:work", "another");
  expect(createPendingShelf(storage, "owner").draft("")).toBe("half a thought");
  shelf.keepDraft("", "");
  expect([shelf.draft(""), shelf.draft("agent:main:work")]).toEqual(["", "another"]);
});

it("UI-01 shows nobody what somebody else has left in the browser, and sends none of it", () => {
  const storage = memory();
  const shelf = createPendingShelf(storage, "owner");
  shelf.keep(message("a"));
  shelf.keepDraft("", "a secret");
  const other = createPendingShelf(storage, "token:guest");
  expect([other.of(""), other.draft("")]).toEqual([[], ""]);
});

it("reads nothing out of what is no list of its own, and does without a place to keep things", () => {
  for (const odd of ["{", "7", '[{"key":1}]', "[null]"])
    expect(createPendingShelf(memory({ "pincer.pending.owner": odd }), "owner").of("")).toEqual([]);
  const full = {
    ...memory(),
    setItem: () => {
      throw new Error("full");
    },
  };
  const shelf = createPendingShelf(full, "owner");
  shelf.keep(message("a"));
  shelf.keepDraft("", "words");
  expect([shelf.of(""), shelf.draft("")]).toEqual([[], ""]);
});
