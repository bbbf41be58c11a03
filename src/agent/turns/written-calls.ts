/**
 * The calls of a turn that a person wrote. Kept only in this process and each valid once: a model that repeats such a
 * call, or its id, makes a new call.
 */
import { isDeepStrictEqual } from "node:util";
import type { ToolCallBlock } from "@pincer/sdk";

export type WrittenKind = "call" | "line";

export interface WrittenCalls {
  note(call: ToolCallBlock, kind: WrittenKind): void;
  /** How it was written; undefined where nobody did, and from the second time on. */
  take(call: ToolCallBlock): WrittenKind | undefined;
}

export function createWrittenCalls(): WrittenCalls {
  const written = new Map<string, { call: ToolCallBlock; kind: WrittenKind }>();
  return {
    note: (call, kind) => void written.set(call.id, { call: structuredClone(call), kind }),
    take(call) {
      const found = written.get(call.id);
      written.delete(call.id);
      return found && isSame(found.call, call) ? found.kind : undefined;
    },
  };
}

const isSame = (one: ToolCallBlock, other: ToolCallBlock): boolean =>
  one.name === other.name &&
  one.invalidArguments === other.invalidArguments &&
  isDeepStrictEqual(one.arguments, other.arguments);
