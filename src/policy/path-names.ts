/**
 * The names in a path, compared as the most lenient file system would: a false match costs a question, a missed one is
 * a hole.
 */

export interface PathNames {
  /** Without `.` and `..`, as `asRead` gives them. */
  names: string[];
  /** It begins at the root, at home, or above: it may lead back to where one works. */
  isElsewhere: boolean;
}

/** Of a path in any spelling. Pure. */
export function readPath(path: string): PathNames {
  const spelled = path.normalize("NFKC").replaceAll("\\", "/");
  const names: string[] = [];
  let isElsewhere = /^(?:\/|~|[a-z]:|file:)/i.test(spelled.trimStart());
  for (const name of spelled.split("/").map(asRead)) {
    if (name === "" || name === ".") continue;
    if (name !== "..") names.push(name);
    else if (names.pop() === undefined) isElsewhere = true;
  }
  return { names, isElsewhere };
}

/** Ignores case, invisible characters, trailing dots and blanks, and everything after a colon. Pure. */
export function asRead(name: string): string {
  const whole = name.normalize("NFKC");
  const seen = whole.replaceAll(/[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}]/gu, "").trim();
  if (/^\.{1,2}$/.test(seen)) return seen;
  const bare = seen.replace(/(?<=.):.*$/s, "").replace(/[. ]+$/, "");
  return bare.toUpperCase().toLowerCase();
}
