/** Memory files for a prompt: without unconfirmed lines. */
import type { FileText, WorkdirFiles } from "../sandbox/workdir-files.ts";
import type { TextFiles } from "../sandbox/workdir-texts.ts";
import { isUnconfirmed } from "./labelled-line.ts";

export interface ConfirmedFiles extends TextFiles {
  /** Lines of the files that were read so far. */
  leftOut(): number;
}

/**
 * Always reads up to `maxBytes`, and the caller cuts: dropped lines take no space, so that strangers' text cannot
 * displace the owner's.
 */
export function confirmedOnly(
  files: Pick<WorkdirFiles, "read" | "readEnd" | "stamp">,
  maxBytes: number,
): ConfirmedFiles {
  let leftOut = 0;

  function confirmed({ text, size, truncated }: FileText, cut: "first" | "last"): FileText {
    const lines = text.split("\n");
    // Half a line may have lost its label.
    if (truncated) lines.splice(cut === "first" ? 0 : -1, 1);
    const shown = lines.filter((line) => !isUnconfirmed(line));
    leftOut += lines.length - shown.length;
    return { text: shown.join("\n"), size, truncated };
  }

  return {
    read: async (path) => confirmed(await files.read(path, maxBytes), "last"),
    readEnd: async (path) => confirmed(await files.readEnd(path, maxBytes), "first"),
    stamp: files.stamp,
    leftOut: () => leftOut,
  };
}
