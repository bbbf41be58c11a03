import { describe, expect, it } from "vitest";
import { answerOfKey, type PressedKey } from "./answer-keys.ts";

const press = (key: string, more: Partial<PressedKey> = {}): PressedKey => ({
  key,
  repeat: false,
  ctrlKey: false,
  altKey: false,
  metaKey: false,
  ...more,
});

describe("keys on a question", () => {
  it("UI-01 answer it once it could be read", () => {
    expect(answerOfKey(press("a"), 1000)).toBe("approve");
    expect(answerOfKey(press("D"), 1000)).toBe("deny");
    expect(answerOfKey(press("j"), 0)).toBe("next");
    expect(answerOfKey(press("ArrowUp"), 0)).toBe("previous");
  });

  it("are no answer when held, pressed too early or together with others", () => {
    expect(answerOfKey(press("a", { repeat: true }), 1000)).toBeUndefined();
    expect(answerOfKey(press("a"), 100)).toBeUndefined();
    expect(answerOfKey(press("a", { ctrlKey: true }), 1000)).toBeUndefined();
    expect(answerOfKey(press("Enter"), 1000)).toBeUndefined();
  });
});
