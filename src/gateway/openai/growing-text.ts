/**
 * An answer for a client that cannot take back text. Whole words are sent as they arrive; from the first address on,
 * the rest waits for the end, when the gate knows which addresses are safe. If the model starts over, a blank line and
 * the new text follow.
 */
import { holdsAddress, inertAddresses } from "../../gate/leaving/guard-reply.ts";
import type { TurnEvent } from "../../agent/turn-voice.ts";

export interface GrowingText {
  /** What can be told after this event; empty where nothing can. */
  hear(event: TurnEvent): string;
  /** What is left to tell once the answer is known. */
  finish(answer: string): string;
}

export function createGrowingText(): GrowingText {
  /** Of the present step. */
  let [said, told] = ["", ""];
  let isHeld = false;
  /** Tools were called: what is said next is another step. */
  let isOver = false;
  let hasTold = false;

  function tell(text: string): string {
    if (text === "") return "";
    const gap = hasTold && told === "" ? "\n\n" : "";
    told += text;
    hasTold = true;
    return gap + text;
  }

  function next(): string {
    if (isHeld) return "";
    const whole = said.slice(told.length, said.length - openWord(said).length);
    // An address is never told before it is whole.
    if (holdsAddress(whole)) {
      isHeld = true;
      return "";
    }
    return tell(whole);
  }

  function startStep(): void {
    [said, told] = ["", ""];
    isHeld = false;
    isOver = false;
  }

  /** What was said before the agent's own tools ran is told to its end once it is clear that it was not the answer. */
  function endStep(): string {
    const rest = tell(inertAddresses(said.slice(told.length)).trimEnd());
    startStep();
    return rest;
  }

  return {
    hear(event) {
      if (event.type === "tool-call-start") isOver = true;
      if (event.type === "start-over") startStep();
      if (event.type !== "text-delta") return "";
      const before = isOver ? endStep() : "";
      said += event.text;
      return before + next();
    },
    finish(answer) {
      if (answer.startsWith(told)) return tell(answer.slice(told.length));
      startStep();
      return tell(answer);
    },
  };
}

/** The end of a text that may still become an address, and is not told yet: addresses begin with plain letters and hold no blanks. */
function openWord(text: string): string {
  let start = text.length;
  while (start > 0 && isPlain(text.charCodeAt(start - 1))) start--;
  return text.slice(start);
}

const isPlain = (code: number): boolean => code > 0x20 && code < 0x7f;
