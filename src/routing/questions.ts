/**
 * Questions of callers who wait: a command line, a page, a program. Each is stored in the inbox like a message of any channel and takes the
 * same walk; the caller is told what became of it.
 */
import { isDeepStrictEqual } from "node:util";
import {
  rewrittenSpoken,
  type Attachment,
  type InboundMessage,
  type PastedRange,
  type PincerError,
} from "@pincer/sdk";
import type { TurnWishes } from "../agent/turns/turn-wishes.ts";
import type { Clock } from "../infra/clock.ts";
import { digestOf } from "../infra/digest-of.ts";
import { failure } from "../infra/failure.ts";
import type { Ids } from "../infra/ids.ts";
import type { Redactor } from "../infra/redactor.ts";
import type { AskedMessage, InboxRow, InboxStore } from "../storage/inbox/inbox.ts";
import type { TurnPerson, TurnRecord, TurnStore } from "../storage/turns/turns.ts";
import { terminalMarks } from "./commands/terminal-commands.ts";
import { refuseSessionId, type Route, type RouteRequest } from "./route-message.ts";
import { commandOf, continueRefusals, type RowEnd } from "./walk-row.ts";

export interface AskInput extends RouteRequest, Partial<Pick<AskedMessage, "queue" | "reach" | "language">> {
  input: string;
  wishes: TurnWishes;
  /** The same key is the same question, however often it is asked. */
  idempotencyKey?: string | undefined;
  /** `cli`, `http`, …: where it comes from. */
  channel: string;
  direct: boolean;
  /** Whether a person typed it; what programs send is text, whatever it begins with. */
  typed: boolean;
  /** What of it was pasted, dropped or piped in; left out where nobody can tell. */
  pasted?: readonly PastedRange[] | undefined;
  /** It was said before, and what it commanded was done then. */
  isRepeated?: boolean;
  /** Who asks, as `channel:id`; without it the owner. */
  person?: TurnPerson;
  attachments?: Attachment[];
  /** Goes on with the last turn of the session, or only with the run that is named. */
  continues?: { runId?: string };
}

export interface AskedQuestion {
  /** By which `answer` finds what it came to: the id of the turn, or of the message where a command answered it. */
  runId: string;
  /** Undefined where a command answered it. */
  turn: TurnRecord | undefined;
  command: { name: string; output: string } | undefined;
  /** The same question was asked under the same key before. */
  duplicate: boolean;
  /** It became part of a turn that was there. */
  joined: boolean;
}

export interface QuestionParts {
  inbox: Pick<InboxStore, "accept">;
  turns: Pick<TurnStore, "get">;
  /** Takes a stored row on its way; resolves with what became of it. */
  walk(row: InboxRow): Promise<RowEnd>;
  tenantId: string;
  workspaceId: string;
  clock: Clock;
  ids: Ids;
  redactor: Pick<Redactor, "text">;
  route(request: RouteRequest): Route;
  setups: {
    check(agentId: string, wishes: TurnWishes): Promise<{ workdir: string }>;
    workdirPathOf(agentId: string): string;
  };
  /** What holds for every question that does not say otherwise. */
  wishes?: TurnWishes | undefined;
}

/**
 * Resolves when the question is on the disk and its place is known. What can be refused is refused before anything is stored. Throws
 * PincerError: `session/busy` when too much waits, `usage/key-used` when the key was used for another question, `usage/not-found` when
 * there is nothing to go on with.
 */
export type Ask = (input: AskInput) => Promise<AskedQuestion>;

export function createQuestions(parts: QuestionParts): Ask {
  const { inbox, turns } = parts;

  return async function ask(input) {
    const message = messageOf(parts, input);
    const asked = await askedAs(parts, input);
    const { type, row } = await inbox.accept(message, asked);
    const isKnown = type === "duplicate";
    if (isKnown && !isSameQuestion(row, message, asked)) throw keyUsed(message.message.id);
    const found =
      isKnown && row.state !== "new" ? await settled(row) : await outcome(row, await parts.walk(row));
    const { sessionKey } = found.turn ?? row.asked?.session ?? asked.session;
    // A request with a digest of its own may be alone in a session that is made for it.
    const hasPlace = !input.continues && input.wishes.digest === undefined;
    if (isKnown && hasPlace && sessionKey !== asked.session.sessionKey) throw keyUsed(message.message.id);
    return { ...found, duplicate: isKnown };
  };

  async function outcome(row: InboxRow, end: RowEnd): Promise<Omit<AskedQuestion, "duplicate">> {
    switch (end.type) {
      case "queued":
      case "joined":
        return ofTurn(end.turn, end.type === "joined");
      case "command":
        return {
          runId: row.id,
          turn: undefined,
          command: { name: end.name, output: end.output },
          joined: false,
        };
      case "settled":
        return settled({ ...row, turnId: end.turnId });
      case "full":
        throw failure(
          "session/busy",
          "failure.session-full",
          { waiting: end.waiting },
          { hint: "failure.session-full.hint" },
        );
      case "cannot-continue":
        throw failure("usage/not-found", continueRefusals[end.reason], {}, { hint: "continue.hint" });
      case "gathered":
      case "over":
        throw new Error("a question ended without an answer");
    }
  }

  /** Of one that was dealt with before. */
  async function settled(row: InboxRow): Promise<Omit<AskedQuestion, "duplicate">> {
    if (row.state === "command") {
      const command = { name: row.reason ?? "", output: row.answer ?? "" };
      return { runId: row.id, turn: undefined, command, joined: false };
    }
    const turn = row.turnId === null ? undefined : await turns.get(row.turnId);
    if (!turn) throw keyUsed(row.message.message.id);
    return ofTurn(turn, false);
  }
}

