import { clean, defineTool } from "@pincer/sdk";
import { Type } from "typebox";
import type { WorkdirFiles } from "../../sandbox/workdir-files.ts";
import { createChangeDescription } from "./describe-change.ts";
import { noFileLabels, type FileLabels } from "./file-labels.ts";
import { whereOf } from "./where.ts";

export const createWriteFileTool = (
  files: Pick<WorkdirFiles, "write" | "readWhole" | "reach">,
  labels: Pick<FileLabels, "writing"> = noFileLabels,
) => {
  const shown = createChangeDescription(files, ({ path, content }: { path: string; content: string }) => [
    { path, compose: () => content },
  ]);
  return defineTool({
    name: "write",
    aliases: ["file.write", "write_file", "fs.write_file"],
    effect: "write",
    // The same content again leaves the same file.
    idempotent: true,
    controls: { path: "path" },
    description: `Make or replace a file ${whereOf(files)}, with its directories.`,
    input: Type.Object({ path: Type.String(), content: Type.String() }),
    changes: ({ path }) => [path],
    describe: shown.describe,
    async run({ path, content }, call) {
      await shown.refuseOther({ path, content }, call.exact);
      const writing = labels.writing(call);
      const { made } = await files.write(path, content, { before: writing.before });
      await writing.done();
      const size = Buffer.byteLength(content);
      const text = `${made ? "made" : "replaced"} ${path}, ${size} bytes`;
      return { text, label: clean, details: { path, size, made } };
    },
  });
};
