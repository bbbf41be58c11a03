/** Whatever a turn does to a tree: undone, the tree is what it was; the undoing undone, it is what the turn had made of it. */
import * as fc from "fast-check";
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { stageSnapshots, type SnapshotStage } from "./testing/snapshot-stage.ts";

const name = fc.constantFrom("a", "b", "c", "ä", "x y", ".hidden", "node_modules");
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join("/"));
const text = fc.oneof(fc.string({ maxLength: 20 }), fc.constantFrom("", "same", "long".repeat(1000)));

type Act =
  | { type: "write"; path: string; text: string; mode: number }
  | { type: "link"; path: string; target: string }
  | { type: "make"; path: string }
  | { type: "remove"; path: string };

const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ type: fc.constant("write" as const), path, text, mode: fc.constantFrom(0o644, 0o600, 0o755) }),
  fc.record({
    type: fc.constant("link" as const),
    path,
    target: fc.constantFrom("a", "../b", "/nowhere", "."),
  }),
  fc.record({ type: fc.constant("make" as const), path }),
  fc.record({ type: fc.constant("remove" as const), path }),
);

/** What cannot be done there (a file as a directory, something in the way) is not done. */
async function perform(stage: SnapshotStage, acts: readonly Act[]): Promise<void> {
  for (const each of acts) {
    if (await leadsThroughLink(stage, each.path)) continue;
    try {
      if (each.type === "write") await stage.write(each.path, each.text, each.mode);
      else if (each.type === "link") await stage.link(each.path, each.target);
      else if (each.type === "make") await stage.make(each.path);
      else await stage.remove(each.path);
    } catch {
      // Then not.
    }
  }
}

/** Through a link the test itself might write outside. */
async function leadsThroughLink({ workdir }: SnapshotStage, path: string): Promise<boolean> {
  let at = workdir;
  for (const part of path.split("/")) {
    at = join(at, part);
    if ((await lstat(at).catch(() => undefined))?.isSymbolicLink()) return true;
  }
  return false;
}

const counted = (shown: Record<string, string>) =>
  Object.fromEntries(Object.entries(shown).filter(([each]) => !each.split("/").includes("node_modules")));

it("gives back the exact tree, and the undoing undone gives the changed one", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(act, { maxLength: 12 }),
      fc.array(act, { maxLength: 12 }),
      async (first, second) => {
        const stage = await stageSnapshots();
        try {
          await perform(stage, first);
          const before = counted(await stage.tree());
          await stage.turn("t1", () => perform(stage, second));
          const after = counted(await stage.tree());
          const found = await stage.snapshots.find("t1");
          expect(found === undefined).toBe(JSON.stringify(before) === JSON.stringify(after));
          if (!found) return;
          const { undoId = "", conflicts } = await stage.snapshots.undo("t1", { force: false });
          // A directory that holds what is not kept stays where it is.
          const isWhole = conflicts.length === 0;
          fc.pre(isWhole);
          expect(counted(await stage.tree())).toEqual(before);
          await stage.snapshots.undo(undoId, { force: false });
          expect(counted(await stage.tree())).toEqual(after);
        } finally {
          await stage.clear();
        }
      },
    ),
    { numRuns: 25 },
  );
}, 60_000);
