/**
 * The walk of one stored message: a change is applied, the door decides, a command is answered, and the rest becomes a turn. Every
 * way ends with the row settled or queued, so that none is looked at twice.
 */
import { asPincerError, formatSessionKey, parseSessionKey, type InboundMessage } from "@pincer/sdk";
import type { InboxRow } from "../storage/inbox/inbox.ts";
import type { NoticeStore } from "../storage/outbox/notices.ts";
import type { ResumeOutcome, TurnPerson, TurnStore } from "../storage/turns/turns.ts";
import { applyChange, type ChangeParts } from "./apply-change.ts";
import { isTerminal } from "./chat-channels.ts";
import { parseCommand, type Commands, type ParsedCommand } from "./commands.ts";
import type { Admission, Door } from "./door.ts";
import { contextKept, enqueueBurst, type Burst, type EnqueueParts } from "./enqueue-burst.ts";
import { destinationOf, findPlace, type Place, type RoutingSettings } from "./find-place.ts";
import { showPairingCode } from "./pairing-code.ts";
import { ruleIn } from "./rule-words.ts";
import { isStop } from "./stop-words.ts";
import { readSystemMessage, systemChannel } from "./system-message.ts";

type Stores = "inbox" | "turns";

export interface WalkParts extends Omit<EnqueueParts, Stores>, Omit<ChangeParts, Stores> {
  inbox: EnqueueParts["inbox"] & ChangeParts["inbox"];
  turns: EnqueueParts["turns"] & ChangeParts["turns"] & Pick<TurnStore, "resume">;
  door: Door;
  commands: Commands;
  notices: Pick<NoticeStore, "add">;
  settings(): RoutingSettings;
  /** Keeps it until its burst is over, and then enqueues the burst. */
  gather(burst: Burst, windowMs: number): void;
}

export interface WalkOptions {
  /** Left over from another process: its burst is long over, and nobody who could be told to wait is there. */
  isRecovered: boolean;
  /** A turn that was aborted for this message already. */
  abortedTurnId?: string | undefined;
}

/** Throws what the storage does; safe to repeat. `gathered`: its burst is not over yet. */
export async function walkRow(
  parts: WalkParts,
  row: InboxRow,
  options: WalkOptions,
): Promise<"over" | "gathered"> {
  const { message } = row.message;
  if (message.type !== "text") {
    await parts.inbox.settle(row.id, await applyChange(parts, row, message));
    return "over";
  }
  if (row.message.channel === systemChannel) return enqueueSystem(parts, row);

  const admission = await parts.door.admit(row.message);
  if (admission.type !== "admitted") {
    await turnAway(parts, row, admission);
    return "over";
  }
  const { person } = admission;
  const settings = parts.settings();
  const place = placeOf(row, person, settings);
  if (!place) {
    await parts.inbox.settle(row.id, { state: "refused", reason: "no-session-key" });
    return "over";
  }
  const burst: Burst = {
    ...place,
    rows: [row],
    person,
    mode: settings.queueMode,
    cap: options.isRecovered ? Infinity : settings.queueCap,
    options: {},
  };
  const command = message.forwarded
    ? undefined
    : (commandOf(message.text, settings.commandPrefixes) ??
      ruleOf(message.text, person, settings.commandPrefixes));
  if (command) return answerCommand(parts, burst, command, options);

  // Its own turn: what is run must not wait for more words, nor meet a turn that is under way.
  if (isShellLine(message, burst, settings)) {
    const options = { shellLine: message.text.trim(), alone: true };
    return enqueueNow(parts, { ...burst, mode: "followup", options });
  }
  const windowMs = options.isRecovered || isTerminal(row.message.channel) ? 0 : settings.debounceMs;
  if (windowMs <= 0) return enqueueNow(parts, burst);
  parts.gather(burst, windowMs);
  return "gathered";
}

/** What the text asks for without the model, whoever wrote it. */
export function commandOf(text: string, prefixes: readonly string[]): ParsedCommand | undefined {
  const words = text.replace(leadingMentions, "");
  if (isStop(words)) return { type: "known", name: "stop", prefix: "/", words: "" };
  return parseCommand(words, prefixes);
}

/** An owner's sentence that sets a rule is as good as the command; from anybody else it is for the model. */
function ruleOf(text: string, person: TurnPerson, prefixes: readonly string[]): ParsedCommand | undefined {
  const words = person.role === "owner" ? ruleIn(text.replace(leadingMentions, "")) : undefined;
  if (words === undefined) return undefined;
  const prefix = prefixes.includes("/") ? "/" : (prefixes[0] ?? "/");
  return { type: "known", name: "rule", prefix, words };
}

/** Only of the owner, where nobody else reads along, and only where the config says so; what others write behind a comma is for the model. */
function isShellLine(
  { text, attachments, replyTo, forwarded }: Extract<InboundMessage["message"], { type: "text" }>,
  { person, destination }: Burst,
  settings: RoutingSettings,
): boolean {
  const { commandPrefixes, shellPassthrough } = settings;
  const isAlone = destination?.target.peerKind === "user";
  const isOpen = isAlone && shellPassthrough && commandPrefixes.includes(",");
  // What comes along is not the owner's words, and would stand beside them; what is passed on is somebody else's altogether.
  const isBare = attachments.length === 0 && replyTo?.text === undefined && forwarded !== true;
  return isOpen && isBare && person.role === "owner" && /^,\s*\S/.test(text);
}

/** In a group the words may follow a mention. */
const leadingMentions = /^(\s*<?@[^\s>]+>?\s+)+/;

