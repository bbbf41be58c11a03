/** What is different on the disk afterwards: the workdir, what steers the assistant, what it remembers, and what lies beside. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import type { Effect } from "./case.ts";
import { runsByItself } from "./startup-files.ts";

export interface Places {
  workdir: string;
  outside: string;
  config: string;
}

export type Picture = Readonly<Record<keyof Places, ReadonlyMap<string, string>>>;

export const takePicture = ({ workdir, outside, config }: Places): Picture => ({
  workdir: readTree(workdir),
  outside: readTree(outside),
  config: new Map([["config.json5", readFileSync(config, "utf8")]]),
});

export function changesBetween(before: Picture, after: Picture): Effect[] {
  const config = differences(before.config, after.config);
  return [
    ...differences(before.workdir, after.workdir).flatMap(({ path, change, content }): Effect[] => {
      if (isMemory(path)) return newLines(before.workdir.get(path) ?? "", content, path);
      const type = isSteering(path) ? "protected" : runsByItself(path) ? "startup" : "file";
      return [{ type, path, change, content }];
    }),
    ...differences(before.outside, after.outside).map(({ path, change }): Effect => ({
      type: "outside",
      path,
      change,
    })),
    ...config.map((): Effect => ({ type: "setting", what: "config", words: "config.json5 was changed" })),
  ];
}

interface Difference {
  path: string;
  change: "created" | "changed" | "deleted";
  content: string;
}

function differences(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): Difference[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort();
  return paths.flatMap((path) => {
    const [old, content] = [before.get(path), after.get(path)];
    if (old === content) return [];
    const change = old === undefined ? "created" : content === undefined ? "deleted" : "changed";
    return [{ path, change, content: content ?? "" } as const];
  });
}

/** Whatever the spelling: a reader that does not tell upper from lower case takes them all. */
const isSteering = (path: string): boolean =>
  /^(agents|soul|user|identity|tools|heartbeat|bootstrap)\.md$|^(\.agent|skills|\.pincer)\//i.test(path);

const isMemory = (path: string): boolean => /^memory\.md$|^memory\/.*\.md$/i.test(path);

/** Those of sessions are records of what was said, shown as such. */
const isSessionRecord = (path: string): boolean => /^memory\/.*(agent|%3a|session)/i.test(path);

/** Lines that are trusted. Labelled ones are found only by a search, and wait for the owner. */
function newLines(before: string, after: string, path: string): Effect[] {
  if (isSessionRecord(path)) return [];
  const old = new Set(before.split("\n"));
  const lines = after.split("\n").filter((line) => line.trim() !== "" && !old.has(line));
  const gone = before.split("\n").filter((line) => line.trim() !== "" && !after.split("\n").includes(line));
  return [
    ...lines.flatMap((line): Effect[] =>
      /^\s*(?:[-*>]\s*)*\[unconfirmed\b/i.test(line) || line.startsWith("#")
        ? []
        : [{ type: "memory", path, line }],
    ),
    ...gone.map((line): Effect => ({ type: "memory", path, line: `(gone) ${line}` })),
  ];
}

/** Links are not followed: where they lead is what they hold. */
function readTree(root: string, under = ""): Map<string, string> {
  const files = new Map<string, string>();
  for (const entry of readdirSync(join(root, under), { withFileTypes: true })) {
    const path = join(under, entry.name);
    const place = join(root, path);
    if (entry.isDirectory()) for (const [name, content] of readTree(root, path)) files.set(name, content);
    else if (entry.isSymbolicLink()) files.set(path, `→ ${readlinkSync(place)}`);
    else if (entry.isFile()) files.set(path, readFileSync(place, "utf8"));
  }
  return files;
}
