import { defineTool, type Tool } from "@pincer/sdk";
import { Type } from "typebox";
import { labelNote, type LabelledNote } from "./label-note.ts";
import { memoryFileNames, memoryFiles, type MemoryFiles } from "./memory-files.ts";
import { labelWords } from "./labelled-line.ts";
import { shortRefOf } from "./unconfirmed-lines.ts";

/**
 * Idempotent, because a file never takes the same note twice. Its arguments are content: only two file names are
 * possible, and untrusted text gets a label that keeps it out of prompts until the owner confirms it.
 */
export const createMemoryAppendTool = (memory: Pick<MemoryFiles, "append" | "todayPath">): Tool =>
  defineTool({
    name: "memory_append",
    effect: "write",
    idempotent: true,
    controls: {},
    // Memory goes into the owner's prompts: other people's conversations must not write there.
    isVisible: ({ chatType }) => chatType === "main",
    description: "Remember: append to today's note, or lasting facts to MEMORY.md.",
    input: Type.Object({
      text: Type.String({ minLength: 1, maxLength: 65_536 }),
      file: Type.Optional(Type.Enum([...memoryFileNames], { type: "string" })),
    }),
    changes: ({ file }) => (file === "MEMORY.md" ? memoryFiles : [memory.todayPath()]),
    async run({ text, file }, call) {
      const note = await labelNote(text, call);
      const { path, line, added } = await memory.append({ text: note.text, file });
      const place = `${path}, line ${line}`;
      const unconfirmed = added ? unconfirmedIn(note, path, line) : [];
      return {
        text: added ? `Written: ${place}${remark(unconfirmed)}` : `Already there: ${place}`,
        from: path,
        details: { path, line, added, ...(unconfirmed.length > 0 ? { unconfirmed } : {}) },
      };
    },
  });

interface UnconfirmedPlace {
  line: number;
  ref: string;
  label: string;
}

function unconfirmedIn({ text, unconfirmed }: LabelledNote, path: string, first: number): UnconfirmedPlace[] {
  const lines = text.split("\n");
  return unconfirmed.map(({ at, label }) => ({
    line: first + at,
    ref: shortRefOf(path, lines[at] ?? ""),
    label,
  }));
}

const mostNamed = 5;

/** For the model, which tells the owner if it matters; the owner is not asked automatically. */
function remark(unconfirmed: readonly UnconfirmedPlace[]): string {
  if (unconfirmed.length === 0) return "";
  const named = unconfirmed
    .slice(0, mostNamed)
    .map(({ line, ref, label }) => `line ${line} (${labelWords(label)}; ref ${ref})`);
  const more = unconfirmed.length > mostNamed ? ` and ${unconfirmed.length - mostNamed} more` : "";
  return `\nNot the owner's words, so unconfirmed: ${named.join(", ")}${more}. memory_search finds them; they are not shown by themselves until the owner confirms them: \`/remember <ref>\` or \`pincer memory confirm <ref>\`.`;
}
