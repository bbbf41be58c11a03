/** Keyboard shortcuts of a conversation. */
export type ChatKey = "search" | "leave" | "help" | "command";

type Pressed = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "isComposing" | "defaultPrevented">;

/** Undefined where it is none of ours. While somebody writes, only what no text has in it. */
export function chatKeyOf(pressed: Pressed, isTyping: boolean): ChatKey | undefined {
  if (pressed.isComposing || pressed.defaultPrevented) return undefined;
  if ((pressed.ctrlKey || pressed.metaKey) && pressed.key.toLowerCase() === "k") return "search";
  if (isTyping) return undefined;
  if (pressed.key === "Escape") return "leave";
  if (pressed.key === "?") return "help";
  return pressed.key === "/" ? "command" : undefined;
}
