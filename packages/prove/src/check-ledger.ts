/**
 * The judge. It is told what people wrote, what they saw, what tools did and what the home looks like afterwards, and says what is
 * wrong. It knows the language of the proof and nothing of the product.
 */
import type { AccountKind } from "./account-kinds.ts";
import type { Allowances } from "./allowances.ts";
import { conversationOfMessage, senderOf, type PersonMessage, type SeenMessage } from "./network-ledger.ts";
import { forbiddenStep, longParts, nothingToAnswer, readAnswer, type ReadAnswer } from "./script.ts";

export const faultKinds = [
  "lost",
  "silent",
  "doubled",
  "misordered",
  "misrouted",
  "lessPolicy",
  "corrupt",
] as const;
export type FaultKind = (typeof faultKinds)[number];

export interface Fault {
  kind: FaultKind;
  /** What it is about, and what was seen of it. */
  detail: string;
}

export interface Evidence {
  /** In the order of writing. */
  messages: readonly PersonMessage[];
  isAcknowledged(message: PersonMessage): boolean;
  /** In the order of appearing. */
  seen: readonly SeenMessage[];
  /** The calls that had an effect, one for each time. */
  effects: readonly string[];
  /** What is wrong with the home: damage, transcripts that cannot be read, processes that ended by themselves. */
  flaws: readonly string[];
  /** What the product puts before a text that may have been sent before. */
  repeatMark: string;
  /** What it says to people who wait while it cannot take or answer their messages: answers to nothing. */
  waitingLines?: readonly string[];
  /** What trouble allows that a kill does not; nothing without it. */
  allowances?: Allowances;
  /** What of the home's policy is gone in the end. */
  missingPolicy?: readonly string[];
  /** Calls of a tool that a standing rule denies, which ran all the same. */
  forbidden?: readonly string[];
}

export interface Verdict {
  faults: Fault[];
  /** Texts that were sent again and say so. */
  markedRepeats: number;
  /** Messages whose failure was told instead of an answer. */
  toldFailed: string[];
}

/** Where the outcome of a send can always be found out: nothing may be repeated there. */
const certainAccounts: readonly AccountKind[] = ["keyed", "queryable", "editing"];

interface ReadText {
  item: SeenMessage;
  isRepeat: boolean;
  /** Without the mark. */
  text: string;
  answer: ReadAnswer;
}

export function checkLedger(everything: Evidence): Verdict {
  const faults: Fault[] = [];
  // Strangers are not answered, and nothing else is to be said of them.
  const evidence = { ...everything, messages: everything.messages.filter(({ kind }) => kind !== "stranger") };
  const accuse = (kind: FaultKind, detail: string) => void faults.push({ kind, detail });
  const { repeatMark, waitingLines = [] } = evidence;
  const answers = withoutReruns(evidence).filter(({ text }) => !waitingLines.includes(text.trim()));
  const texts = answers.map((item): ReadText => {
    const isRepeat = item.text.startsWith(repeatMark.trimEnd());
    const text = (isRepeat ? item.text.slice(repeatMark.trimEnd().length) : item.text).trim();
    return { item, isRepeat, text, answer: readAnswer(text) };
  });

  const told = tellFailures(evidence, texts, accuse);
  checkTold(evidence, texts, told, accuse);
  checkAnswers(evidence, texts, told, accuse);
  checkLongWaits(evidence, accuse);
  checkRepeats(evidence, texts, accuse);
  checkRoutes(evidence, texts, accuse);
  checkOrder(evidence, texts, told, accuse);
  checkEffects(evidence, texts, accuse);
  checkPolicy(everything, accuse);
  for (const flaw of evidence.flaws) accuse("corrupt", flaw);
  return {
    faults,
    markedRepeats: texts.filter(({ isRepeat }) => isRepeat).length,
    toldFailed: [...told],
  };
}

/** Where the owner had something run again, there may be nothing left to answer. */
function withoutReruns({ messages, seen, allowances }: Evidence): readonly SeenMessage[] {
  const rerun = messages.filter(({ id }) => allowances?.rerun.has(id));
  const places = new Set(rerun.map(conversationOfMessage));
  return seen.flatMap((item) => {
    if (!places.has(item.conversation) || !item.text.includes(nothingToAnswer)) return [item];
    const text = item.text.replaceAll(nothingToAnswer, "").trim();
    return text === "" ? [] : [{ ...item, text }];
  });
}

