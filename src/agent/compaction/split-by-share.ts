/** Splits a conversation by size. */
import { seamsOf, type HasMessage } from "./seams.ts";

/** At most `parts` chunks of about the same size: together the whole, in order. No call is separated from its results, so one may be far larger. */
export function splitByShare<Each extends HasMessage>(
  said: readonly Each[],
  { parts = 2, tokensOf }: { parts?: number; tokensOf(each: Each): number },
): Each[][] {
  const groups = exchangesOf(said).map((group) => ({ group, tokens: sumOf(group, tokensOf) }));
  const target = groups.reduce((sum, { tokens }) => sum + tokens, 0) / parts;
  const chunks: Each[][] = [];
  let chunk: Each[] = [];
  let size = 0;
  for (const { group, tokens } of groups) {
    if (chunk.length > 0 && chunks.length < parts - 1 && size + tokens > target) {
      chunks.push(chunk);
      chunk = [];
      size = 0;
    }
    chunk.push(...group);
    size += tokens;
  }
  return chunk.length > 0 ? [...chunks, chunk] : chunks;
}

export const sumOf = <Each>(list: readonly Each[], tokensOf: (each: Each) => number): number =>
  list.reduce((sum, each) => sum + tokensOf(each), 0);

function exchangesOf<Each extends HasMessage>(said: readonly Each[]): Each[][] {
  const seams = seamsOf(said);
  const groups: Each[][] = [];
  for (const [index, each] of said.entries()) {
    const last = groups.at(-1);
    if (last && !seams[index]) last.push(each);
    else groups.push([each]);
  }
  return groups;
}
