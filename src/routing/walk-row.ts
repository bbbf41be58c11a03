/**
 * The walk of one stored message, whichever way it came in: a change is applied, the door decides, a command is answered, and the rest
 * becomes a turn. Every way ends with the row settled or queued, so that none is looked at twice.
 */
import {
  asPincerError,
  formatSessionKey,
  hasPastedLines,
  parseSessionKey,
  typedAlone,
  type InboundMessage,
  type Spoken,
} from "@pincer/sdk";
import type { AskedMessage, InboxRow } from "../storage/inbox/inbox.ts";
import type { NoticeStore } from "../storage/outbox/notices.ts";
import type { ResumeOutcome, TurnPerson, TurnStore } from "../storage/turns/turns.ts";
import { applyChange, type ChangeParts } from "./apply-change.ts";
import { isTerminal } from "./chat-channels.ts";
import { parseCommand, type Commands, type ParsedCommand } from "./commands.ts";
import { unknownCommandIn, terminalMarks } from "./commands/terminal-commands.ts";
import type { Admission, Door } from "./door.ts";
import { contextKept, enqueueBurst, type Burst, type BurstEnd, type EnqueueParts } from "./enqueue-burst.ts";
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

/** What became of a row. */
export type RowEnd =
  | BurstEnd
  /** Its burst is not over yet. */
  | { type: "gathered" }
  /** Answered without the model. */
  | { type: "command"; name: string; output: string }
  /** The session's last turn cannot go on. */
  | { type: "cannot-continue"; reason: Refusal }
  /** Nobody waits for more: turned away, kept as context, or applied. */
  | { type: "over" };

type Refusal = Extract<ResumeOutcome, { type: "refused" }>["reason"];

/** Throws what the storage does; safe to repeat. */
export async function walkRow(parts: WalkParts, row: InboxRow, options: WalkOptions): Promise<RowEnd> {
  const { message } = row.message;
  if (message.type !== "text") {
    await parts.inbox.settle(row.id, await applyChange(parts, row, message));
    return over;
  }
  if (row.message.channel === systemChannel && !row.asked) return enqueueSystem(parts, row);

  const settings = parts.settings();
  const burst = row.asked ? askedBurst(row, row.asked, settings) : await admittedBurst(parts, row, settings);
  if (!burst) return over;
  if (options.isRecovered) burst.cap = Infinity;
  if (row.asked?.continues) return goOn(parts, burst, row.asked.continues);

  const isHeard = row.asked ? row.asked.typed : !message.forwarded;
  const marks = row.asked ? terminalMarks : settings.commandPrefixes;
  const command = isHeard ? (commandOf(message, marks) ?? ruleOf(message, burst.person, marks)) : undefined;
  if (command && burst.options["dryRun"] === true)
    return settleCommand(parts, burst, command, { output: parts.say("dry-run.command"), turnId: null });
  if (command) return answerCommand(parts, burst, command, options);

  // Its own turn: what is run must not wait for more words, nor meet a turn that is under way.
  if (isHeard && isShellLine(message, burst, settings)) {
    const wishes = { ...burst.options, shellLine: message.text.trim(), alone: true };
    return enqueueBurst(parts, { ...burst, mode: "followup", options: wishes });
  }
  const windowMs = options.isRecovered || isTerminal(row.message.channel) ? 0 : settings.debounceMs;
  if (windowMs <= 0) return enqueueBurst(parts, burst);
  parts.gather(burst, windowMs);
  return { type: "gathered" };
}

const over: RowEnd = { type: "over" };

/** How many questions of callers may wait in a session: a guard against runaway scripts. */
const mostAsked = 1000;

/** Who waits for an answer was admitted, and placed, when their question was stored. */
function askedBurst(row: InboxRow, asked: AskedMessage, settings: RoutingSettings): Burst {
  const { person, session, rule, queue, direct, options, assistant } = asked;
  const destination = assistant?.destination ?? null;
  const place = {
    rows: [row],
    person,
    session,
    rule,
    direct,
    options,
    destination,
    replyTo: undefined,
  };
  if (queue === "own") return { ...place, mode: "followup", cap: mostAsked };
  const mode = queue === "interrupt" ? "interrupt" : settings.queueMode;
  return { ...place, mode, cap: settings.queueCap, joins: "person" };
}

