/** The documents of a collection as memory files, the way people have them: a file for each session, the date above, a line for each. */
import { oneLine } from "../../../src/infra/one-line.ts";
import { safeFileName } from "../../../src/infra/safe-file-name.ts";
import { linesOfFile } from "../../../src/memory/index/lines-of-file.ts";
import type { BenchCollection, BenchDoc } from "./bench-set.ts";

export interface CollectionFiles {
  /** Paths in the workdir, with the lines of each. */
  files: Map<string, string[]>;
  /** The document at this line; undefined for a heading. */
  docAt(path: string, line: number): string | undefined;
  /** The original line, without the escape in front; "" if there is none. */
  lineAt(path: string, line: number): string;
}

/** More than these in one file are not indexed. */
const mostLines = 40_000;
const mostBytes = 3_500_000;

export function collectionFiles({ name, docs }: Pick<BenchCollection, "name" | "docs">): CollectionFiles {
  const sessions = Map.groupBy(docs, ({ session }) => session ?? undefined);
  const { pathOf, free } = pathsOf(sessions, name);
  const files = new Map<string, string[]>();
  const placed = new Map<string, { id: string; line: string }>();

  for (const [session, said] of sessions) {
    const first = pathOf(session);
    let path = first;
    let lines: string[] = [];
    let bytes = 0;
    let heading: string | undefined;
    for (const doc of said) {
      const line = lineOf(doc);
      const size = Buffer.byteLength(line) + bytesOfHeading;
      if (lines.length >= mostLines || (lines.length > 0 && bytes + size > mostBytes)) {
        files.set(path, lines);
        path = free(first);
        [lines, bytes, heading] = [[], 0, undefined];
      }
      bytes += size;
      const above = headingOf(doc);
      // What has no date is a plain note, without anything above it.
      if (above !== heading && above !== undefined)
        lines.push(...(lines.length > 0 ? [""] : []), `# ${above}`, "");
      heading = above;
      lines.push(asPlainLine(line));
      placed.set(`${path}:${lines.length}`, { id: doc.id, line });
    }
    files.set(path, lines);
  }
  return {
    files,
    docAt: (path, line) => placed.get(`${path}:${line}`)?.id,
    lineAt: (path, line) => placed.get(`${path}:${line}`)?.line ?? files.get(path)?.[line - 1] ?? "",
  };
}

/** What may stand above a line, and the mark before it. */
const bytesOfHeading = 32;

/**
 * What would be read as a heading, a fence, a comment, a day or nothing at all gets a mark in front, so that it is a line like others and
 * those below it stay what they are.
 */
function asPlainLine(line: string): string {
  const ways = [line, `\\${line}`, `\\${line.replaceAll("<!--", "<! --")}`, `\\ text ${line}`];
  return ways.find(isPlainLine) ?? line;
}

/** Read between two others it is one, and they are as they were. */
function isPlainLine(line: string): boolean {
  const text = ["# 2000-01-01", "above", line, "below"].join("\n");
  const [above, ...rest] = linesOfFile({ path: "memory/any.md", text, timezone: "UTC" });
  const below = rest.pop();
  const isUntouched = [above, below].every((other) => other?.time === "2000-01-01");
  return (
    isUntouched &&
    above?.line === 2 &&
    below?.line === 4 &&
    below.text === "below" &&
    rest.length > 0 &&
    rest.every(({ label }) => label === undefined)
  );
}

/** Named by its day if that is unique; else by its name, or a free variant. */
function pathsOf(sessions: ReadonlyMap<string | undefined, readonly BenchDoc[]>, name: string) {
  const days = new Map([...sessions].map(([session, docs]) => [session, dayOf(docs)]));
  const shared = Map.groupBy(days.values(), (day) => day);
  const isOwn = (day: string | undefined): day is string =>
    day !== undefined && shared.get(day)?.length === 1;
  const taken = new Set([...days.values()].filter(isOwn));
  function free(wanted: string): string {
    let found = wanted;
    for (let number = 2; taken.has(found); number++) found = `${wanted}-${number}`;
    taken.add(found);
    return found;
  }
  const names = new Map(
    [...days].map(([session, day]) => [session, isOwn(day) ? day : free(safeFileName(session ?? name))]),
  );
  const pathTo = (found: string) => `memory/${found}.md`;
  return {
    pathOf: (session: string | undefined): string => pathTo(names.get(session) ?? ""),
    /** Another, for what does not fit into the first. */
    free: (path: string): string => pathTo(free(path.slice("memory/".length, -".md".length))),
  };
}

/** The one day of all of them. */
function dayOf(docs: readonly BenchDoc[]): string | undefined {
  const days = new Set(docs.map(({ date }) => date?.slice(0, 10)));
  return days.size === 1 ? [...days][0] : undefined;
}

const headingOf = ({ date }: BenchDoc): string | undefined => date?.slice(0, 16).replace("T", " ");

const lineOf = ({ speaker, text }: BenchDoc): string =>
  speaker ? `${oneLine(speaker)}: ${oneLine(text)}` : oneLine(text);
