/** Reads again what a session has stored, by the number of its entry, for the person of the asking turn. */
import { parseSessionKey, textOf, type Entry, type MessageEntry } from "@pincer/sdk";
import { labelOfMark, labelOfMessage } from "../../gate/labels/entry-label.ts";
import type { TenantStores } from "../../storage/storage.ts";
import type { TurnPerson, TurnRecord } from "../../storage/turns/turns.ts";
import type { RecallParts, Recalled } from "../../tools/recall.ts";
import type { ResultReadParts } from "../../tools/result-read.ts";
import { told } from "./opening.ts";

export interface ResultReaderParts {
  stores: {
    sessions: Pick<TenantStores["sessions"], "findActive">;
    entries: Pick<TenantStores["entries"], "at">;
    turns: Pick<TenantStores["turns"], "list" | "get">;
  };
  workspaceId: string;
}

export interface ResultReader {
  /** A tool result. */
  read: ResultReadParts["read"];
  /** Whatever a handle stands for. */
  open: RecallParts["open"];
}

/**
 * In a conversation with several people a result is only for the person whose turn made it: nobody else has seen it.
 */
export function createResultReader({ stores, workspaceId }: ResultReaderParts): ResultReader {
  const { sessions, entries, turns } = stores;

  async function mayRead(sessionKey: string, madeIn: string | undefined): Promise<boolean> {
    const running = await turns.list({ sessionKey, states: ["running"], limit: mostRunning });
    const reading = running.filter((turn) => turn.workspaceId === workspaceId);
    const making = madeIn === undefined ? undefined : await turns.get(madeIn);
    // One that a crash left behind counts as running, too: it must open nothing to the one that does run.
    return reading.length > 0 && reading.every((turn) => mayReadIn(turn, making));
  }

  async function entryAt(sessionKey: string, seq: number): Promise<Entry | undefined> {
    const session = await sessions.findActive(workspaceId, sessionKey);
    return session && (await entries.at(session.sessionId, seq));
  }

  return {
    async read(sessionKey, seq) {
      const entry = await entryAt(sessionKey, seq);
      if (entry?.type !== "message" || entry.message.role !== "toolResult") return undefined;
      if (!(await mayRead(sessionKey, entry.runId))) return undefined;
      const { toolName, origin, from } = entry.message;
      return {
        toolName,
        text: textOf(entry.message),
        label: labelOfMessage(entry.message, "owner"),
        ...(origin !== undefined && { origin }),
        ...(from !== undefined && { from }),
      };
    },
    async open(sessionKey, seq) {
      const entry = await entryAt(sessionKey, seq);
      const found = entry && recalled(entry);
      if (!found) return undefined;
      const runId = entry.type === "message" ? entry.runId : undefined;
      return (await mayRead(sessionKey, runId)) ? found : undefined;
    },
  };
}

const mostRunning = 100;

function mayReadIn({ turnId, person, sessionKey }: TurnRecord, making: TurnRecord | undefined): boolean {
  if (readsAll(person, sessionKey)) return true;
  if (!making) return false;
  return making.turnId === turnId || (making.person.role === person.role && making.person.id === person.id);
}

/** The owner, and Pincer itself if nobody but the owner reads along. */
function readsAll({ role }: TurnPerson, sessionKey: string): boolean {
  if (role !== "system") return role === "owner";
  const parsed = parseSessionKey(sessionKey);
  const kind = parsed.ok ? parsed.scope.conversation.type : "named";
  return kind === "main" || kind === "named";
}

function recalled(entry: Entry): Recalled | undefined {
  if (entry.type === "message") return recalledMessage(entry);
  if (entry.type !== "compaction" && entry.type !== "anchor" && entry.type !== "event") return undefined;
  const text = textOfMark(entry);
  if (text === undefined) return undefined;
  const label = labelOfMark(entry, "owner");
  return { kind: "summary", text, images: [], origin: "summary", from: "a summary", label };
}

function textOfMark(entry: Extract<Entry, { type: "compaction" | "anchor" | "event" }>): string | undefined {
  if (entry.type === "compaction") return entry.summary;
  if (entry.type === "anchor") return told(entry.state ?? {});
  const summary = entry.name === "carried" ? entry.data["summary"] : undefined;
  return typeof summary === "string" ? summary : undefined;
}

function recalledMessage({ message }: MessageEntry): Recalled {
  const label = labelOfMessage(message, "owner");
  switch (message.role) {
    case "user": {
      const foreign = message.content.find((block) => block.type === "text" && block.origin !== "owner");
      // What is the person's own alone comes from this conversation, and from nobody outside.
      const usual = foreign ? ("quoted" as const) : ("session" as const);
      const { origin = usual, from = "a message" } = foreign?.type === "text" ? foreign : {};
      return {
        kind: "message",
        text: textOf(message),
        images: imagesOf(message.content),
        origin,
        from,
        label,
      };
    }
    case "assistant": {
      const calls = message.content.flatMap((block) =>
        block.type === "toolCall"
          ? [`calls ${block.name} ${block.invalidArguments ?? JSON.stringify(block.arguments)}`]
          : [],
      );
      const text = [textOf(message), ...calls].filter(Boolean).join("\n");
      return { kind: "answer", text, images: [], origin: "summary", from: "an earlier answer", label };
    }
    case "toolResult": {
      const { toolName, origin = "tool", from = toolName, content } = message;
      const kind = `result of ${toolName}`;
      return { kind, text: textOf(message), images: imagesOf(content), origin, from, label, toolName };
    }
  }
}

const imagesOf = (content: MessageEntry["message"]["content"]): Recalled["images"] =>
  content.flatMap((block) => (block.type === "image" ? [block] : []));