type Accuse = (kind: FaultKind, detail: string) => void;

const namesOf = (answer: ReadAnswer): string[] => (answer.type === "answer" ? answer.named : []);

const describe = ({ item }: ReadText) =>
  `${JSON.stringify(item.text.slice(0, 60))} in ${item.conversation} (${item.messageId})`;

/**
 * Lines that say that an answer failed, laid to the messages that they speak for: the one that they answer, or the first that has no
 * answer, and those around it that were to be answered together with it and have none either. Where nobody can know what arrived, a
 * line may also speak of an answer that did.
 */
function tellFailures(
  { messages, allowances }: Evidence,
  texts: readonly ReadText[],
  accuse: Accuse,
): Set<string> {
  const told = new Set<string>();
  const lines = texts.filter(({ answer }) => answer.type === "line");
  if (lines.length === 0) return told;
  const answered = new Set(texts.flatMap(({ answer }) => namesOf(answer)));
  const cutShort = new Set(
    messages.filter((message) => missingParts(message, texts).length > 0).map(({ id }) => id),
  );
  const byConversation = Map.groupBy(messages, conversationOfMessage);
  const spokenOf = new Set<string>();
  const said = new Map<string, number>();
  for (const line of lines) {
    const { replyTo, conversation, account } = line.item;
    if (isRepeatedLine(line, said)) continue;
    const here = byConversation.get(conversation) ?? [];
    // What is done once more after a loss, or because the owner wants it, may be given up once more.
    const isOnce = (id: string) => !allowances?.repeated.has(id) && !allowances?.rerun.has(id);
    const isCertain = (id: string) =>
      certainAccounts.includes(account) && !allowances?.outdated.has(id) && isOnce(id);
    // Where nobody can know what arrived, a line may speak for the rest of an answer that was begun.
    const isAnswered = (id: string) => answered.has(id) && (isCertain(id) || !cutShort.has(id));
    const isOpen = (message: PersonMessage | undefined): message is PersonMessage =>
      message !== undefined && !isAnswered(message.id) && !told.has(message.id);
    const candidates = [
      here.findIndex((message) => (replyTo === undefined ? isOpen(message) : message.providerId === replyTo)),
      replyTo === undefined
        ? here.findLastIndex(({ id }) => !isCertain(id) && answered.has(id) && !spokenOf.has(id))
        : -1,
      // What had failed by then, and was answered later together with something else.
      replyTo === undefined
        ? here.findIndex(({ id }) => answered.has(id) && !spokenOf.has(id) && isTakenUpLater(id, line, texts))
        : -1,
      // One that a line about its neighbour spoke for may get a turn of its own, and a line of its own.
      replyTo === undefined ? here.findIndex(({ id }) => told.has(id) && !spokenOf.has(id)) : -1,
    ];
    const at = candidates.find((index) => index >= 0) ?? -1;
    const about = here[at];
    if (!about) accuse("doubled", `a line that belongs to no message: ${describe(line)}`);
    else if (spokenOf.has(about.id)) accuse("doubled", `a second line about ${about.id}: ${describe(line)}`);
    else if (answered.has(about.id) && isCertain(about.id) && !isTakenUpLater(about.id, line, texts)) {
      accuse("doubled", `${about.id} was answered, and then: ${describe(line)}`);
    }
    if (!about) continue;
    spokenOf.add(about.id);
    for (let next = at; isOpen(here[next]); next++) told.add(here[next]?.id ?? "");
    for (let before = at - 1; isOpen(here[before]); before--) told.add(here[before]?.id ?? "");
  }
  return told;
}

/** What failed stays in its conversation: a later answer to something else there may speak of it too. */
function isTakenUpLater(id: string, line: ReadText, texts: readonly ReadText[]): boolean {
  const at = texts.indexOf(line);
  return texts.every(({ answer }, index) => {
    const named = namesOf(answer);
    return !named.includes(id) || (index > at && named.length > 1);
  });
}

/** Where a trouble excuses that there is no answer, somebody was told all the same. */
function checkTold(
  { messages, allowances }: Evidence,
  texts: readonly ReadText[],
  told: Set<string>,
  accuse: Accuse,
): void {
  const named = new Set(texts.flatMap(({ answer }) => namesOf(answer)));
  for (const message of messages) {
    const { id, kind, account } = message;
    const excuse = allowances?.unanswered.get(id);
    const isWhole = named.has(id) && missingParts(message, texts).length === 0;
    if (excuse === undefined || isWhole || told.has(id)) continue;
    if (excuse === "untold")
      accuse(
        "silent",
        `${id} ${kind} on ${account} has no answer, and neither its sender nor the owner was told`,
      );
    told.add(id);
  }
}

