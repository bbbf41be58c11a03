/** Memory files as a prompt may show them: without the lines that nobody has confirmed. */
import type { FileText, WorkdirFiles } from "../sandbox/workdir-files.ts";
import type { TextFiles } from "../sandbox/workdir-texts.ts";
import { isUnconfirmed } from "./labelled-line.ts";

export interface ConfirmedFiles extends TextFiles {
  /** Lines of the files that were read so far. */
  leftOut(): number;
}

/**
 * Files are read as far as `maxBytes` whatever is asked for, and cut by whoever asks: what is left out takes no room, so that strangers' words
 * cannot push out the owner's.
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
