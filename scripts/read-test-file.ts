/** What a test file is called and reaches: the names of its tests, and whether it imports an entry point of the product. */
import { posix } from "node:path";
import { parseSync } from "@swc/core";
import { importsEntryPoint } from "./entry-points.ts";

export interface TestFile {
  /** Of the tests that it runs: its own, and those of the contract suites that it imports from a `testing` folder. */
  names: string[];
  /** Whether it imports an entry point itself; a suite's import does not count. */
  fromOutside: boolean;
}

/** `read` answers the source of a path, or undefined where there is none. */
export function readTestFile(file: string, read: (file: string) => string | undefined): TestFile {
  const names: string[] = [];
  const seen = new Set<string>();
  const visit = (path: string): Source | undefined => {
    const source = seen.has(path) ? undefined : read(path);
    seen.add(path);
    if (source === undefined) return undefined;
    const found = readSource(source, path);
    names.push(...found.names);
    [...found.imports.keys()].filter((target) => target.includes("/testing/")).forEach(visit);
    return found;
  };
  const own = visit(file);
  return { names, fromOutside: own !== undefined && importsEntryPoint(own.imports) };
}

interface Source {
  names: string[];
  /** What it imports by relative paths, types left out. A module imported for its effects alone has no names. */
  imports: Map<string, string[]>;
}

type SyntaxNode = Record<string, unknown>;

const isNode = (value: unknown): value is SyntaxNode => typeof value === "object" && value !== null;

/**
 * Names in it, test and describe calls, `.each`, `.skipIf` and the like included. What is skipped or still
 * to do proves nothing and is left out, with everything inside it.
 */
function readSource(source: string, path: string): Source {
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
  const imports = new Map<string, string[]>();
  for (const item of body) {
    if (item.type !== "ImportDeclaration" || item.typeOnly || !item.source.value.startsWith(".")) continue;
    const target = posix.join(posix.dirname(path), item.source.value);
    const imported = item.specifiers.flatMap((one) =>
      one.type === "ImportSpecifier" && !one.isTypeOnly ? (one.imported?.value ?? one.local.value) : [],
    );
    imports.set(target, [...(imports.get(target) ?? []), ...imported]);
  }
  return { names, imports };
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
