/** Which key answers what. Pure, so that nothing but a key that was meant is a yes. */

export interface PressedKey {
  key: string;
  repeat: boolean;
  ctrlKey: boolean;
  altKey: boolean;
  metaKey: boolean;
}

export type KeyAnswer = "approve" | "deny" | "next" | "previous";

/** A card that came into sight a moment ago was not read: no key says yes to it. */
const readMs = 700;

/** Undefined: the key means nothing here. `shownForMs`: how long the card has had the focus. */
export function answerOfKey(pressed: PressedKey, shownForMs: number): KeyAnswer | undefined {
  if (pressed.ctrlKey || pressed.altKey || pressed.metaKey) return undefined;
  const key = pressed.key.toLowerCase();
  if (key === "j" || key === "arrowdown") return "next";
  if (key === "k" || key === "arrowup") return "previous";
  if (pressed.repeat || shownForMs < readMs) return undefined;
  return key === "a" ? "approve" : key === "d" ? "deny" : undefined;
}
