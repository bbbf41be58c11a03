/** Somebody who swaps a directory of the workdir for a link to the outside and back, while tools use it. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { rename } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { WorkdirFiles } from "../workdir-files.ts";
import { createWorkdirFiles } from "../workdir-files.ts";

export interface RaceReport {
  /** That were done while everything was in its right place. */
  done: number;
  refused: number;
  /** What was seen or changed outside. Must stay empty. */
  escapes: string[];
}

/** Uses each verb `rounds` times at `swap/…` while that name means now a directory, now a link to the outside. */
export async function raceSwaps(rounds: number): Promise<RaceReport> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "pincer-race-")));
  try {
    const [place, theirs] = [join(base, "work", "swap"), join(base, "theirs")];
    mkdirSync(join(place, "deep"), { recursive: true });
    mkdirSync(join(theirs, "deep"), { recursive: true });
    for (const directory of [place, theirs])
      for (const name of ["file.txt", "deep/file.txt"])
        writeFileSync(join(directory, name), directory === place ? "ours\n" : "CANARY\n");
    writeFileSync(join(theirs, "CANARY"), "");
    symlinkSync(theirs, join(base, "evil"));
    const before = pictureOf(theirs);
    const stop = new AbortController();
    const swapping = swapUntil(stop.signal, { base, place });
    const files = createWorkdirFiles({ workdir: join(base, "work"), closed: join(base, "home") });
    const report = await useAll(files, rounds);
    stop.abort();
    await swapping;
    if (pictureOf(theirs) !== before) report.escapes.push(`outside is now ${pictureOf(theirs)}`);
    return report;
  } finally {
    rmSync(base, { recursive: true });
  }
}

async function useAll(files: WorkdirFiles, rounds: number): Promise<RaceReport> {
  const report: RaceReport = { done: 0, refused: 0, escapes: [] };
  const noSignal = new AbortController().signal;
  const wanted = {
    query: "CANARY",
    isExpression: false,
    in: "text",
    maxResults: 5,
    deadlineMs: 10_000,
  } as const;
  const uses: Array<(round: number) => Promise<unknown>> = [
    async () => (await files.read("swap/file.txt", 100)).text,
    async () => (await files.list("swap", 3, 100)).names,
    async () => (await files.list(".", 3, 100)).names,
    async () => (await files.search({ ...wanted, path: "swap", signal: noSignal })).hits,
    (round) => files.write(`swap/deep/new-${round % 5}.txt`, "ours\n"),
    () => files.change("swap/file.txt", 100, () => "ours\n"),
    () => files.append("swap/deep/log.txt", 1_000_000, () => "ours\n"),
    (round) => files.remove(`swap/deep/new-${round % 5}.txt`),
    (round) => files.move("swap/deep/file.txt", `swap/deep/moved-${round}.txt`),
    (round) => files.move(`swap/deep/moved-${round}.txt`, "swap/deep/file.txt"),
  ];
  for (let round = 0; round < rounds; round++) {
    const outcomes = await Promise.allSettled(uses.map((use) => use(round)));
    for (const outcome of outcomes) {
      report[outcome.status === "fulfilled" ? "done" : "refused"] += 1;
      const said = outcome.status === "fulfilled" ? JSON.stringify(outcome.value) : "";
      if (said?.includes("CANARY")) report.escapes.push(said);
    }
  }
  return report;
}

async function swapUntil(
  signal: AbortSignal,
  { base, place }: { base: string; place: string },
): Promise<void> {
  const [good, evil] = [join(base, "good"), join(base, "evil")];
  let strays = 0;
  /** What was made under the name meanwhile is put away. */
  const put = async (from: string, to: string) => {
    for (let left = 100; left > 0; left--) {
      if (await tried(rename(from, to))) return;
      strays += 1;
      await tried(rename(to, join(base, `stray-${strays}`)));
    }
    throw new Error(`${from} could not be put at ${to}`);
  };
  while (!signal.aborted) {
    await put(place, good);
    await put(evil, place);
    await put(place, evil);
    await put(good, place);
    // In its right place for a moment, so that some uses succeed.
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
  }
}

const tried = (step: Promise<void>): Promise<boolean> =>
  step.then(
    () => true,
    () => false,
  );

function pictureOf(directory: string): string {
  const names = readdirSync(directory, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return [...names.map(({ name }) => name), ...files.map((file) => readFileSync(file, "utf8"))]
    .sort()
    .join("|");
}
