/**
 * Compares docs/requirements.md with the names of the tests: a row is proven by a test whose name carries
 * its id, and a row for users by at least one that goes through an entry point of the product. `--write` fills the
 * proof column in. Also sees to it that every path of docmap.yaml exists.
 */
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { readTestFile, type TestFile } from "./read-test-file.ts";

/** How many rows each area has; their ids run from 01 without gaps. */
export const rowsPerArea: Record<string, number> = {
  ARCH: 10,
  CLI: 33,
  CFG: 13,
  GW: 16,
  PROTO: 12,
  ROUTE: 17,
  SESS: 21,
  COMP: 25,
  MEM: 12,
  CTX: 17,
  LOOP: 14,
  TOOL: 22,
  SAFE: 9,
  SHELL: 7,
  SKILL: 12,
  PLUG: 9,
  CHAN: 26,
  STREAM: 10,
  AUTH: 15,
  MODEL: 9,
  SUB: 6,
  MEDIA: 4,
  CRON: 3,
  TEN: 9,
  OBS: 7,
  STORE: 9,
  DEP: 4,
  UI: 3,
  SEC: 2,
  DOC: 5,
};

/** `open (partly: a.test.ts, b.test.ts; missing: what)`; what is missing may be left out. */
const partlyOpen = /^open \(partly: ([^;]+)(?:; missing: .+)?\)$/;

/** For whom a row is: a user can do or see it, or it says how the inside is built. */
const kinds = ["user", "inside"] as const;
type Kind = (typeof kinds)[number];

interface Count {
  proven: number;
  partly: number;
  total: number;
}

interface Findings extends Count {
  problems: string[];
  byKind: Record<Kind, Count>;
}

/** By the path of the file. */
type Tests = Map<string, TestFile>;

interface Comparison {
  page: string;
  tests: Tests;
  areas?: Record<string, number>;
}

/** Pure: says everything that is wrong between the page and the tests. */
export function checkRequirements({ page, tests, areas = rowsPerArea }: Comparison): Findings {
  const problems: string[] = [];
  const expected = expectedIds(areas);
  const carried = filesById(tests, areas);
  const rows = page.split("\n").flatMap((line) => readRow(line) ?? []);

  const seen = new Map<string, number>();
  for (const { id } of rows) seen.set(id, (seen.get(id) ?? 0) + 1);
  for (const id of expected) if (!seen.has(id)) problems.push(`${id}: has no row`);
  for (const [id, count] of seen) {
    if (!expected.has(id)) problems.push(`${id}: is no known row`);
    if (count > 1) problems.push(`${id}: has ${count} rows`);
  }
  for (const [id, files] of carried) {
    if (!expected.has(id)) problems.push(`${id}: unknown id in a test name of ${files.join(", ")}`);
  }

  const noRows = { proven: 0, partly: 0, total: 0 };
  const byKind: Record<Kind, Count> = { user: { ...noRows }, inside: { ...noRows } };
  for (const { id, kind, meaning, proof } of rows) {
    if (meaning === "") problems.push(`${id}: says nothing`);
    if (kind === undefined) problems.push(`${id}: is neither for "user" nor for "inside"`);
    const count = byKind[kind ?? "inside"];
    count.total++;
    const carriers = carried.get(id) ?? [];
    if (proof === "open") {
      if (carriers.length > 0) problems.push(`${id}: is open, but ${carriers.join(", ")} carries it`);
      continue;
    }
    const named = namedFiles(proof);
    if (named.length === 0) problems.push(`${id}: has neither a proof nor "open"`);
    const empty = named.filter((file) => !carriers.includes(file));
    for (const file of empty) {
      const why = tests.has(file) ? `${file} has no test with that id` : `its proof ${file} is no test file`;
      problems.push(`${id}: ${why}`);
    }
    if (named.length === empty.length) continue;
    if (partlyOpen.test(proof)) {
      count.partly++;
    } else if (kind === "user" && !named.some((file) => tests.get(file)?.fromOutside)) {
      problems.push(`${id}: is for users, but none of its tests goes through an entry point of the product`);
    } else {
      count.proven++;
    }
  }
  const { user, inside } = byKind;
  const proven = user.proven + inside.proven;
  const partly = user.partly + inside.partly;
  return { problems, byKind, proven, partly, total: expected.size };
}

/** What is missing where only units prove a row for users: the one thing that the script can see for itself. */
const outsideMissing = "missing: a test from outside";

/**
 * Pure: the page with its proofs filled in, those from outside first. Rows that somebody called partly open stay as they
 * are written; a row for users that only units prove becomes one of them until there is a test from outside.
 */
