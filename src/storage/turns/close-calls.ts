/** The calls of a turn that ends while it waits for the owner: they have certainly not run, and the session says so. */
import type { EntryBody, ToolCallBlock } from "@pincer/sdk";
import type { Verb } from "../sqlite/database.ts";
import { appendEntries, entriesOfTurn } from "../sessions/entry-store.ts";
import type { Moment } from "../moment.ts";
import { getSession } from "../sessions/session-verbs.ts";
import type { StoredTurn } from "./turn-row.ts";

export function* closeCalls({ tenantId, now }: Moment, turn: StoredTurn): Verb<void> {
  const { id: turnId, session_id: sessionId, first_seq: firstSeq } = turn;
  if (sessionId === null || firstSeq === null || !(yield* getSession(tenantId, sessionId))) return;
  const entries = yield* entriesOfTurn(tenantId, sessionId, { turnId, first: firstSeq });
  const messages = entries.flatMap((entry) => (entry.type === "message" ? [entry.message] : []));
  const asked = messages.findLastIndex(({ role }) => role === "assistant");
  const answer = messages[asked];
  if (answer?.role !== "assistant") return;
  const answered = new Set(
    messages.slice(asked).flatMap((message) => (message.role === "toolResult" ? [message.toolCallId] : [])),
  );
  const bodies = answer.content.flatMap((block) =>
    block.type === "toolCall" && !answered.has(block.id) ? [notRun(turnId, block)] : [],
  );
  if (bodies.length > 0) yield* appendEntries({ tenantId, sessionId, bodies, time: now, turnId });
}

const notRun = (runId: string, { id, name }: ToolCallBlock): EntryBody => ({
  type: "message",
  runId,
  message: {
    role: "toolResult",
    toolCallId: id,
    toolName: name,
    content: [{ type: "text", text: "not run: the turn was stopped while it waited for an approval" }],
    isError: true,
    origin: "system",
  },
});
