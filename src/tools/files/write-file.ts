import { defineTool } from "@pincer/sdk";
import { Type } from "typebox";
import type { WorkdirFiles } from "../../sandbox/workdir-files.ts";
import { whereOf } from "./where.ts";

export const createWriteFileTool = (files: Pick<WorkdirFiles, "write" | "reach">) =>
  defineTool({
    name: "write",
    aliases: ["file.write", "write_file", "fs.write_file"],
    effect: "write",
    // The same content again leaves the same file.
    idempotent: true,
    controls: { path: "path" },
    description: `Make or replace a file ${whereOf(files)}, with its directories.`,
    input: Type.Object({ path: Type.String(), content: Type.String() }),
    changes: ({ path }) => [path],
    async run({ path, content }) {
      const { made } = await files.write(path, content);
      const size = Buffer.byteLength(content);
      return { text: `${made ? "made" : "replaced"} ${path}, ${size} bytes`, details: { path, size, made } };
    },
  });