export function fillProofs({ page, tests, areas = rowsPerArea }: Comparison): string {
  const carried = filesById(tests, areas);
  return page
    .split("\n")
    .map((line) => {
      const row = readRow(line);
      if (!row?.readable) return line;
      if (partlyOpen.test(row.proof) && !row.proof.endsWith(`${outsideMissing})`)) return line;
      return `| ${row.id} | ${row.kind ?? ""} | ${row.meaning} | ${proofOf(row)} |`;
    })
    .join("\n");

  function proofOf({ id, kind }: Row): string {
    const [outside = [], units = []] = [true, false].map((fromOutside) =>
      (carried.get(id) ?? []).filter((file) => tests.get(file)?.fromOutside === fromOutside),
    );
    const files = [...outside, ...units].join(", ");
    if (files === "") return "open";
    return kind === "user" && outside.length === 0 ? `open (partly: ${files}; ${outsideMissing})` : files;
  }
}

/** Every id that a test name carries; `SESS-10…12` means three. A name that opens with an unknown area counts too, as a slip. */
export function idsIn(name: string, areas: Record<string, number> = rowsPerArea): string[] {
  const ids: string[] = [];
  let opening = true;
  let end = 0;
  for (const match of name.matchAll(/\b([A-Z]+)-(\d\d)\b(?:…(?:\1-)?(\d\d)\b)?/g)) {
    const [whole, area = "", first = "", last = first] = match;
    opening &&= /^[\s,]*$/.test(name.slice(end, match.index));
    end = match.index + whole.length;
    if (!opening && !Object.hasOwn(areas, area)) continue;
    for (let number = Number(first); number <= Number(last); number++) ids.push(rowId(area, number));
  }
  return ids;
}

/** Pure: what is wrong with the map of the documentation; a map without any path is wrong too. */
export function checkDocmap(text: string, exists: (path: string) => boolean): string[] {
  const lines = text.matchAll(/^\s*path:\s*["']?([^"'#\n]+?)["']?\s*(?:#.*)?$/gm);
  const paths = Array.from(lines, ([, path = ""]) => path);
  if (paths.length === 0) return ["docmap.yaml: names no path"];
  return paths.filter((path) => !exists(path)).map((path) => `docmap.yaml: ${path} does not exist`);
}

interface Row {
  id: string;
  kind: Kind | undefined;
  meaning: string;
  proof: string;
  /** False when the line does not have four cells; its proof is then empty. */
  readable: boolean;
}

/** A table line that starts with an id. */
function readRow(line: string): Row | undefined {
  const id = /^\|\s*([A-Z]+-\d+)\s*\|/.exec(line)?.[1];
  if (id === undefined) return undefined;
  const cells = line
    .trim()
    .split(/(?<!\\)\|/)
    .slice(1, -1);
  const [, mark = "", meaning = "", proof = ""] = cells.map((cell) => cell.trim());
  const readable = cells.length === 4;
  const kind = kinds.find((each) => each === mark);
  return { id, kind, meaning, proof: readable ? proof.replaceAll("`", "") : "", readable };
}

function namedFiles(proof: string): string[] {
  const list = partlyOpen.exec(proof)?.[1] ?? proof;
  return list
    .split(",")
    .map((path) => path.trim())
    .filter((path) => path !== "");
}

function filesById(tests: Tests, areas: Record<string, number>): Map<string, string[]> {
  const carried = new Map<string, string[]>();
  for (const file of [...tests.keys()].sort()) {
    const ids = new Set((tests.get(file)?.names ?? []).flatMap((name) => idsIn(name, areas)));
    for (const id of ids) carried.set(id, [...(carried.get(id) ?? []), file]);
  }
  return carried;
}

function expectedIds(areas: Record<string, number>): Set<string> {
  return new Set(
    Object.entries(areas).flatMap(([area, count]) =>
      Array.from({ length: count }, (_, index) => rowId(area, index + 1)),
    ),
  );
}

const rowId = (area: string, number: number): string => `${area}-${String(number).padStart(2, "0")}`;

function main(root: string, flags: string[]): number {
  const pageFile = join(root, "docs/requirements.md");
  const read = (file: string) =>
    existsSync(join(root, file)) ? readFileSync(join(root, file), "utf8") : undefined;
  const files = globSync("{src,packages,test,channels,web,scripts}/**/*.test.ts", {
    cwd: root,
    exclude: ["**/node_modules", "**/dist", "**/fixtures"],
  }).map((file) => file.split(sep).join("/"));
  const tests: Tests = new Map(files.map((file) => [file, readTestFile(file, read)]));
  let page = readFileSync(pageFile, "utf8");
  if (flags.includes("--write")) {
    page = fillProofs({ page, tests });
    writeFileSync(pageFile, page);
  }
  const { problems, proven, partly, total, byKind } = checkRequirements({ page, tests });
  const docmap = readFileSync(join(root, "docmap.yaml"), "utf8");
  problems.push(...checkDocmap(docmap, (path) => existsSync(join(root, path))));
  for (const problem of problems) console.error(problem);
  const words = kinds.map((kind) => `${kind} ${byKind[kind].proven} of ${byKind[kind].total}`).join(", ");
  console.log(
    `${proven} of ${total} rows proven (${words}), ${partly} partly; ${tests.size} test files read`,
  );
  return problems.length > 0 ? 1 : 0;
}

if (import.meta.main)
  process.exitCode = main(fileURLToPath(new URL("..", import.meta.url)), process.argv.slice(2));