/** Undefined when the door turned it away, which is settled then. */
async function admittedBurst(
  parts: WalkParts,
  row: InboxRow,
  settings: RoutingSettings,
): Promise<Burst | undefined> {
  const admission = await parts.door.admit(row.message);
  if (admission.type !== "admitted") {
    await turnAway(parts, row, admission);
    return undefined;
  }
  const { person } = admission;
  const place = placeOf(row, person, settings);
  if (!place) {
    await parts.inbox.settle(row.id, { state: "refused", reason: "no-session-key" });
    return undefined;
  }
  return {
    ...place,
    rows: [row],
    person,
    mode: settings.queueMode,
    cap: settings.queueCap,
    options: {},
  };
}

/**
 * What the text asks for without the model; anybody may have written it. The mark and the name must be typed: what is
 * pasted behind them is what the command is about.
 */
export function commandOf(spoken: Spoken, prefixes: readonly string[]): ParsedCommand | undefined {
  const command = commandIn(spoken.text, prefixes);
  const typed = command && commandIn(typedAlone(spoken), prefixes);
  return typed?.type === command?.type && typed?.name === command?.name ? command : undefined;
}

function commandIn(text: string, prefixes: readonly string[]): ParsedCommand | undefined {
  const words = text.replace(leadingMentions, "");
  if (isStop(words)) return { type: "known", name: "stop", prefix: "/", words: "" };
  return parseCommand(words, prefixes) ?? unknownCommand(words, prefixes);
}

/** One word behind a slash is meant as a command; which one, the answer guesses. */
function unknownCommand(text: string, prefixes: readonly string[]): ParsedCommand | undefined {
  const name = prefixes.includes("/") ? unknownCommandIn(text) : undefined;
  return name === undefined ? undefined : { type: "unknown", name, prefix: "/", words: "" };
}

/**
 * An owner's sentence that sets a rule is as good as the command; from anybody else it is for the model. What makes it a
 * rule must be typed.
 */
function ruleOf(spoken: Spoken, person: TurnPerson, prefixes: readonly string[]): ParsedCommand | undefined {
  const ruleOfText = (text: string) => ruleIn(text.replace(leadingMentions, ""));
  const words = person.role === "owner" ? ruleOfText(spoken.text) : undefined;
  if (words === undefined || ruleOfText(typedAlone(spoken)) === undefined) return undefined;
  const prefix = prefixes.includes("/") ? "/" : (prefixes[0] ?? "/");
  return { type: "known", name: "rule", prefix, words };
}

/** Only of the owner, where nobody else reads along, and only where the config says so; what others write behind a comma is for the model. */
function isShellLine(
  { text, pasted, attachments, replyTo, forwarded }: Extract<InboundMessage["message"], { type: "text" }>,
  { person, destination, session, rows }: Burst,
  settings: RoutingSettings,
): boolean {
  const { commandPrefixes, shellPassthrough } = settings;
  const isAlone = destination === null || destination.target.peerKind === "user";
  const isSwitchedOn = shellPassthrough && commandPrefixes.includes(",");
  const isAtTerminal = rows[0]?.asked !== null && session.origin.channel === terminalChannel;
  const isOpen = isAlone && (isAtTerminal || isSwitchedOn);
  // What comes along is not the owner's words, and would stand beside them; what is passed on is somebody else's altogether.
  const isBare = attachments.length === 0 && replyTo?.text === undefined && forwarded !== true;
  const isTyped = /^,\s*\S/.test(typedAlone({ text, pasted })) && !hasPastedLines({ text, pasted });
  return isOpen && isBare && person.role === "owner" && isTyped;
}

/** The command line: nobody else is there. */
const terminalChannel = "cli";

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

/** What became of a row that was dealt with before. */
export const endOf = ({ state, reason, answer, turnId }: InboxRow): RowEnd =>
  state === "command"
    ? { type: "command", name: reason ?? "", output: answer ?? "" }
    : { type: "settled", turnId };

