/**
 * The one seed of a test run: it shuffles the files and draws the samples that `npm test` takes of what the deep run
 * does as a whole. It comes from the commit, so that successive commits walk through all of it, and one commit always
 * runs the same tests. PINCER_TEST_SEED=<number> repeats a run, or tries another one.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";

/** Where there is no repository. */
const fixedSeed = 20261117;

export const testSeed: number = readSeed(process.env["PINCER_TEST_SEED"]) ?? commitSeed() ?? fixedSeed;

/** The same items in an order that depends on the seed and their names alone. */
export function shuffled<Item>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
  seed = testSeed,
): Item[] {
  const keyed = items.map((item) => ({
    item,
    key: createHash("sha256")
      .update(`${seed} ${nameOf(item)}`)
      .digest("hex"),
  }));
  return keyed.sort((one, other) => (one.key < other.key ? -1 : 1)).map(({ item }) => item);
}

/** One of `count` equal parts, as the seed says; all parts together are all items. */
export function partOf<Item>(items: readonly Item[], count: number, seed = testSeed): Item[] {
  return items.filter((_, index) => index % count === seed % count);
}

export function readSeed(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,10}$/.test(text) ? Number(text) : undefined;
}

function commitSeed(): number | undefined {
  const root = fileURLToPath(new URL("..", import.meta.url));
  const { status, stdout } = spawnSync("git", ["rev-parse", "HEAD"], { cwd: root, encoding: "utf8" });
  return status === 0 ? Number.parseInt(stdout.slice(0, 8), 16) : undefined;
}
