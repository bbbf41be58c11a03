import { expect, it } from "vitest";
import { createPendingStore, type PendingMessage } from "./pending.ts";

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
  const store = createPendingStore(storage, "owner");
  for (const key of ["a", "b"]) store.keep(message(key));
  store.keep(message("c", "agent:main:work"));
  store.keep({ ...message("a"), state: "taken" });
  const again = createPendingStore(storage, "owner");
  expect(again.of("").map(({ key, state }) => [key, state])).toEqual([
    ["a", "taken"],
    ["b", "sending"],
  ]);
  for (const key of ["a", "b", "c"]) again.drop(key);
  expect([...storage.kept]).toEqual([]);
});

it("UI-01 keeps a draft for each session", () => {
  const storage = memory();
  const store = createPendingStore(storage, "owner");
  const typed = (text: string) => ({ text, pasted: [] });
  store.keepDraft("", typed("half a thought"));
  store.keepDraft("agent:main:work", typed("another"));
  expect(createPendingStore(storage, "owner").draft("")).toEqual(typed("half a thought"));
  store.keepDraft("", typed(""));
  expect([store.draft("").text, store.draft("agent:main:work").text]).toEqual(["", "another"]);
});

it("SEC-02 keeps what was pasted into a draft or a message over a reload, and knows nothing of older drafts", () => {
  const storage = memory();
  const store = createPendingStore(storage, "owner");
  const pasted = [{ start: 3, end: 6 }];
  store.keepDraft("", { text: "to a@b", pasted });
  store.keep({ ...message("a"), pasted });
  const again = createPendingStore(storage, "owner");
  expect(again.draft("")).toEqual({ text: "to a@b", pasted });
  expect(again.of("")[0]?.pasted).toEqual(pasted);
  storage.setItem("pincer.draft.owner ", "words of an older version");
  expect(store.draft("")).toEqual({ text: "words of an older version", pasted: undefined });
});

it("UI-01 shows nobody what somebody else has left in the browser, and sends none of it", () => {
  const storage = memory();
  const store = createPendingStore(storage, "owner");
  store.keep(message("a"));
  store.keepDraft("", { text: "a secret", pasted: [] });
  const other = createPendingStore(storage, "token:guest");
  expect([other.of(""), other.draft("").text]).toEqual([[], ""]);
});

it("reads nothing out of what is no list of its own, and does without a place to keep things", () => {
  for (const odd of ["{", "7", '[{"key":1}]', "[null]"])
    expect(createPendingStore(memory({ "pincer.pending.owner": odd }), "owner").of("")).toEqual([]);
  const full = {
    ...memory(),
    setItem: () => {
      throw new Error("full");
    },
  };
  const store = createPendingStore(full, "owner");
  store.keep(message("a"));
  store.keepDraft("", { text: "words", pasted: [] });
  expect([store.of(""), store.draft("").text]).toEqual([[], ""]);
});
