import { defineTool } from "@pincer/sdk";
import { Type } from "typebox";
import type { WorkdirFiles } from "../sandbox/workdir-files.ts";

const maxNames = 1000;

export const createListFilesTool = (files: WorkdirFiles) =>
  defineTool({
    name: "list",
    aliases: ["fs.list_dir", "file.list", "list_dir", "list_files"],
    effect: "read",
    description: "List the names in a directory of the workdir.",
    input: Type.Object({
      path: Type.String({ default: ".", description: "Relative to the workdir" }),
      recursive: Type.Boolean({ default: false }),
      maxDepth: Type.Integer({ default: 4, minimum: 1, maximum: 10, description: "How deep, if recursive" }),
    }),
    async run({ path, recursive, maxDepth }) {
      const { names, truncated } = await files.list(path, recursive ? maxDepth : 1, maxNames);
      const lines = truncated ? [...names, `[cut at ${maxNames} names]`] : names;
      return { text: lines.join("\n") || "(empty)", details: { count: names.length, truncated } };
    },
  });
