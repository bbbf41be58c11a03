import { defineTool } from "@pincer/sdk";
import { Type } from "typebox";
import type { WorkdirFiles } from "../sandbox/workdir-files.ts";

export const createReadFileTool = (files: WorkdirFiles) =>
  defineTool({
    name: "read",
    aliases: ["fs.read_file", "file.read", "read_file"],
    effect: "read",
    description: "Read a text file of the workdir.",
    input: Type.Object({
      path: Type.String({ minLength: 1, description: "Relative to the workdir" }),
      maxBytes: Type.Integer({ default: 204_800, minimum: 1, maximum: 1_048_576 }),
    }),
    async run({ path, maxBytes }) {
      const { text, size, truncated } = await files.read(path, maxBytes);
      const mark = truncated ? `\n[cut: ${size} bytes in all]` : "";
      return { text: text + mark, details: { path, size, truncated } };
    },
  });
