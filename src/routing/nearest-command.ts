/** What a word was probably meant to be. */
import { distance } from "fastest-levenshtein";
import type { Command } from "./command.ts";

/** The nearest of the names that commands go by; undefined where none is near. Pure. */
export function nearestOf(
  word: string,
  commands: ReadonlyArray<Pick<Command<never>, "name" | "aliases">>,
): string | undefined {
  const given = word.toLowerCase();
  const [nearest] = commands
    .flatMap(({ name, aliases }) => [name, ...aliases])
    // Of two that are as near, the one of the same length: letters are swapped more often than left out.
    .map((name) => ({
      name,
      slips: distance(name, given),
      missing: Math.abs(name.length - given.length),
    }))
    // Two letters of three are no slip.
    .filter(({ name, slips }) => slips <= (name.length > 3 ? 2 : 1))
    .sort((one, other) => one.slips - other.slips || one.missing - other.missing);
  return nearest?.name;
}
