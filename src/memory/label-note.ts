/** Which lines of a note come from strangers: asked line by line, so that one of them does not make the others unconfirmed. */
import type { ToolCallContext } from "@pincer/sdk";
import { tidyNote } from "./compose-note.ts";
import { asMemoryLine, labelFor, wordsOfLine } from "./labelled-line.ts";

export interface LabelledNote {
  /** As it goes into the file. */
  text: string;
  /** Its unconfirmed lines, counted from 0. */
  unconfirmed: Array<{ at: number; label: string }>;
}

/** Throws WorkdirError for a note that is empty or too long. */
export async function labelNote(
  text: string,
  call: Pick<ToolCallContext, "byHand" | "provenanceOf">,
): Promise<LabelledNote> {
  const lines: string[] = [];
  const unconfirmed: LabelledNote["unconfirmed"] = [];
  for (const [at, line] of tidyNote(text).split("\n").entries()) {
    const words = wordsOfLine(line);
    const label = words === "" ? undefined : await labelOf(words, call);
    if (label !== undefined) unconfirmed.push({ at, label });
    lines.push(asMemoryLine(line, label));
  }
  return { text: lines.join("\n"), unconfirmed };
}

async function labelOf(
  words: string,
  { byHand, provenanceOf }: Pick<ToolCallContext, "byHand" | "provenanceOf">,
): Promise<string | undefined> {
  if (byHand !== undefined) return undefined;
  // Nobody knows: then it is a stranger's.
  if (!provenanceOf) return labelFor({});
  const found = await provenanceOf(words);
  return found.trusted ? undefined : labelFor(found);
}