/** While the product runs, nobody waits for more than a minute without an answer or a line, in whatever conversation. */
function checkLongWaits({ messages, seen, allowances }: Evidence, accuse: Accuse): void {
  for (const { messageId, from, to } of allowances?.longWaits ?? []) {
    const message = messages.find(({ id }) => id === messageId);
    if (!message) continue;
    const { account } = message;
    const sender = senderOf(message);
    const places = new Set(
      messages
        .filter((other) => other.account === account && senderOf(other) === sender)
        .map(conversationOfMessage),
    );
    if (!seen.slice(from, to).some(({ conversation }) => places.has(conversation)))
      accuse("silent", `${messageId} on ${account}: for more than a minute its sender heard nothing`);
  }
}

/** What limits the product limits it as before, and nobody is heard who was not let in. */
function checkPolicy(
  { messages, seen, missingPolicy = [], forbidden = [], allowances }: Evidence,
  accuse: Accuse,
): void {
  for (const detail of [...missingPolicy, ...(allowances?.lessPolicy ?? [])]) accuse("lessPolicy", detail);
  for (const callId of forbidden) accuse("lessPolicy", `${callId} ran although a standing rule denies it`);
  const strangers = messages.filter(({ kind }) => kind === "stranger");
  const places = new Set(strangers.map(conversationOfMessage));
  for (const { text, conversation, messageId } of seen) {
    if (places.has(conversation))
      accuse("lessPolicy", `a stranger was answered: ${JSON.stringify(text.slice(0, 60))} (${messageId})`);
  }
}

/** Of an answer that has parts, those that nobody has seen. */
function missingParts({ id, kind }: PersonMessage, texts: readonly ReadText[]): number[] {
  if (kind !== "long") return [];
  const seen = texts.flatMap(({ answer }) =>
    answer.type === "answer" ? answer.parts.filter((part) => part.id === id).map(({ part }) => part) : [],
  );
  return Array.from({ length: longParts }, (_, index) => index + 1).filter((part) => !seen.includes(part));
}

/** The same line again, marked, where its fate could not be found out: allowed as for any other text, once. */
function isRepeatedLine({ item, isRepeat, text }: ReadText, said: Map<string, number>): boolean {
  const key = `${item.conversation} ${text}`;
  const times = said.get(key) ?? 0;
  said.set(key, times + 1);
  return isRepeat && times === 1 && !certainAccounts.includes(item.account);
}

/** Each message has an answer that is whole, or the line that says why not. */
function checkAnswers(
  { messages, isAcknowledged, allowances }: Evidence,
  texts: readonly ReadText[],
  told: ReadonlySet<string>,
  accuse: Accuse,
): void {
  const named = new Set(texts.flatMap(({ answer }) => namesOf(answer)));
  for (const message of messages) {
    const { id, kind, account } = message;
    if (!named.has(id)) {
      if (told.has(id)) continue;
      const state = isAcknowledged(message) ? "acknowledged" : "never acknowledged";
      accuse("lost", `${id} ${kind} on ${account}, ${state}, has no answer`);
    } else if (!told.has(id)) {
      const missing = missingParts(message, texts);
      if (missing.length > 0) accuse("corrupt", `the answer to ${id} lacks its parts ${missing.join(", ")}`);
    }
  }
  for (const text of texts) {
    if (text.answer.type === "broken" && !allowances?.unfinished.has(text.item.key))
      accuse("corrupt", `a text that is not whole: ${describe(text)}`);
  }
}

/**
 * While the outcome of a send stays unknown, a message is repeated for a day, ever more slowly and marked each time: a proof is over
 * long before there could be more.
 */
const mostRepeats = 3;

