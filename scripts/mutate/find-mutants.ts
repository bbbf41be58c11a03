/**
 * Finds the guards of a source file: the conditions of `if`, and the yes or no that a function returns (comparisons, `&&`, `||`, `!`). Each
 * can be removed or forced. A condition is wrapped, never rewritten, so that every mutant is valid code.
 */
import { createHash } from "node:crypto";
import { parseSync } from "vite";

export interface Mutant {
  file: string;
  /** Of the condition, counted from 1. */
  line: number;
  /** The line of the source that is changed. */
  source: string;
  /** What the condition becomes: `removed` never holds, `forced` always does. */
  change: "removed" | "forced";
  /** Where the condition stands in the source. */
  start: number;
  end: number;
  /** What stands there instead. */
  replacement: string;
  /** Names the mutant for as long as its condition is in the file, also when lines move. */
  id: string;
}

/** Pure. In the order of the source. Throws for a source that cannot be parsed. */
export function findMutants(file: string, source: string): Mutant[] {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`);
  const seen = new Map<string, number>();
  return conditionsIn(program).flatMap(({ start, end }) => {
    const text = source.slice(start, end);
    const count = (seen.get(text) ?? 0) + 1;
    seen.set(text, count);
    const line = source.slice(0, start).split("\n").length;
    const whole = source.split("\n")[line - 1]?.trim() ?? "";
    const place = { file, line, source: whole, start, end };
    const id = `${file}#${text}#${count}`;
    return [
      { ...place, change: "removed", replacement: `(false && (${text}))`, id: `${id}#removed` },
      { ...place, change: "forced", replacement: `(true || (${text}))`, id: `${id}#forced` },
    ];
  });
}

/** Pure. The source with the mutant in it. */
export const applyMutant = (source: string, { start, end, replacement }: Mutant): string =>
  source.slice(0, start) + replacement + source.slice(end);

/** Pure. The same seed chooses the same mutants; a change elsewhere in the sources leaves most of the choice as it was. */
export function chooseMutants(mutants: readonly Mutant[], seed: string, count: number): Mutant[] {
  return mutants
    .map((mutant) => ({ mutant, order: createHash("sha256").update(`${seed}\0${mutant.id}`).digest("hex") }))
    .sort((a, b) => (a.order < b.order ? -1 : 1))
    .slice(0, count)
    .map(({ mutant }) => mutant);
}

interface Node {
  type: string;
  start: number;
  end: number;
  operator?: string;
  test?: Node;
  argument?: Node | null;
  body?: Node;
  expression?: Node;
}

/** In the order of the source. */
function conditionsIn(root: unknown): Node[] {
  const found: Node[] = [];
  visit(root);
  return found.sort((a, b) => a.start - b.start || b.end - a.end);

  function visit(thing: unknown): void {
    if (typeof thing !== "object" || thing === null) return;
    const condition = isNode(thing) ? conditionOf(thing) : undefined;
    if (condition) found.push(condition);
    for (const part of Object.values(thing)) visit(part);
  }
}

function conditionOf({ type, test, argument, body }: Node): Node | undefined {
  if (type === "IfStatement") return test;
  const answer =
    type === "ReturnStatement" ? argument : type === "ArrowFunctionExpression" ? body : undefined;
  return answer && isYesOrNo(answer) ? answer : undefined;
}

const comparisons = new Set(["===", "!==", "==", "!=", "<", "<=", ">", ">=", "in", "instanceof"]);

function isYesOrNo({ type, operator = "", expression }: Node): boolean {
  if (type === "ParenthesizedExpression" && expression) return isYesOrNo(expression);
  if (type === "BinaryExpression") return comparisons.has(operator);
  return (
    (type === "LogicalExpression" && operator !== "??") || (type === "UnaryExpression" && operator === "!")
  );
}

const isNode = (thing: object): thing is Node =>
  "type" in thing && typeof thing.type === "string" && "start" in thing && typeof thing.start === "number";
