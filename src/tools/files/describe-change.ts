/**
 * What a call would change in files, for the person who is asked about it: the difference itself, and not only a path.
 * A yes holds for this difference; if a file has become another one by then, nothing is written.
 */
import { createHash } from "node:crypto";
import type { CallDescription } from "@pincer/sdk";
import { unifiedDiff } from "../../infra/unified-diff.ts";
import { mostWrittenBytes } from "../../sandbox/change-files.ts";
import type { WorkdirFiles } from "../../sandbox/workdir-files.ts";
import { isMissing, WorkdirError } from "../../sandbox/workdir-opener.ts";

export interface DescribedChange {
  path: string;
  /** Its new path, if it is moved. */
  to?: string | undefined;
  /** The new text, undefined if the file goes. Throws where the change does not fit. */
  compose(present: string | undefined): string | undefined;
}

export interface ChangeDescription<Input> {
  /** Throws where the change cannot be made. */
  describe(input: Input): Promise<CallDescription>;
  /** Throws if the owner said yes to something else (`exact`) than what would be done now. */
  refuseOther(input: Input, exact: string | undefined): Promise<void>;
}

export function createChangeDescription<Input>(
  files: Pick<WorkdirFiles, "readWhole">,
  changesOf: (input: Input) => readonly DescribedChange[],
): ChangeDescription<Input> {
  async function describe(input: Input): Promise<CallDescription> {
    const shown: string[] = [];
    const present: string[] = [];
    for (const change of changesOf(input)) {
      const found = await presentText(files, change.path);
      shown.push(await shownChange(change, found));
      present.push(found.id);
    }
    return { shown: shown.join("\n"), exact: JSON.stringify([input, present]) };
  }

  return {
    describe,
    async refuseOther(input, exact) {
      if (exact === undefined || (await describe(input)).exact === exact) return;
      throw new Error("not done: the file is no longer as it was when the owner was asked; ask again");
    },
  };
}

interface PresentText {
  type: "text" | "missing" | "no-text";
  text?: string;
  /** Another one for other content. */
  id: string;
}

/** What is no text is replaced as a whole, which the description says. */
async function presentText(files: Pick<WorkdirFiles, "readWhole">, path: string): Promise<PresentText> {
  try {
    const { text } = await files.readWhole(path, mostWrittenBytes);
    return { type: "text", text, id: createHash("sha256").update(text).digest("hex") };
  } catch (error) {
    if (isMissing(error)) return { type: "missing", id: "missing" };
    if (error instanceof WorkdirError) return { type: "no-text", id: error.message };
    throw error;
  }
}

async function shownChange({ path, to, compose }: DescribedChange, found: PresentText): Promise<string> {
  const { text: before } = found;
  const after = compose(before);
  const moved = to === undefined ? [] : [`moved from ${path} to ${to}`];
  const replaced = found.type === "no-text" ? [`replaces what is there: ${found.id}`] : [];
  const { text } = await unifiedDiff({ path: to ?? path, before, after });
  return [...moved, ...replaced, text].join("\n");
}
