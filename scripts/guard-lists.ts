/** The lists of guards that stand beside what they guard. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";

export interface Guard {
  /** What it keeps out, in words. */
  guard: string;
  file: string;
  /** Occurs once in the file. */
  from: string;
  /** What stands there without the guard; must still be valid. */
  to: string;
  /** The test file that then fails. */
  test: string;
}

/** All guards of the repository. Throws for a list that is none. */
export function findGuards(root: string): Guard[] {
  const lists = globSync("{src,packages,channels,test,deploy,web}/**/guards.json", {
    cwd: root,
    exclude: ["**/node_modules", "**/dist", "**/.cache"],
  });
  return lists.sort().flatMap((list) => readList(root, list.split(sep).join("/")));
}

function readList(root: string, list: string): Guard[] {
  const entries: unknown = JSON.parse(readFileSync(join(root, list), "utf8"));
  if (!Array.isArray(entries)) throw new Error(`${list} is not a list`);
  return entries.map((entry: unknown, index) => {
    if (isGuard(entry)) return entry;
    throw new Error(`${list}: entry ${index + 1} lacks one of ${keys.join(", ")}`);
  });
}

const keys = ["guard", "file", "from", "to", "test"] as const;

const isGuard = (entry: unknown): entry is Guard =>
  typeof entry === "object" &&
  entry !== null &&
  keys.every((key) => typeof (entry as Record<string, unknown>)[key] === "string");

/** What makes it impossible to take the guard out, or undefined. */
export function flawOfGuard(root: string, { file, from, to, test }: Guard): string | undefined {
  if (from === "" || from === to) return "its replacement changes nothing";
  if (!existsSync(join(root, file))) return `${file} does not exist`;
  if (!existsSync(join(root, test))) return `${test} does not exist`;
  if (!test.endsWith(".test.ts")) return `${test} is no test file`;
  const count = readFileSync(join(root, file), "utf8").split(from).length - 1;
  return count === 1 ? undefined : `its text occurs ${count} times in ${file}`;
}
