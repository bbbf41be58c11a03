/** For tools that are run by hand: the labels of a home that is opened when the first file is about to be changed. */
import type { ProgramSpans } from "../../sandbox/programs/program.ts";
import type { FileLabels } from "../../tools/files/file-labels.ts";
import type { OpenLabels } from "./open-labels.ts";

export function lazyLabels(open: () => Promise<Pick<OpenLabels, "files" | "spans">>): {
  files: FileLabels;
  spans: ProgramSpans;
} {
  let opening: ReturnType<typeof open> | undefined;
  const opened = () => (opening ??= open());
  return {
    files: {
      // What a person reads by hand is shown to nobody else.
      of: async () => undefined,
      writing(call) {
        let writing: Promise<ReturnType<FileLabels["writing"]>> | undefined;
        const begun = () => (writing ??= opened().then(({ files }) => files.writing(call)));
        return {
          before: async (about) => (await begun()).before(about),
          done: async (removed) => (await begun()).done(removed),
        };
      },
    },
    spans: {
      began: async (writes) => (await opened()).spans.began(writes),
      endGone: async () => (await opened()).spans.endGone(),
    },
  };
}
