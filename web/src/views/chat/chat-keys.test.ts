import { expect, it } from "vitest";
import { chatKeyOf } from "./chat-keys.ts";

const press = (key: string, more: object = {}, isTyping = false) =>
  chatKeyOf(
    { key, ctrlKey: false, metaKey: false, isComposing: false, defaultPrevented: false, ...more },
    isTyping,
  );

it("UI-01 keys of the conversation are left alone while somebody writes, but for the search", () => {
  expect([press("Escape"), press("?"), press("/"), press("k")]).toEqual([
    "leave",
    "help",
    "command",
    undefined,
  ]);
  expect([press("Escape", {}, true), press("?", {}, true), press("/", {}, true)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect([press("K", { ctrlKey: true }, true), press("k", { metaKey: true })]).toEqual(["search", "search"]);
  expect(press("k", { ctrlKey: true, isComposing: true })).toBeUndefined();
  expect(press("/", { defaultPrevented: true })).toBeUndefined();
});