async function answerCommand(
  parts: WalkParts,
  burst: Burst,
  command: ParsedCommand,
  { abortedTurnId }: WalkOptions,
): Promise<RowEnd> {
  const { person, session, rule, destination } = burst;
  const [row] = burst.rows;
  // The same question may come twice at once; its command runs once.
  const now = row?.asked ? await parts.inbox.get(row.id) : undefined;
  if (now && now.state !== "new") return endOf(now);
  const result = await parts.commands.run(command, {
    person,
    session,
    destination,
    rule,
    input: row?.id ?? "",
    receivedAt: row?.receivedAt ?? "",
    abortedTurnId,
    reach: row?.asked?.reach,
    language: row?.asked?.language,
  });
  if (result.goesOn) return goOn(parts, burst, {}, command);
  // Its own turn, whatever the mode: what it wishes must not meet a turn that is under way.
  if (result.enterModel) {
    const options = { ...burst.options, ...result.options };
    return enqueueBurst(parts, { ...burst, mode: "followup", options });
  }
  // Under the id of the turn that it ended, so that "Stopped." is said once in this conversation.
  return settleCommand(parts, burst, command, {
    output: result.output,
    turnId: result.stoppedTurnId ?? null,
  });
}

/** The answer goes out where the command came from; a caller who waits finds it in the row. */
async function settleCommand(
  parts: WalkParts,
  { rows, destination, replyTo: quoted }: Burst,
  { name }: Pick<ParsedCommand, "name">,
  { output, turnId }: { output: string; turnId: string | null },
): Promise<RowEnd> {
  for (const row of rows) {
    const said = { turnId, replyTo: quoted ?? null, text: output, kind: "command" as const };
    const replies = destination ? parts.replies.drafts({ destination, ...said }) : [];
    const answer = row.asked ? { answer: output } : {};
    const outcome = { state: "command" as const, reason: name, ...answer };
    parts.wakeOutbox(await parts.inbox.settle(row.id, outcome, replies));
  }
  return { type: "command", name, output };
}

/**
 * The last turn of the session goes on with these words. Where there is none that could, a command says so, and a caller is refused
 * with the row taken back.
 */
async function goOn(
  parts: WalkParts,
  burst: Burst,
  meant: NonNullable<AskedMessage["continues"]>,
  command?: ParsedCommand,
): Promise<RowEnd> {
  const { person, session, destination, options, direct = false } = burst;
  let end: RowEnd = over;
  for (const row of burst.rows) {
    const outcome = await parts.turns.resume({
      ...meant,
      input: row.id,
      session,
      destination,
      person,
      options,
      direct,
    });
    if (outcome.type === "refused") {
      if (command) {
        const text = parts.say(continueRefusals[outcome.reason]);
        return settleCommand(parts, burst, command, { output: text, turnId: null });
      }
      await parts.inbox.withdraw(row.id);
      return { type: "cannot-continue", reason: outcome.reason };
    }
    if (outcome.type === "settled") {
      end = { type: "settled", turnId: outcome.turnId };
      continue;
    }
    parts.lanes.offer(outcome.turn);
    end = { type: "queued", turn: outcome.turn };
  }
  return end;
}

export const continueRefusals = {
  nothing: "continue.nothing",
  running: "continue.running",
  waiting: "continue.waiting",
  elsewhere: "continue.elsewhere",
  "not-yours": "continue.not-yours",
} as const satisfies Record<Refusal, string>;

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
    case "in-doubt": {
      const replies = admission.isToBeTold ? tell("command", say("routing.in-doubt")) : [];
      parts.wakeOutbox(await inbox.settle(row.id, { state: "refused", reason: "in-doubt" }, replies));
      return;
    }
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
async function enqueueSystem(parts: WalkParts, row: InboxRow): Promise<RowEnd> {
  const { tenantId, workspaceId, sender } = row.message;
  const system = readSystemMessage(row.message);
  const key = system && parseSessionKey(system.sessionKey, { tenantId, workspaceId });
  if (!system || !key?.ok) {
    await parts.inbox.settle(row.id, { state: "refused", reason: "no-session-key" });
    return over;
  }
  const { queueMode, workdirOf } = parts.settings();
  const { agentId } = key.scope;
  return enqueueBurst(parts, {
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
