/** The tools of the proof: what they do can be counted afterwards, in files that outlive the process. */
import { open } from "node:fs/promises";
import { join } from "node:path";
import { defineTool, type Tool } from "@pincer/sdk";
import { Type } from "typebox";

export const effectsFile = (directory: string): string => join(directory, "effects.jsonl");
export const looksFile = (directory: string): string => join(directory, "looks.jsonl");
export const forbiddenFile = (directory: string): string => join(directory, "forbidden.jsonl");
/** A standing rule of the home denies it. */
export const forbiddenTool = "prove_forbidden";

const input = Type.Object({
  message: Type.String({ description: "The message it is done for" }),
  step: Type.String({ description: "Which of its steps" }),
});

export const createProveTools = (directory: string): Tool[] => [
  defineTool({
    name: "prove_effect",
    effect: "act",
    idempotent: false,
    // Nobody hears of it: what the gate asks about is proven elsewhere.
    controls: {},
    leaves: [],
    description: "Does something that must not be done twice.",
    input,
    async run({ message, step }, call) {
      await appendLine(effectsFile(directory), { callId: call.callId, message, step });
      return { text: `done: ${message} ${step}` };
    },
  }),
  defineTool({
    name: "prove_look",
    effect: "read",
    description: "Does something that may be done again.",
    input,
    async run({ message, step }, call) {
      await appendLine(looksFile(directory), { callId: call.callId, message, step });
      return { text: `seen: ${message} ${step}` };
    },
  }),
  defineTool({
    name: forbiddenTool,
    effect: "read",
    description: "Does something that a standing rule of the home forbids.",
    input,
    async run({ message, step }, call) {
      await appendLine(forbiddenFile(directory), { callId: call.callId, message, step });
      return { text: `done: ${message} ${step}` };
    },
  }),
];

/** One line, on the disk when it resolves. */
async function appendLine(file: string, line: object): Promise<void> {
  const handle = await open(file, "a", 0o600);
  try {
    await handle.write(`${JSON.stringify(line)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