/** Nothing is seen twice, except where nobody could know, and then it is marked. */
function checkRepeats({ allowances }: Evidence, texts: readonly ReadText[], accuse: Accuse): void {
  const plain = new Map<string, number>();
  const marked = new Map<string, number>();
  for (const text of texts) {
    const { answer, isRepeat, item } = text;
    if (isRepeat && certainAccounts.includes(item.account)) {
      accuse("doubled", `a marked repeat where it could be found out: ${describe(text)}`);
    }
    if (answer.type !== "answer") continue;
    const units = [
      ...answer.named.map((id) => ({ id, unit: `answer to ${id}` })),
      ...answer.parts.map(({ id, part }) => ({ id, unit: `part ${part} of the answer to ${id}` })),
    ];
    const counts = isRepeat ? marked : plain;
    const most = (id: string) =>
      isRepeat ? mostRepeats : allowances?.rerun.has(id) ? Infinity : allowances?.repeated.has(id) ? 2 : 1;
    const again = units.filter(({ id, unit }) => {
      counts.set(unit, (counts.get(unit) ?? 0) + 1);
      return (counts.get(unit) ?? 0) > most(id);
    });
    const how = isRepeat ? "repeated too often" : "a second time, unmarked";
    if (again.length > 0)
      accuse("doubled", `${again.map(({ unit }) => unit).join(", ")}: ${how}: ${describe(text)}`);
  }
}

/** An answer appears where its message was written. */
function checkRoutes({ messages }: Evidence, texts: readonly ReadText[], accuse: Accuse): void {
  const homes = new Map(messages.map((message) => [message.id, conversationOfMessage(message)]));
  const providerIds = new Set(
    messages.map((message) => `${conversationOfMessage(message)} ${message.providerId}`),
  );
  for (const text of texts) {
    const { answer, item } = text;
    const ids = answer.type === "answer" ? [...answer.named, ...answer.parts.map(({ id }) => id)] : [];
    const strays = ids.filter((id) => homes.get(id) !== item.conversation);
    if (strays.length > 0) accuse("misrouted", `${strays.join(", ")}: ${describe(text)}`);
    else if (item.replyTo !== undefined && !providerIds.has(`${item.conversation} ${item.replyTo}`)) {
      accuse(
        "misrouted",
        `answers message ${item.replyTo}, which is not of this conversation: ${describe(text)}`,
      );
    }
  }
}

/**
 * Within a conversation answers appear in the order of the messages; the parts of one appear in their own, and before the next answer
 * begins. What was seen before does not count: it is a repeat.
 */
function checkOrder(
  { messages, allowances }: Evidence,
  texts: readonly ReadText[],
  told: ReadonlySet<string>,
  accuse: Accuse,
): void {
  const places = new Map(messages.map(({ id }, index) => [id, index]));
  const seen = new Set<string>();
  for (const ofConversation of Map.groupBy(texts, ({ item }) => item.conversation).values()) {
    let last = -1;
    let speaking: readonly string[] = [];
    const lastParts = new Map<string, number>();
    for (const text of ofConversation) {
      if (text.answer.type !== "answer") continue;
      let isOrdered = true;
      const named = text.answer.named.filter((id) => !seen.has(id) && !allowances?.rerun.has(id));
      for (const id of named) {
        seen.add(id);
        const place = places.get(id) ?? -1;
        isOrdered &&= place > last;
        last = Math.max(last, place);
      }
      if (named.length > 0) speaking = text.answer.named;
      for (const { id, part } of text.answer.parts) {
        if (seen.has(`${id} ${part}`) || allowances?.rerun.has(id)) continue;
        seen.add(`${id} ${part}`);
        // Where the beginning failed and a line says so, the rest comes without it.
        isOrdered &&= (speaking.includes(id) || told.has(id)) && part > (lastParts.get(id) ?? 0);
        lastParts.set(id, part);
      }
      if (!isOrdered) accuse("misordered", describe(text));
    }
  }
}

/** What must not be done twice was done once at most, and what was reported as done was done. */
function checkEffects({ effects, allowances }: Evidence, texts: readonly ReadText[], accuse: Accuse): void {
  for (const [callId, times] of Map.groupBy(effects, (callId) => callId)) {
    const isRerun = allowances?.rerun.has(/^call_(m\d+)_/.exec(callId)?.[1] ?? "");
    if (times.length > 1 && !isRerun) accuse("corrupt", `${callId} took effect ${times.length} times`);
  }
  const done = new Set(effects);
  const reported = texts.flatMap(({ answer }) => (answer.type === "answer" ? answer.deeds : []));
  for (const callId of new Set(reported.flatMap(({ callId, deed }) => (deed === "done" ? [callId] : [])))) {
    // Looking leaves no effect.
    if (!callId.endsWith("_b") && !callId.endsWith(`_${forbiddenStep}`) && !done.has(callId))
      accuse("corrupt", `${callId} was reported as done and was not`);
  }
}