const ofTurn = (turn: TurnRecord, joined: boolean): Omit<AskedQuestion, "duplicate"> => ({
  runId: turn.turnId,
  turn,
  command: undefined,
  joined,
});

/** The words, what of them was pasted, what is attached, and the rest by its digest: rows of older versions have none. */
function isSameQuestion(
  { message: { message: stored }, digest }: InboxRow,
  { message }: InboundMessage,
  asked: AskedMessage,
): boolean {
  if (stored.type !== "text" || message.type !== "text") return false;
  const files = (of: typeof message) => of.attachments.map(({ media }) => media);
  return (
    (digest === null || digest === asked.digest) &&
    stored.text === message.text &&
    isDeepStrictEqual(stored.pasted, message.pasted) &&
    isDeepStrictEqual(files(stored), files(message))
  );
}

async function askedAs(parts: QuestionParts, input: AskInput): Promise<AskedMessage> {
  const { direct, queue = "own", reach, language, continues } = input;
  const typed = input.typed && input.isRepeated !== true;
  const meant = continues?.runId === undefined ? undefined : await parts.turns.get(continues.runId);
  if (continues?.runId !== undefined && !meant) throw noRun(continues.runId);
  if (!meant) refuseSessionId(input.sessionKey);
  const { scope, sessionKey, agentId, rule } = parts.route(meant ? { sessionKey: meant.sessionKey } : input);
  // What goes on keeps the wishes that it was started with, but for those given now.
  const wishes = continues ? input.wishes : { ...parts.wishes, ...input.wishes };
  // A command is answered also where no turn could run.
  const isCommand =
    typed && commandOf({ text: input.input, pasted: input.pasted }, terminalMarks) !== undefined;
  const cwd = isCommand
    ? parts.setups.workdirPathOf(agentId)
    : (await parts.setups.check(agentId, wishes)).workdir;
  return {
    person: personOf(input),
    session: {
      sessionKey,
      workspaceId: scope.workspaceId,
      agentId,
      origin: { channel: input.channel },
      cwd,
    },
    rule,
    typed,
    queue,
    options: { ...wishes },
    direct,
    digest: digestOfRequest(input, sessionKey),
    ...(continues ? { continues: meant ? { turnId: meant.turnId } : {} } : {}),
    ...(reach ? { reach } : {}),
    ...(language ? { language } : {}),
  };
}

/**
 * What is wished for, and of whom, apart from the words. What the config adds to it, how the answer is read and in which trace it stands
 * may change from one try to the next. A request with a digest of its own is all in that.
 */
function digestOfRequest({ typed, continues, wishes }: AskInput, sessionKey: string): string {
  const { digest, traceparent: _, ...wished } = wishes;
  if (digest !== undefined) return digest;
  return digestOf({ typed, continues: continues && { sessionKey, ...continues }, wished });
}

/** What was asked, as it came in from a channel of its own. */
function messageOf(
  parts: Pick<QuestionParts, "tenantId" | "workspaceId" | "clock" | "ids" | "redactor">,
  input: AskInput,
): InboundMessage & { message: { type: "text" } } {
  const sender = personOf(input).id.slice(input.channel.length + 1);
  const key = input.idempotencyKey ?? parts.ids.make("q");
  // Everybody's keys are their own.
  const id = sender === "owner" ? key : `${sender} ${key}`;
  // Secrets are taken out before anything is stored, here as in the transcript.
  const said = { text: input.input, pasted: input.pasted };
  const { text, pasted } = rewrittenSpoken(said, (each) => parts.redactor.text(each));
  return {
    tenantId: parts.tenantId,
    workspaceId: parts.workspaceId,
    channel: input.channel,
    accountId: "local",
    peer: { kind: "user", id: sender },
    sender: { id: sender },
    message: {
      type: "text",
      id,
      text,
      attachments: input.attachments ?? [],
      mentioned: true,
      ...(input.typed ? {} : { typed: false as const }),
      ...(pasted ? { pasted: [...pasted] } : {}),
    },
    timestamp: parts.clock.now(),
  };
}

const personOf = ({ channel, person }: Pick<AskInput, "channel" | "person">): TurnPerson =>
  person ?? { role: "owner", id: `${channel}:owner` };

export const keyUsed = (key: string): PincerError =>
  failure("usage/key-used", "failure.key-used", { key }, { hint: "failure.key-used.hint" });

const noRun = (id: string) => failure("usage/not-found", "runs.none", { id }, { hint: "runs.none.hint" });
