import { defineTool } from "@pincer/sdk";
import { Type } from "typebox";
import type { WorkdirFiles } from "../../sandbox/workdir-files.ts";
import { noFileLabels, type FileLabels } from "./file-labels.ts";
import { whereOf } from "./where.ts";

const maxNames = 1000;

export const createListFilesTool = (
  files: Pick<WorkdirFiles, "list" | "reach">,
  labels: Pick<FileLabels, "of"> = noFileLabels,
) =>
  defineTool({
    name: "list",
    aliases: ["fs.list_dir", "file.list", "list_dir", "list_files"],
    effect: "read",
    controls: { path: "path" },
    resultOrigin: "file",
    description: `List the names in a directory ${whereOf(files)}.`,
    input: Type.Object({
      path: Type.Optional(Type.String()),
      recursive: Type.Optional(Type.Boolean()),
      maxDepth: Type.Optional(Type.Integer({ default: 4, minimum: 1, maximum: 10 })),
    }),
    async run({ path = ".", recursive = false, maxDepth = 4 }) {
      const { names, truncated, seen } = await files.list(path, recursive ? maxDepth : 1, maxNames);
      const lines = truncated ? [...names, `[cut at ${maxNames} names]`] : names;
      const label = await labels.of(seen);
      const details = { count: names.length, truncated };
      return { text: lines.join("\n") || "(empty)", ...(label && { label }), details };
    },
  });
