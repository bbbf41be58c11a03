import { defineTool, type Tool } from "@pincer/sdk";
import { Type } from "typebox";
import { granted, type SessionAccess, type SessionStatus } from "./conversation-access.ts";
import { turnWords } from "./sessions-list.ts";

export const createSessionStatusTool = ({ status }: Pick<SessionAccess, "status">): Tool =>
  defineTool({
    name: "session_status",
    effect: "read",
    resultOrigin: "system",
    controls: {},
    description: "Model, tokens, context, turns under way and open approvals of a conversation.",
    input: Type.Object({
      session: Type.Optional(Type.String({ description: "Without one, this one" })),
    }),
    async run({ session }, call) {
      const found = granted(await status(session, call));
      return { text: wordsFor(found), details: found };
    },
  });

function wordsFor(found: SessionStatus): string {
  const { sessionKey, state, model, messages, summaries, tokens, hasMemory, turns, approvals } = found;
  const named = approvals.named.map(({ id, tool }) => `${id} ${tool}`).join(", ");
  return [
    `session ${sessionKey} (${state === "none" ? "nothing said yet" : state})`,
    `model ${model ?? "has not answered yet"}`,
    `context ${tokens.context} tokens in the last request, ${messages} messages, ${summaries} summaries`,
    `tokens ${tokens.input} in, ${tokens.output} out, ${tokens.total} in all`,
    `turns ${turnWords(turns) || "none"}`,
    `memory ${hasMemory ? "on" : "off"}`,
    `approvals ${approvals.pending} open${named === "" ? "" : `: ${named}`}`,
  ].join("\n");
}
