/** The walk: makes a home, finds its points, walks them side by side, and counts. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Violation } from "./laws.ts";
import { heal, live, type Walked } from "./life.ts";
import { recordingTracer, type Point } from "./point.ts";
import { countCalls, pointsOf } from "./recorded-calls.ts";
import { echoOf, openTalk } from "./talk.ts";
import { copyPlace, fillPolicy, people, placeIn, writeConfig, type WalkPlace } from "./walk-home.ts";
import { stepsOverPages, type WalkStep } from "./walk-point.ts";
import { startWalked } from "./walked-gateway.ts";

export interface FaultWalk {
  /** Every call of a life on its home, with every manner to fail. */
  points: Point[];
  /** Every page of its database. */
  pages: WalkStep[];
  walk(steps: readonly WalkStep[], onWalked?: (step: WalkStep, walked: Walked) => void): Promise<WalkReport>;
  close(): void;
}

export interface WalkReport {
  walked: number;
  /** By kind, in the order of the alphabet. */
  kinds: Map<string, { walked: number; violated: number }>;
  repaired: number;
  /** Points that the life did not come to: it makes not quite the same calls each time. */
  missed: number;
  violations: Array<{ name: string; said: string; found: Violation[] }>;
  seconds: number;
}

/** Most of a walk is waiting, so many go side by side; but few start at a time. */
const sideBySide = 16;
const startsAtATime = 3;

export async function openFaultWalk(): Promise<FaultWalk> {
  const root = mkdtempSync(join(tmpdir(), "pincer-walk-"));
  const template = await makeTemplate(join(root, "template"));
  const points = await findPoints(template, root);
  const startInTurn = inTurn(startsAtATime);
  return {
    points,
    pages: stepsOverPages(template.home),
    async walk(steps, onWalked) {
      const began = performance.now();
      const report: WalkReport = {
        walked: 0,
        kinds: new Map(),
        repaired: 0,
        missed: 0,
        violations: [],
        seconds: 0,
      };
      for (const kind of steps.map((step) => step.kind).sort())
        report.kinds.set(kind, { walked: 0, violated: 0 });
      const queue = [...steps];
      let number = 0;
      const work = async () => {
        for (let step = queue.shift(); step; step = queue.shift()) {
          const directory = join(root, `w${++number}`);
          const walked = await step.walk({ template, directory, startInTurn });
          if (walked.violations.length === 0) rmSync(directory, { recursive: true, force: true });
          count(report, step, walked);
          onWalked?.(step, walked);
        }
      };
      await Promise.all(Array.from({ length: sideBySide }, work));
      return { ...report, seconds: Math.round((performance.now() - began) / 1000) };
    },
    close: () => rmSync(root, { recursive: true, force: true, maxRetries: 5 }),
  };
}

function count(
  report: WalkReport,
  { kind, name }: WalkStep,
  { violations, said, isRepaired, isHit }: Walked,
): void {
  const figures = report.kinds.get(kind) ?? { walked: 0, violated: 0 };
  report.walked++;
  figures.walked++;
  if (isRepaired) report.repaired++;
  if (!isHit) report.missed++;
  if (violations.length === 0) return;
  figures.violated++;
  report.violations.push({ name, said, found: violations });
}

/** In lines for the terminal; each violation with what repeats it. */
export function formatReport({ walked, kinds, repaired, missed, violations, seconds }: WalkReport): string {
  const figures = [...kinds].map(
    ([kind, each]) => `  ${kind.padEnd(10)} ${each.walked} (${each.violated} violated)`,
  );
  const found = violations.flatMap(({ name, found, said }) => [
    ...found.map(({ law, detail }) => `  ${name}  ${law}: ${detail}`),
    `    again: PINCER_WALK='${name}' npx vitest run --project product test/fault-walk.test.ts`,
    ...said
      .split("\n")
      .slice(-3)
      .map((line) => `    | ${line}`),
  ]);
  const head = `fault walk: ${walked} points, ${violations.length} violated, ${missed} not reached, ${repaired} repaired, ${seconds} s`;
  return [head, ...figures, ...found].join("\n");
}

/** A home that has lived: people have spoken, and what limits it is known. */
async function makeTemplate(directory: string): Promise<WalkPlace> {
  const place = placeIn(directory);
  mkdirSync(directory, { recursive: true });
  writeConfig(place);
  await (await startWalked(place.home)).stop();
  await fillPolicy(place);
  const talk = openTalk(place);
  const gateway = await startWalked(place.home);
  try {
    for (const person of people) {
      const message = talk.write(person, echoOf("first"), "first");
      if (!(await talk.until(() => talk.isAnswered(message), 20_000))) throw new Error(gateway.said());
    }
    await gateway.stop();
  } finally {
    await gateway.kill();
  }
  rmSync(place.inbox);
  rmSync(place.outbox);
  return place;
}

/** A life without a fault, and one after it: they must be without a fault themselves. */
async function findPoints(template: WalkPlace, root: string): Promise<Point[]> {
  const log = join(root, "calls.log");
  const place = copyPlace(template, join(root, "recorded"));
  const talk = openTalk(place);
  const gateway = await startWalked(place.home, recordingTracer(log));
  try {
    if (!gateway.isRunning) throw new Error(gateway.said());
    await live({ place, talk, gateway });
    await gateway.stop();
  } finally {
    await gateway.kill();
  }
  const points = pointsOf(countCalls(readFileSync(log, "utf8"), place.home));
  const { violations } = await heal(place, talk, { startInTurn: (start) => start(), mayBeGone: false });
  if (violations.length > 0) throw new Error(`without a fault: ${JSON.stringify(violations)}`);
  return points;
}

function inTurn(most: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let running = 0;
  const waiting: Array<() => void> = [];
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
