/** A grant's key for people: the command in it, never its JSON. */
import type { Say } from "../infra/texts.ts";

/** `wc -l … (any files of the workdir)`; the tool's name where the key cannot be read; any other key as it is. */
export function keyWords(key: string, say: Say): string {
  const begin = key.indexOf(" {");
  if (begin < 0) return key;
  const shape = readShape(key.slice(begin + 1));
  const [tool = key] = key.split(" ", 1);
  if (!shape) return tool;
  const command = [shape.program, ...shape.words].map(quotedWhereNeeded).join(" ");
  if (shape.hasFreeOperands) return say("approvals.shape.free", { command });
  return say("approvals.shape.fixed", { command, place: shape.place });
}

interface Shape {
  program: string;
  words: string[];
  hasFreeOperands: boolean;
  place: string;
}

function readShape(text: string): Shape | undefined {
  try {
    const { program, words, hasFreeOperands, place } = JSON.parse(text) as Record<string, unknown>;
    const isWhole =
      typeof program === "string" &&
      typeof place === "string" &&
      typeof hasFreeOperands === "boolean" &&
      Array.isArray(words) &&
      words.every((word) => typeof word === "string");
    return isWhole ? { program, words, hasFreeOperands, place } : undefined;
  } catch {
    return undefined;
  }
}

/** Where a word ends must be seen. */
const quotedWhereNeeded = (word: string): string =>
  /^[^\s"'…()]+$/.test(word) ? word : JSON.stringify(word);
