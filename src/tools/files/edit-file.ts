import { clean, defineTool } from "@pincer/sdk";
import { Type, type Static } from "typebox";
import { mostWrittenBytes } from "../../sandbox/change-files.ts";
import type { WorkdirFiles } from "../../sandbox/workdir-files.ts";
import { createChangeDescription } from "./describe-change.ts";
import { noFileLabels, type FileLabels } from "./file-labels.ts";
import { replaceText } from "./replace-text.ts";
import { whereOf } from "./where.ts";

const input = Type.Object({
  path: Type.String(),
  oldText: Type.String({ minLength: 1 }),
  newText: Type.String(),
  all: Type.Optional(Type.Boolean({ description: "Replace each" })),
});
type EditInput = Static<typeof input>;

export const createEditFileTool = (
  files: Pick<WorkdirFiles, "change" | "readWhole" | "reach">,
  labels: Pick<FileLabels, "writing"> = noFileLabels,
) => {
  const shown = createChangeDescription(files, ({ path, all = false, ...given }: EditInput) => [
    { path, compose: (present = "") => replaceText({ path, present, all, ...given }).text },
  ]);
  return defineTool({
    name: "edit",
    aliases: ["file.edit", "edit_file"],
    effect: "write",
    controls: { path: "path" },
    description: `Replace text in a file ${whereOf(files)}; oldText must be there exactly once.`,
    input,
    changes: ({ path }) => [path],
    describe: shown.describe,
    async run(given, call) {
      const { path, oldText, newText, all = false } = given;
      await shown.refuseOther(given, call.exact);
      let lines: number[] = [];
      const writing = labels.writing(call);
      const replace = (present: string) => {
        const replaced = replaceText({ path, present, oldText, newText, all });
        lines = replaced.lines;
        return replaced.text;
      };
      await files.change(path, mostWrittenBytes, replace, { before: writing.before });
      await writing.done();
      const where = lines.length === 1 ? `line ${lines[0]}` : `lines ${lines.join(", ")}`;
      return { text: `edited ${path} at ${where}`, label: clean, details: { path, lines } };
    },
  });
};
