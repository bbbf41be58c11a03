/**
 * Finds the guards of a source file, and the ways to break each: the condition of an `if`, a comparison that a function returns, and the
 * operands of `&&` and `||` in either. A condition is wrapped, never rewritten, so that every mutant is valid code.
 */
import { createHash } from "node:crypto";
import { parseSync } from "vite";

export interface Mutant {
  file: string;
  /** Of the condition, counted from 1. */
  line: number;
  /** The line of the source that is changed. */
  source: string;
  /** What the condition becomes: `removed` never stops anything, `forced` always does. */
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
  return conditionsIn(program)
    .sort((a, b) => a.start - b.start || b.end - a.end)
    .flatMap(({ start, end, changes }) => {
      const text = source.slice(start, end);
      const count = (seen.get(text) ?? 0) + 1;
      seen.set(text, count);
      const line = source.slice(0, start).split("\n").length;
      const whole = source.split("\n")[line - 1]?.trim() ?? "";
      return changes.map(({ change, value }) => ({
        file,
        line,
        source: whole,
        change,
        start,
        end,
        replacement: value ? `(true || (${text}))` : `(false && (${text}))`,
        id: `${file}#${text}#${count}#${change}`,
      }));
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

interface Condition {
  start: number;
  end: number;
  changes: Array<{ change: Mutant["change"]; value: boolean }>;
}

interface Node {
  type: string;
  start: number;
  end: number;
  operator?: string;
  body?: Node;
  expression?: Node;
  test?: Node;
  left?: Node;
  right?: Node;
  argument?: Node | null;
}

const never: Condition["changes"][number] = { change: "removed", value: false };
const always: Condition["changes"][number] = { change: "forced", value: true };
const comparisons = new Set(["===", "!==", "==", "!=", "<", "<=", ">", ">=", "in", "instanceof"]);

function conditionsIn(root: unknown): Condition[] {
  const found: Condition[] = [];
  visit(root);
  return found;

  function visit(thing: unknown): void {
    if (typeof thing !== "object" || thing === null) return;
    if (isNode(thing)) found.push(...conditionsOf(thing));
    for (const part of Object.values(thing)) visit(part);
  }
}

function conditionsOf({ type, test, argument, body }: Node): Condition[] {
  if (type === "IfStatement" && test)
    return [{ ...placeOf(test), changes: [never, always] }, ...operandsIn(test)];
  const answer =
    type === "ReturnStatement" ? argument : type === "ArrowFunctionExpression" ? body : undefined;
  if (!answer) return [];
  if (answer.type === "BinaryExpression" && comparisons.has(answer.operator ?? ""))
    return [{ ...placeOf(answer), changes: [never, always] }];
  return operandsIn(answer);
}

/** What the other operand says is left: without one of two conditions, `a && b` is `b`, and so is `a || b`. */
function operandsIn(condition: Node): Condition[] {
  const { type, operator, left, right, expression, argument } = condition;
  if (type === "ParenthesizedExpression" && expression) return operandsIn(expression);
  if (type === "UnaryExpression" && operator === "!" && argument) return operandsIn(argument);
  if (type !== "LogicalExpression" || operator === "??" || !left || !right) return [];
  const neutral = { change: "removed", value: operator === "&&" } as const;
  return [left, right].flatMap((operand) => {
    const isChain = operand.type === type && operand.operator === operator;
    return [...(isChain ? [] : [{ ...placeOf(operand), changes: [neutral] }]), ...operandsIn(operand)];
  });
}

const placeOf = ({ start, end }: Node) => ({ start, end });

const isNode = (thing: object): thing is Node =>
  "type" in thing && typeof thing.type === "string" && "start" in thing && typeof thing.start === "number";
