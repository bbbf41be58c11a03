/** Pieces of at most `most` characters, cut behind a paragraph, a line, a sentence or a word, whichever is possible first. Nothing is lost but white space. */
export function cutIntoParts(text: string, most: number): string[] {
  const parts: string[] = [];
  let rest = text.trim();
  while (rest.length > most) {
    const at = placeToCut(rest, most);
    parts.push(rest.slice(0, at).trimEnd());
    rest = rest.slice(at).trimStart();
  }
  return rest === "" ? parts : [...parts, rest];
}

/** What a piece may end with, the best first. */
const ends = [/\n\s*\n/g, /\n/g, /[.!?…]["')\]]?\s+|[。！？；…]["”』」）]?/g, /\s+/g];

function placeToCut(text: string, most: number): number {
  const head = text.slice(0, most);
  for (const end of ends) {
    const last = [...head.matchAll(end)].at(-1);
    // Not so early that pieces become crumbs.
    if (last && last.index + last[0].length > most / 2) return last.index + last[0].length;
  }
  const cutsPair = /[\uD800-\uDBFF]$/.test(head);
  return cutsPair ? most - 1 : most;
}
