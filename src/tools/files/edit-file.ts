import { defineTool } from "@pincer/sdk";
import { Type } from "typebox";
import { mostWrittenBytes } from "../../sandbox/change-files.ts";
import type { WorkdirFiles } from "../../sandbox/workdir-files.ts";
import { replaceText } from "./replace-text.ts";
import { whereOf } from "./where.ts";

export const createEditFileTool = (files: Pick<WorkdirFiles, "change" | "reach">) =>
  defineTool({
    name: "edit",
    aliases: ["file.edit", "edit_file"],
    effect: "write",
    controls: { path: "path" },
    description: `Replace text in a file ${whereOf(files)}; oldText must be there exactly once.`,
    input: Type.Object({
      path: Type.String(),
      oldText: Type.String({ minLength: 1 }),
      newText: Type.String(),
      all: Type.Optional(Type.Boolean({ description: "Replace each" })),
    }),
    changes: ({ path }) => [path],
    async run({ path, oldText, newText, all = false }) {
      let lines: number[] = [];
      await files.change(path, mostWrittenBytes, (present) => {
        const replaced = replaceText({ path, present, oldText, newText, all });
        lines = replaced.lines;
        return replaced.text;
      });
      const where = lines.length === 1 ? `line ${lines[0]}` : `lines ${lines.join(", ")}`;
      return { text: `edited ${path} at ${where}`, details: { path, lines } };
    },
  });
