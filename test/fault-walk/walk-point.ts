/** One step of a walk: a call that fails or lies, or a page that is damaged. */
import { createHash } from "node:crypto";
import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { testSeed } from "../../scripts/test-seed.ts";
import { walkHome, type Walked, type WalkParts } from "./life.ts";
import { faultTracer, formatPoint, parsePoint, wasHit, type Point } from "./point.ts";

export interface WalkStep {
  /** For the figures: the call, or `page`. */
  kind: string;
  /** Repeats it, through `stepFor`. */
  name: string;
  walk(parts: WalkParts): Promise<Walked>;
}

export const stepAt = (point: Point): WalkStep => ({
  kind: point.call,
  name: formatPoint(point),
  async walk(parts) {
    const log = join(parts.directory, "calls.log");
    const through = (home: string) => faultTracer(point, { home, log });
    const walked = await walkHome(parts, { through, isLasting: false });
    const violations = walked.violations.filter(({ law }) => law !== "answer" || !isWriteLost(point));
    return { ...walked, violations, isHit: wasHit(readFileSync(log, "utf8")) };
  },
});

/** A disk that says that it wrote and did not, takes messages with it that nobody can know of. What limits the home is kept twice. */
const isWriteLost = ({ call, manner }: Point): boolean => call === "pwrite64" && manner.type === "lie";

/** Each page of a home's database, filled with zeros or with noise, as the seed says. */
export function stepsOverPages(home: string): WalkStep[] {
  const file = readFileSync(join(home, "core.db"));
  const pages = file.length / pageBytes(file);
  return Array.from({ length: pages }, (_, index) =>
    stepOver(index + 1, (index + testSeed) % 2 === 0 ? "zeros" : "noise"),
  );
}

/** From 1, as SQLite counts. */
function stepOver(page: number, filling: string): WalkStep {
  const name = `page:core.db#${page}=${filling}`;
  const damage = (home: string) => {
    const path = join(home, "core.db");
    const bytes = pageBytes(readFileSync(path));
    const descriptor = openSync(path, "r+");
    try {
      const content = filling === "zeros" ? Buffer.alloc(bytes) : noise(bytes, name);
      writeSync(descriptor, content, 0, bytes, (page - 1) * bytes);
    } finally {
      closeSync(descriptor);
    }
  };
  return { kind: "page", name, walk: (parts) => walkHome(parts, { damage, isLasting: true }) };
}

const pageBytes = (file: Buffer): number => file.readUInt16BE(16);

/** The same for the same seed, so that a step can be repeated. */
function noise(bytes: number, seed: string): Buffer {
  const pieces = Array.from({ length: Math.ceil(bytes / 64) }, (_, index) =>
    createHash("sha512").update(`${seed} ${index}`).digest(),
  );
  return Buffer.concat(pieces).subarray(0, bytes);
}

/** Undefined when the name is none. */
export function stepFor(name: string): WalkStep | undefined {
  const [, page, filling] = /^page:core\.db#(\d+)=(zeros|noise)$/.exec(name) ?? [];
  if (page !== undefined && filling !== undefined) return stepOver(Number(page), filling);
  const point = parsePoint(name);
  return point && stepAt(point);
}
