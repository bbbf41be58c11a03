/**
 * Path patterns: `*` and `?` within a name, `**` for any number of directories, `{a,b}` for alternatives. A pattern
 * without a slash matches the name alone. Takes time in proportion to both lengths, whatever the pattern.
 */
export function createGlobMatch(pattern: string): (path: string) => boolean {
  const ways = alternatives(pattern.replace(/^\.?\//, "")).map((one) => one.split("/"));
  return (path) => {
    const names = path.split("/");
    return ways.some((way) =>
      way.length === 1 && way[0] !== "**" ? isName(way[0] ?? "", names.at(-1) ?? "") : isPath(way, names),
    );
  };
}

const mostAlternatives = 64;

function alternatives(pattern: string): string[] {
  let found = [pattern];
  for (;;) {
    const opened = found.flatMap((one) => {
      const braces = /\{([^{}]*)\}/.exec(one);
      if (!braces) return [one];
      const [before, after] = [one.slice(0, braces.index), one.slice(braces.index + braces[0].length)];
      return (braces[1] ?? "").split(",").map((choice) => before + choice + after);
    });
    if (opened.length === found.length || opened.length > mostAlternatives)
      return opened.slice(0, mostAlternatives);
    found = opened;
  }
}

const isPath = (way: readonly string[], names: readonly string[]): boolean =>
  matches(way, names, { isMany: (part) => part === "**", isOne: isName });

const isName = (pattern: string, name: string): boolean =>
  matches([...pattern], [...name], {
    isMany: (part) => part === "*",
    isOne: (part, letter) => part === "?" || part === letter,
  });

interface Parts {
  /** Stands for any number of things. */
  isMany(part: string): boolean;
  isOne(part: string, thing: string): boolean;
}

/** If the rest does not fit, only the last wildcard needs to take one more. */
function matches(pattern: readonly string[], things: readonly string[], { isMany, isOne }: Parts): boolean {
  let [at, place] = [0, 0];
  let last: { at: number; place: number } | undefined;
  while (place < things.length) {
    const part = pattern[at];
    if (part !== undefined && isMany(part)) {
      last = { at, place };
      at += 1;
    } else if (part !== undefined && isOne(part, things[place] ?? "")) {
      at += 1;
      place += 1;
    } else if (last) {
      last = { at: last.at, place: last.place + 1 };
      at = last.at + 1;
      place = last.place;
    } else return false;
  }
  return pattern.slice(at).every(isMany);
}
