/**
 * A workdir on a real disk, with labels. The file system's clock cannot be turned, so the stage's time runs ahead of it in
 * leaps: a file that was changed after a leap was changed much later.
 */
import { mkdir, mkdtemp, realpath, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Label, ToolCallContext } from "@pincer/sdk";
import { createHandClock } from "@pincer/sdk/testing";
import { createIds } from "../../../infra/ids.ts";
import { createWorkdirFiles, type WorkdirFiles } from "../../../sandbox/workdir-files.ts";
import { systemDisk, type Disk } from "../../../sandbox/replace-file.ts";
import { createMemoryStores } from "../../../storage/memory-stores.ts";
import type { TenantStores } from "../../../storage/storage.ts";
import { holder } from "../../../storage/testing/samples.ts";
import { openLabels, type OpenLabels } from "../open-labels.ts";

export interface LabelStage {
  base: string;
  workdir: string;
  stores: TenantStores;
  files: WorkdirFiles;
  /** Its steps can be made to fail. */
  disk: Disk;
  labels(): OpenLabels;
  /** As after a restart; with a gate that fails, for instance. */
  open(gate?: Partial<TenantStores["gate"]>): void;
  now(): number;
  /** As in a home from before. */
  unrecordedUntilNow(): Promise<void>;
  put(name: string, text: string): Promise<void>;
  labelOf(name: string): Promise<Label | undefined>;
  /** What a program does, while it is noted that one runs. */
  program(act: () => Promise<unknown>): Promise<void>;
  /** Ten seconds. */
  later(): Promise<void>;
  remove(): Promise<void>;
}

export async function createLabelStage({ at = "home/workspace" } = {}): Promise<LabelStage> {
  const base = await realpath(await mkdtemp(join(tmpdir(), "pincer-labels-")));
  const workdir = join(base, at);
  await mkdir(workdir, { recursive: true });
  await mkdir(join(base, "home"), { recursive: true });
  const leaps: number[] = [];
  let unrecorded = 0;
  const inStage = (ms: number) => ms + leaps.filter((leap) => leap <= ms).length * 10_000;
  const now = () => inStage(Date.now());
  const clock = { ...createHandClock(), now };
  const stores = createMemoryStores({ clock, ids: createIds() }).tenant("acme");
  const disk = { ...systemDisk };
  const files = createWorkdirFiles({ workdir, closed: join(base, "home"), disk });
  let labels: OpenLabels;

  function open(given: Partial<TenantStores["gate"]> = {}): void {
    const gate = { ...stores.gate, ...given };
    labels = openLabels({
      stores: {
        ...stores,
        gate: {
          ...gate,
          async describeFiles(seen) {
            const inTime = seen.map((each) => ({ ...each, ctimeMs: inStage(each.ctimeMs) }));
            const facts = await gate.describeFiles(inTime);
            const isOld = (index: number) => (inTime[index]?.ctimeMs ?? 0) <= unrecorded;
            return facts.map((each, index) =>
              each.history === "known" && isOld(index) ? { ...each, history: "unrecorded" } : each,
            );
          },
        },
      },
      home: { root: join(base, "home") },
      clock,
      holder: holder("one"),
      isAlive: () => true,
    });
  }
  open();

  /** Until the file system's clock, which ticks, has passed all that was changed before, and ours has passed that. */
  async function later(): Promise<void> {
    const before = Date.now() + 1;
    const probe = join(base, "probe");
    for (;;) {
      await writeFile(probe, "");
      const { ctimeMs } = await stat(probe);
      if (ctimeMs <= before || Date.now() <= ctimeMs) continue;
      // Other ways to read the same time round it otherwise.
      leaps.push(ctimeMs - 0.01);
      return;
    }
  }

  return {
    base,
    workdir,
    stores,
    files,
    disk,
    labels: () => labels,
    open,
    now,
    async unrecordedUntilNow() {
      // A file system keeps finer times than this clock.
      unrecorded = now() + 1000;
      await later();
    },
    put: (name, text) => writeFile(join(workdir, name), text),
    labelOf: async (name) => labels.files.of([(await files.version(name)).version]),
    async program(act) {
      const end = await labels.spans.began({ below: workdir });
      await act();
      await end();
    },
    later,
    remove: () => rm(base, { recursive: true }),
  };
}

/** A call whose context has this label. */
export const callFrom = (label?: Label, more: Partial<ToolCallContext> = {}): ToolCallContext => ({
  callId: "c",
  sessionKey: "s",
  signal: new AbortController().signal,
  ...(label && { contextLabel: async () => label }),
  ...more,
});