/** Undefined when the ids of a message are too long or too strange for a session key: no later try would help. */
export function placeOf(row: InboxRow, person: TurnPerson, settings: RoutingSettings): Place | undefined {
  try {
    return findPlace(row.message, person, settings);
  } catch (error) {
    if (asPincerError(error).code === "session/bad-key") return undefined;
    throw error;
  }
}

async function enqueueNow(parts: WalkParts, burst: Burst): Promise<"over"> {
  await enqueueBurst(parts, burst);
  return "over";
}

async function answerCommand(
  parts: WalkParts,
  burst: Burst,
  command: ParsedCommand,
  { abortedTurnId }: WalkOptions,
): Promise<"over"> {
  const { person, session, rule, destination, replyTo = null } = burst;
  const result = await parts.commands.run(command, {
    person,
    session,
    destination,
    rule,
    input: burst.rows[0]?.id ?? "",
    receivedAt: burst.rows[0]?.receivedAt ?? "",
    abortedTurnId,
  });
  if (result.goesOn) return goOn(parts, burst, command);
  // Its own turn, whatever the mode: what it wishes must not meet a turn that is under way.
  if (result.enterModel) {
    return enqueueNow(parts, { ...burst, mode: "followup", options: result.options ?? {} });
  }
  for (const row of burst.rows) {
    // Under the id of the turn that it ended, so that "Stopped." is said once in this conversation.
    const turnId = result.stoppedTurnId ?? null;
    const said = { turnId, replyTo, text: result.output, kind: "command" as const };
    const replies = destination ? parts.replies.drafts({ destination, ...said }) : [];
    const outcome = { state: "command" as const, reason: command.name };
    parts.wakeOutbox(await parts.inbox.settle(row.id, outcome, replies));
  }
  return "over";
}

/** The last turn of the session goes on with these words; where there is none that could, that is said. */
async function goOn(parts: WalkParts, burst: Burst, command: ParsedCommand): Promise<"over"> {
  const { person, session, destination, replyTo = null } = burst;
  for (const row of burst.rows) {
    const outcome = await parts.turns.resume({ input: row.id, session, destination, person });
    if (outcome.type === "resumed") parts.lanes.offer(outcome.turn);
    if (outcome.type !== "refused") continue;
    const text = parts.say(refusals[outcome.reason]);
    const said = { turnId: null, replyTo, text, kind: "command" as const };
    const replies = destination ? parts.replies.drafts({ destination, ...said }) : [];
    const end = { state: "command" as const, reason: command.name };
    parts.wakeOutbox(await parts.inbox.settle(row.id, end, replies));
  }
  return "over";
}

const refusals = {
  nothing: "continue.nothing",
  running: "continue.running",
  waiting: "continue.waiting",
  elsewhere: "continue.elsewhere",
  "not-yours": "continue.not-yours",
} as const satisfies Record<Extract<ResumeOutcome, { type: "refused" }>["reason"], string>;

async function turnAway(
  parts: WalkParts,
  row: InboxRow,
  admission: Exclude<Admission, { type: "admitted" }>,
): Promise<void> {
  const { inbox, say } = parts;
  const tell = (kind: "pairing" | "command", text: string) =>
    parts.replies.drafts({
      destination: destinationOf(row.message),
      turnId: null,
      replyTo: null,
      text,
      kind,
    });
  switch (admission.type) {
    case "refused":
      await inbox.settle(row.id, { state: "refused", reason: admission.reason });
      return;
    case "context":
      await inbox.settle(row.id, { state: "context", reason: null });
      await inbox.context(row.conversation, contextKept);
      return;
    case "pairing": {
      const code = showPairingCode(admission.code);
      if (admission.isToBeTold) await askOwner(parts, row, code);
      const replies = admission.isToBeTold ? tell("pairing", say("routing.pairing", { code })) : [];
      parts.wakeOutbox(await inbox.settle(row.id, { state: "refused", reason: "pairing" }, replies));
      return;
    }
    case "claimed-owner": {
      const welcome = tell("command", say("routing.claimed"));
      parts.wakeOutbox(await inbox.settle(row.id, { state: "command", reason: "claimed-owner" }, welcome));
    }
  }
}

async function askOwner({ notices }: WalkParts, { message }: InboxRow, code: string): Promise<void> {
  const { channel, accountId, sender } = message;
  const parameters = { name: sender.name ?? sender.id, sender: `${channel}:${sender.id}`, code };
  await notices.add({
    kind: "pairing",
    text: { key: "routing.pairing-asked", parameters },
    subject: `pairing:${channel}:${accountId}:${sender.id}`,
    replaces: true,
  });
}

/** It was sent by the product itself and must not be lost: no bound, and nobody's turn is interrupted for it. */
async function enqueueSystem(parts: WalkParts, row: InboxRow): Promise<"over"> {
  const { tenantId, workspaceId, sender } = row.message;
  const system = readSystemMessage(row.message);
  const key = system && parseSessionKey(system.sessionKey, { tenantId, workspaceId });
  if (!system || !key?.ok) {
    await parts.inbox.settle(row.id, { state: "refused", reason: "no-session-key" });
    return "over";
  }
  const { queueMode, workdirOf } = parts.settings();
  const { agentId } = key.scope;
  return enqueueNow(parts, {
    rows: [row],
    person: { role: "system", id: `${systemChannel}:${sender.id}` },
    session: {
      sessionKey: formatSessionKey(key.scope),
      workspaceId,
      agentId,
      origin: { channel: systemChannel },
      cwd: workdirOf(agentId),
    },
    destination: system.destination,
    replyTo: undefined,
    rule: "system",
    mode: queueMode === "interrupt" ? "followup" : queueMode,
    cap: Infinity,
    options: {},
  });
}
