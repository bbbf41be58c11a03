/**
 * What the assistant writes passes the same routing as what people write: an answer that is a command is shown like any other, and run where
 * the owner switched that on. It is stored first, takes the walk of every message, and has the rights of a guest: it approves
 * nothing and changes no setting.
 */
import { textOf, type InboundMessage } from "@pincer/sdk";
import type { TurnWatch } from "../agent/turns/turn-events.ts";
import type { InboxRow, InboxStore } from "../storage/inbox/inbox.ts";
import type { EntryStore } from "../storage/stores.ts";
import type { RecalledTurn, TurnRecord } from "../storage/turns/turns.ts";
import { findCommand } from "./command-registry.ts";
import { systemMessage } from "./system-message.ts";
import { commandOf, type RowEnd } from "./walk-row.ts";

export interface AssistantOutputParts {
  inbox: Pick<InboxStore, "accept">;
  entries: Pick<EntryStore, "append">;
  walk(row: InboxRow): Promise<RowEnd>;
  /** Whether the owner lets the assistant run commands. */
  isOn(): boolean;
  tenantId: string;
  now(): number;
  onError(error: unknown): void;
}

export function createAssistantOutput(parts: AssistantOutputParts): Pick<TurnWatch, "ended"> {
  return {
    ended(turn, _outbox, whole) {
      const line = parts.isOn() && turn.ending?.type === "answered" ? commandLine(whole) : undefined;
      if (line !== undefined) run(turn, line).catch(parts.onError);
    },
  };

  async function run(turn: TurnRecord, line: string): Promise<void> {
    const { workspaceId, sessionKey, agentId, origin, cwd, destination, sessionId } = turn;
    const { row } = await parts.inbox.accept(messageOf(turn, line), {
      person: { role: "peer", id: `assistant:${agentId}` },
      session: { workspaceId, sessionKey, agentId, origin, cwd },
      rule: "assistant",
      typed: true,
      queue: "own",
      options: {},
      direct: false,
      assistant: { destination },
    });
    const end = await parts.walk(row);
    // Where the answer is read in the session itself, the command's answer is, too.
    if (end.type !== "command" || destination || sessionId === null) return;
    await parts.entries.append(sessionId, [
      { type: "command", name: end.name, input: line, output: end.output, ok: true },
    ]);
  }

  function messageOf(turn: TurnRecord, text: string): InboundMessage {
    const { workspaceId, sessionKey, destination, turnId } = turn;
    const from = { id: `assistant:${turnId}`, from: "assistant", now: parts.now() };
    return systemMessage({ ...from, tenantId: parts.tenantId, workspaceId, sessionKey, destination, text });
  }
}

/** The answer, where it is one line behind a comma that names a command. */
function commandLine(whole: RecalledTurn | undefined): string | undefined {
  const last = whole?.entries.findLast(
    (entry) => entry.type === "message" && entry.message.role === "assistant",
  );
  const text = last?.type === "message" ? textOf(last.message).trim() : "";
  const command = text.startsWith(",") && !text.includes("\n") ? commandOf({ text }, [","]) : undefined;
  return command?.type === "known" && isHarmless(command.name) ? text : undefined;
}

/** Looks something up, or sets an anchor. One that stops work or starts a turn could go on for ever. */
const isHarmless = (name: string): boolean => findCommand(name)?.group === "about" || ofTape.has(name);

const ofTape: ReadonlySet<string> = new Set(["tape", "tape.info", "tape.search", "anchors", "handoff"]);
