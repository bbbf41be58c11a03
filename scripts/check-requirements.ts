/**
 * Compares docs/requirements.md with the names of the tests: a row is proven by a test whose name carries
 * its id. `--write` fills the proof column in. Also sees to it that every path of docmap.yaml exists.
 */
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { join, posix, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync } from "@swc/core";

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

const partlyOpen = /^open \(partly: (.+)\)$/;

interface Findings {
  problems: string[];
  proven: number;
  partly: number;
  total: number;
}

/** Names of the tests by the path of their file. */
type TestNames = Map<string, string[]>;

interface Comparison {
  page: string;
  tests: TestNames;
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

  let proven = 0;
  let partly = 0;
  for (const { id, meaning, proof } of rows) {
    if (meaning === "") problems.push(`${id}: says nothing`);
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
    if (partlyOpen.test(proof)) partly++;
    else proven++;
  }
  return { problems, proven, partly, total: expected.size };
}

/** Pure: the page with its proofs filled in. Rows that are partly open stay as they are written. */
export function fillProofs({ page, tests, areas = rowsPerArea }: Comparison): string {
  const carried = filesById(tests, areas);
  return page
    .split("\n")
    .map((line) => {
      const row = readRow(line);
      if (!row?.readable || partlyOpen.test(row.proof)) return line;
      return `| ${row.id} | ${row.meaning} | ${carried.get(row.id)?.join(", ") ?? "open"} |`;
    })
    .join("\n");
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

/**
 * The names of the tests that a file runs: its own, and those of the contract suites that it imports from a
 * `testing` folder. `read` answers the source of a path, or undefined where there is none.
 */
export function testNamesOf(file: string, read: (file: string) => string | undefined): string[] {
  const names: string[] = [];
  const seen = new Set<string>();
  const visit = (path: string): void => {
    const source = seen.has(path) ? undefined : read(path);
    seen.add(path);
    if (source === undefined) return;
    const tests = readTests(source, path);
    names.push(...tests.names);
    const imported = tests.relativeImports.map((target) => posix.join(posix.dirname(path), target));
    imported.filter((target) => target.includes("/testing/")).forEach(visit);
  };
  visit(file);
  return names;
}

/** Pure: what is wrong with the map of the documentation; a map without any path is wrong too. */
export function checkDocmap(text: string, exists: (path: string) => boolean): string[] {
  const lines = text.matchAll(/^\s*path:\s*["']?([^"'#\n]+?)["']?\s*(?:#.*)?$/gm);
  const paths = Array.from(lines, ([, path = ""]) => path);
  if (paths.length === 0) return ["docmap.yaml: names no path"];
  return paths.filter((path) => !exists(path)).map((path) => `docmap.yaml: ${path} does not exist`);
}

type SyntaxNode = Record<string, unknown>;

const isNode = (value: unknown): value is SyntaxNode => typeof value === "object" && value !== null;

/**
 * Names in it, test and describe calls, `.each`, `.skipIf` and the like included. What is skipped or still
 * to do proves nothing and is left out, with everything inside it.
 */
function readTests(source: string, path: string): { names: string[]; relativeImports: string[] } {
  const names: string[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (!isNode(node)) return;
    if (node["type"] === "CallExpression") {
      const chain = calleeChain(node["callee"]);
      if (/^(it|test|describe)$/.test(chain[0] ?? "")) {
        if (chain.includes("skip") || chain.includes("todo")) return;
        names.push(...literalTexts(node["arguments"]));
      }
    }
    Object.values(node).forEach(visit);
  };
  const body = parse(source, path);
  visit(body);
  const imports = body.flatMap((item) => (item.type === "ImportDeclaration" ? item.source.value : []));
  return { names, relativeImports: imports.filter((target) => target.startsWith(".")) };
}

function parse(source: string, path: string) {
  try {
    return parseSync(source, { syntax: "typescript", target: "es2022" }).body;
  } catch (cause) {
    throw new Error(`${path} cannot be parsed`, { cause });
  }
}

/** `it.skipIf(x)` as ["it", "skipIf"]. */
function calleeChain(callee: unknown): string[] {
  if (!isNode(callee)) return [];
  if (callee["type"] === "Identifier") return [String(callee["value"])];
  if (callee["type"] === "CallExpression") return calleeChain(callee["callee"]);
  if (callee["type"] === "TaggedTemplateExpression") return calleeChain(callee["tag"]);
  if (callee["type"] === "MemberExpression") {
    return [...calleeChain(callee["object"]), ...calleeChain(callee["property"])];
  }
  return [];
}

/** The first argument where it is a text; what a template fills in is left out. */
function literalTexts(callArguments: unknown): string[] {
  const first: unknown = Array.isArray(callArguments) ? callArguments[0] : undefined;
  const expression = isNode(first) ? first["expression"] : undefined;
  if (!isNode(expression)) return [];
  if (expression["type"] === "StringLiteral") return [String(expression["value"])];
  if (expression["type"] !== "TemplateLiteral" || !Array.isArray(expression["quasis"])) return [];
  return [
    expression["quasis"].map((part: unknown) => (isNode(part) ? String(part["cooked"]) : "")).join("…"),
  ];
}

interface Row {
  id: string;
  meaning: string;
  proof: string;
  /** False when the line does not have three cells; its proof is then empty. */
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
  const [, meaning = "", proof = ""] = cells.map((cell) => cell.trim());
  const readable = cells.length === 3;
  return { id, meaning, proof: readable ? proof.replaceAll("`", "") : "", readable };
}

function namedFiles(proof: string): string[] {
  const list = partlyOpen.exec(proof)?.[1] ?? proof;
  return list
    .split(",")
    .map((path) => path.trim())
    .filter((path) => path !== "");
}

function filesById(tests: TestNames, areas: Record<string, number>): Map<string, string[]> {
  const carried = new Map<string, string[]>();
  for (const file of [...tests.keys()].sort()) {
    const ids = new Set((tests.get(file) ?? []).flatMap((name) => idsIn(name, areas)));
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
  const tests: TestNames = new Map(files.map((file) => [file, testNamesOf(file, read)]));
  let page = readFileSync(pageFile, "utf8");
  if (flags.includes("--write")) {
    page = fillProofs({ page, tests });
    writeFileSync(pageFile, page);
  }
  const { problems, proven, partly, total } = checkRequirements({ page, tests });
  const docmap = readFileSync(join(root, "docmap.yaml"), "utf8");
  problems.push(...checkDocmap(docmap, (path) => existsSync(join(root, path))));
  for (const problem of problems) console.error(problem);
  console.log(`${proven} of ${total} rows proven, ${partly} partly (${tests.size} test files read)`);
  return problems.length > 0 ? 1 : 0;
}

if (import.meta.main)
  process.exitCode = main(fileURLToPath(new URL("..", import.meta.url)), process.argv.slice(2));
