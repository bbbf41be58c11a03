import { expect, it } from "vitest";
import { forgetUnsent } from "./forget-unsent.ts";

it("SEC-02 what was written and not sent is forgotten, no matter who wrote it, and nothing else", () => {
  const kept: Record<string, string> = {
    "pincer.draft.owner main": "words",
    "pincer.pending.browser:x": "[]",
    "pincer.theme": "dark",
  };
  const removeItem = (name: string) => void delete kept[name];
  forgetUnsent(Object.defineProperty(kept, "removeItem", { value: removeItem }) as never);
  expect(Object.keys(kept)).toEqual(["pincer.theme"]);
});
