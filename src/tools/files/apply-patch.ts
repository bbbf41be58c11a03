/**
 * Changes several files or none: it computes all changes before the first write, and restores what was written if a
 * later write fails.
 */
import { clean, defineTool } from "@pincer/sdk";
import { Type } from "typebox";
import { mostWrittenBytes } from "../../sandbox/change-files.ts";
import type { WorkdirFiles } from "../../sandbox/workdir-files.ts";
import { isMissing, WorkdirError } from "../../sandbox/workdir-opener.ts";
import { applyHunks } from "./apply-hunks.ts";
import { createChangeDescription, type DescribedChange } from "./describe-change.ts";
import { noFileLabels, type FileLabels, type Writing } from "./file-labels.ts";
import { type FileChange, parsePatch, pathsOf } from "./parse-patch.ts";
import { whereOf } from "./where.ts";

export type PatchFiles = Pick<
  WorkdirFiles,
  "readWhole" | "write" | "change" | "remove" | "move" | "isWritable" | "reach"
>;

export const createApplyPatchTool = (
  files: PatchFiles,
  labels: Pick<FileLabels, "writing"> = noFileLabels,
) => {
  const shown = createChangeDescription(files, ({ patch }: { patch: string }) =>
    parsePatch(patch).map(changeOf),
  );
  return defineTool({
    name: "apply_patch",
    aliases: ["file.patch"],
    effect: "write",
    controls: { patch: "path" },
    description: `Change several files ${whereOf(files)} at once, all or none.`,
    input: Type.Object({
      patch: Type.String({
        description:
          "*** Begin Patch, *** Add|Update|Delete File: path, *** Move to: path, @@, *** End Patch",
      }),
    }),
    changes({ patch }) {
      try {
        return pathsOf(parsePatch(patch));
      } catch {
        // An unreadable patch changes nothing.
        return [];
      }
    },
    describe: shown.describe,
    async run({ patch }, call) {
      await shown.refuseOther({ patch }, call.exact);
      const changes = parsePatch(patch);
      const steps: Step[] = [];
      const writing = labels.writing(call);
      const removed: string[] = [];
      const recording = { writing, removed };
      for (const change of changes) steps.push(...(await stepsOf(files, change, recording)));
      call.signal.throwIfAborted();
      await takeAll(steps);
      await writing.done(removed);
      return { text: changes.map(told).join("\n"), label: clean, details: { paths: pathsOf(changes) } };
    },
  });
};

function changeOf(change: FileChange): DescribedChange {
  const { path } = change;
  if (change.type === "add") return { path, compose: () => change.text };
  if (change.type === "delete") return { path, compose: () => undefined };
  const { to, hunks } = change;
  return { path, to, compose: (present = "") => applyHunks(path, present, hunks) };
}

interface Step {
  take(): Promise<unknown>;
  back(): Promise<unknown>;
}

async function takeAll(steps: readonly Step[]): Promise<void> {
  const taken: Step[] = [];
  try {
    for (const step of steps) {
      await step.take();
      taken.unshift(step);
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const lost: string[] = [];
    for (const step of taken) await step.back().catch((why: Error) => lost.push(why.message));
    const end = lost.length === 0 ? "nothing was changed" : `not all could be put back: ${lost.join("; ")}`;
    throw new Error(`${reason}; ${end}`, { cause: error });
  }
}

/** Throws if the change does not fit the current file. */
async function stepsOf(
  files: PatchFiles,
  change: FileChange,
  { writing, removed }: { writing: Writing; removed: string[] },
): Promise<Step[]> {
  const { path } = change;
  const { before } = writing;
  if (change.type === "add") {
    await refuseTaken(files, path);
    return [
      {
        take: () => files.write(path, change.text, { onlyNew: true, before }),
        back: () => files.remove(path),
      },
    ];
  }
  const { text, mode } = await files.readWhole(path, mostWrittenBytes);
  if (change.type === "delete")
    return [
      {
        take: async () => void removed.push((await files.remove(path, { before })).real),
        back: () => files.write(path, text, { mode, onlyNew: true }),
      },
    ];

  const { to } = change;
  if (to !== undefined) await refuseTaken(files, to);
  const changed = applyHunks(path, text, change.hunks);
  const swap =
    (from: string, instead: string, options = {}) =>
    () => {
      const replace = (present: string) => {
        if (present !== from) throw new WorkdirError(`${path} was changed by somebody else meanwhile`);
        return instead;
      };
      return files.change(path, mostWrittenBytes, replace, options);
    };
  const move = to !== undefined && {
    take: () => files.move(path, to, { before }),
    back: () => files.move(to, path),
  };
  return [{ take: swap(text, changed, { before }), back: swap(changed, text) }, ...(move ? [move] : [])];
}

async function refuseTaken(files: PatchFiles, path: string): Promise<void> {
  try {
    await files.readWhole(path, mostWrittenBytes);
  } catch (error) {
    if (!isMissing(error)) throw error;
    if (await files.isWritable(path)) return;
    throw new WorkdirError(`${path} cannot be written`, { cause: error });
  }
  throw new WorkdirError(`${path} is there already; update it instead`);
}

function told(change: FileChange): string {
  if (change.type === "add") return `made ${change.path}`;
  if (change.type === "delete") return `removed ${change.path}`;
  return change.to === undefined ? `changed ${change.path}` : `changed ${change.path}, now ${change.to}`;
}
