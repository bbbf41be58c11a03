import { defineTool, type Tool } from "@pincer/sdk";
import { Type } from "typebox";
import { memoryFileNames, memoryFiles, type MemoryFiles } from "./memory-files.ts";

/** Idempotent because a file never takes the same note twice. Its arguments are content: where it writes is settled by the two names. */
export const createMemoryAppendTool = (memory: Pick<MemoryFiles, "append" | "todayPath">): Tool =>
  defineTool({
    name: "memory_append",
    effect: "write",
    idempotent: true,
    controlArguments: [],
    // What is remembered goes into the owner's prompts: what others say, or what is said before them, has no business there.
    isVisible: ({ chatType }) => chatType === "main",
    description: "Remember: append to today's note, or lasting facts to MEMORY.md.",
    input: Type.Object({
      text: Type.String({ minLength: 1, maxLength: 65_536 }),
      file: Type.Optional(Type.Enum([...memoryFileNames], { type: "string" })),
    }),
    changes: ({ file }) => (file === "MEMORY.md" ? memoryFiles : [memory.todayPath()]),
    async run({ text, file }) {
      const { path, line, added } = await memory.append({ text, file });
      const place = `${path}, line ${line}`;
      return {
        text: added ? `Written: ${place}` : `Already there: ${place}`,
        details: { path, line, added },
      };
    },
  });
