/** Makes the arguments of a call anew that the acting model must not word or choose: a writer words, a reader takes. */
import { readTaken, type ReadTakenParts } from "./grants/read-taken.ts";
import type { Remade } from "./gated-tools.ts";
import type { MadeAnew } from "./judge-call.ts";
import { writeAnew, type WriterParts } from "./leaving/write-anew.ts";

export interface MakingParts extends ReadTakenParts {
  /** Undefined where there is no model. */
  ask: WriterParts["ask"] | undefined;
}

export interface MakingQuestion extends MadeAnew {
  tool: string;
  recipient: string;
}

/** Rejects with the signal's reason when it aborts; whatever else goes wrong is told. */
export async function makeAnew(
  { ask, read, now }: MakingParts,
  { tool, recipient, typed, worded, taken }: MakingQuestion,
  signal: AbortSignal,
): Promise<Remade> {
  if (!ask) return { type: "failed", reason: "there is no model" };
  const found = await readTaken({ read, now }, { tool, typed, taken }, signal);
  if (found.type === "failed") return found;
  if (worded.arguments.length === 0) return { type: "made", arguments: found.values };
  const written = await writeAnew({ ask }, { typed, recipient, ...worded }, signal);
  if (written.type === "failed") return written;
  return { type: "made", arguments: { ...written.arguments, ...found.values } };
}
