/** Approves commands, changes something, and has them run: what runs must be what was approved, and what is the same must run. */
import { isDeepStrictEqual } from "node:util";
import { baseCommands, mutations, type Random } from "./exact-mutations.ts";
import type { ExactStage } from "./exact-stage.ts";

export interface FuzzFigures {
  total: number;
  ran: number;
  refused: number;
  /** Ran though something was different. */
  unapproved: string[];
  /** Was refused though nothing was. */
  needless: string[];
  /** By the name of what was changed. */
  kinds: Record<string, { ran: number; refused: number }>;
}

export async function fuzzApprovals(stage: ExactStage, rounds: number, seed: number): Promise<FuzzFigures> {
  const random = numbersFrom(seed);
  const figures: FuzzFigures = { total: 0, ran: 0, refused: 0, unapproved: [], needless: [], kinds: {} };
  for (let round = 0; round < rounds; round++) {
    const [command, ...runs] = baseCommands[Math.floor(random() * baseCommands.length)] ?? ["build"];
    const mutation = mutations[round % mutations.length];
    if (!mutation) break;
    const base = { command, cwd: "sub" };
    stage.runs(runs);
    const approved = await stage.imageOf(base);
    const exact = await stage.approve(base);
    const input = mutation.input?.(base, random) ?? base;
    let undo = () => {};
    const change = () => void (undo = mutation.world?.(stage, random) ?? undo);
    if (mutation.when === "at-start") stage.before(change);
    else if (mutation.when === "handed-over") stage.after(change);
    else change();
    const outcome = await stage.run(input, exact);
    stage.before(() => {});
    stage.after(() => {});
    const wanted = typeof outcome === "string" ? await stage.imageOf(input) : outcome;
    undo();
    const isSame = isDeepStrictEqual(approved, wanted);
    const didRun = typeof outcome !== "string";
    const kind = (figures.kinds[mutation.name] ??= { ran: 0, refused: 0 });
    figures.total++;
    figures[didRun ? "ran" : "refused"]++;
    kind[didRun ? "ran" : "refused"]++;
    const told = `${mutation.name}: ${JSON.stringify(input)}: ${didRun ? "ran" : outcome}`;
    if (didRun && !isSame) figures.unapproved.push(told);
    if (!didRun && isSame) figures.needless.push(told);
  }
  return figures;
}

/** Mulberry32. */
function numbersFrom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
