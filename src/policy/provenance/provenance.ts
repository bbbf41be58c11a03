/** Where the arguments of a call come from, and whether they may steer the call. */
import type { TextProvenance } from "@pincer/sdk";
import type { CallFacts, Finding, TrustFacts } from "./facts.ts";
import { allAddresses, tellingAddresses } from "./guard-reply.ts";
import { isOwners, judgeRecipient } from "./judge-recipient.ts";
import { judgePrivate, judgeSecrets } from "./judge-secrets.ts";
import { judgeUrl } from "./judge-url.ts";
import { judgeAudience, judgeValue, judgeWish } from "./judge-values.ts";
import { secretsIn } from "./secrets-in.ts";
import { isPrivateOrigin, trustOf, type Span } from "./span.ts";
import { plain, tokensOf } from "./words.ts";
import { isAssent, pointsBack } from "./intent.ts";

export interface ProvenanceParts {
  spans: readonly Span[];
  facts: TrustFacts;
  /** Addresses that the turn fetched before. */
  asked: readonly string[];
  /** What the model wrote into earlier calls. */
  ownWords: readonly string[];
  /** What left with earlier calls of the turn, by tool and argument. */
  left?: ReadonlyArray<{ tool: string; argument: string; text: string; isEarlier?: true }> | undefined;
  /** Names of tools that the turn called before. */
  earlier?: readonly string[] | undefined;
  /** Left out: searched each time. */
  secretsOf?: typeof secretsIn | undefined;
  /** Whether others than the owner read the answer. */
  isGroup: boolean;
}

export interface Provenance {
  /** All findings against the call, one per kind; deny before ask. Empty: none. */
  judge(call: CallFacts): Finding[];
  /** For a text that the model wrote: whether it contains a stranger's words. */
  of(text: string): TextProvenance;
  /** Whether the model has read anything untrusted. */
  isTainted(): boolean;
  /** The owner's words for this task. */
  task(): readonly string[];
  /** Whether an address may appear in an answer, where a screen might fetch it. */
  mayShow(address: string): boolean;
  /** Whether an address contains no secret. */
  mayName(address: string): boolean;
}

export function createProvenance({
  spans,
  facts,
  asked,
  ownWords,
  left = [],
  earlier = [],
  secretsOf = secretsIn,
  isGroup,
}: ProvenanceParts): Provenance {
  const { said: task, now, before } = taskWords(spans);
  const around = { spans, task, now, before, facts, asked, ownWords, earlier, secretsOf };
  const isTainted = spans.some((span) => trustOf(span) === "stranger");

  function findings(call: CallFacts): Array<Finding | undefined> {
    const { effect, controls, arguments: given } = call;
    const isRead = effect === "read";
    const controlled = Object.entries(controls).flatMap(([argument, kind]) =>
      textsOf(given[argument]).map((value) => ({ argument, kind, value })),
    );
    const hasRecipient = controlled.some(({ kind }) => kind === "recipient");
    const recipients = controlled.flatMap(({ kind, value }) => (kind === "recipient" ? [value] : []));
    const isToOwner = recipients.length > 0 && recipients.every((each) => isOwners(facts, [each]));
    const toOwner = (call.isOwnConversation === true && recipients.length <= 1) || isToOwner;
    return [
      ...controlled.map(({ argument, kind, value }) => {
        if (kind === "recipient")
          return toOwner
            ? undefined
            : judgeRecipient(around, {
                argument,
                value,
                // Of several recipients the tool resolves only one.
                recipient: recipients.length === 1 ? call.recipient : undefined,
              });
        if (kind === "url") return judgeUrl(around, { argument, value, isRead });
        if (effect === "act" && (kind === "value" || kind === "schedule"))
          return judgeValue(around, call, { argument, value, kind });
        return undefined;
      }),
      effect === "act" && !toOwner && !hasRecipient && call.askedBy.length > 0
        ? judgeWish(around, call)
        : undefined,
      ...leaving(call).flatMap((argument) =>
        textsOf(given[argument]).flatMap((text) => [
          toOwner ? judgeShown(text, argument) : undefined,
          toOwner && !isGroup
            ? undefined
            : judgeSecrets(
                { ...around, left: leftBy(call.tool, argument), besides: besidesOf(call, argument) },
                { argument, text, isAddress: controls[argument] === "url" },
              ),
          isRead && controls[argument] !== "url" ? judgePrivate(around, { argument, text }) : undefined,
        ]),
      ),
      isGroup && isPrivate(call) ? judgeAudience(around, call) : undefined,
    ];
  }

  /** Arguments that steer an action leave with it. */
  const leaving = ({ leaves, controls, effect }: CallFacts): string[] => [
    ...new Set([
      ...leaves,
      ...(effect === "act"
        ? Object.keys(controls).filter(
            (name) =>
              controls[name] !== "path" &&
              controls[name] !== "program" &&
              controls[name] !== "recipient" &&
              controls[name] !== "url",
          )
        : []),
    ]),
  ];

  const besidesOf = (call: CallFacts, argument: string): string[] => [
    ...left.map(({ text }) => text),
    ...leaving(call).flatMap((other) => (other === argument ? [] : textsOf(call.arguments[other]))),
  ];

  const leftBy = (tool: string, argument: string): string[] =>
    left.flatMap((each) =>
      each.tool === tool && each.argument === argument && each.isEarlier !== true ? [each.text] : [],
    );

  const mayShow = (address: string): boolean =>
    judgeUrl({ ...around, asked: [] }, { argument: "answer", value: address, isRead: true }) === undefined &&
    judgeSecrets({ ...around, left: [] }, { argument: "answer", text: address }) === undefined;

  /** Even a short address must contain no secret. */
  const mayName = (address: string): boolean =>
    judgeSecrets({ ...around, left: [] }, { argument: "answer", text: address }) === undefined;

  /** Text that everybody here reads: their screens fetch its addresses. */
  function judgeShown(text: string, argument: string): Finding | undefined {
    const address =
      tellingAddresses(text).find((each) => !mayShow(each)) ??
      allAddresses(text).find((each) => !mayName(each));
    if (address === undefined) return undefined;
    const reason = `${argument} holds an address that was put together from what was read: leave it out, or say it in words`;
    return { verdict: "deny", check: "url", reason };
  }

  return {
    judge(call) {
      const found = findings(call).filter((finding) => finding !== undefined);
      const ordered = [...found].sort((a, b) => Number(b.verdict === "deny") - Number(a.verdict === "deny"));
      return ordered.filter(
        ({ check }, index) => ordered.findIndex((each) => each.check === check) === index,
      );
    },
    of: (text) => textProvenance(spans, task, text),
    isTainted: () => isTainted,
    task: () => task,
    mayShow,
    mayName,
  };
}

/** All strings in an argument, at any depth. */
function textsOf(value: unknown): string[] {
  if (typeof value === "string") return value === "" ? [] : [value];
  if (typeof value === "number") return [String(value)];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => [
    ...(Array.isArray(value) ? [] : textsOf(name)),
    ...textsOf(each),
  ]);
}

const isPrivate = ({ looksAt }: CallFacts): boolean => looksAt !== undefined && isPrivateOrigin(looksAt);

/**
 * A word that only strangers said makes the whole text untrusted; if the owner said less than half of it, its author
 * is unknown.
 */
function textProvenance(spans: readonly Span[], task: readonly string[], text: string): TextProvenance {
  const strangers = spans.filter((span) => trustOf(span) === "stranger");
  if (strangers.length === 0) return { trusted: true };
  const own = new Set([
    ...task.flatMap(tokensOf),
    ...spans.filter((span) => trustOf(span) === "owner").flatMap((span) => tokensOf(span.text)),
  ]);
  const words = tokensOf(text).filter(isTelling);
  if (words.length === 0) return { trusted: true };
  const foreign = words.filter((word) => !own.has(word));
  const source = strangers.findLast((span) => {
    const said = plain(span.text);
    return foreign.some((word) => word.length >= 3 && said.includes(word));
  });
  const ours = new Set(
    spans.filter(({ origin }) => origin === "prompt").flatMap((span) => tokensOf(span.text)),
  );
  const stems = new Set([...own].map((word) => word.slice(0, 4)));
  const strange = foreign.filter(
    (word) => !ours.has(word) && !stems.has(word.slice(0, 4)) && !/^\d+$/u.test(word),
  );
  const isOwn = strange.length * 4 <= words.length && foreign.length * 2 <= words.length;
  const owners = spans.filter((span) => trustOf(span) === "owner").map((span) => span.text);
  if (isOwn && strange.length === 0 && !source && keepsSense(text, [...task, ...owners]))
    return { trusted: true };
  const blamed = source ?? strangers.at(-1);
  return {
    trusted: false,
    ...(blamed && blamed.origin !== "prompt" && { origin: blamed.origin, from: blamed.from }),
  };
}

const turning = new Set(
  "never not no don dont always only must without unless except before after 不 不要 别 永远 总是 从不".split(
    " ",
  ),
);

/** Negations precede the same words as in the owner's text. */
function keepsSense(text: string, said: readonly string[]): boolean {
  const turned = (words: string): string[] => {
    const tokens = tokensOf(words);
    return tokens.flatMap((word, at) => (turning.has(word) ? [`${word} ${tokens[at + 1] ?? ""}`] : []));
  };
  const own = new Set(said.flatMap(turned));
  const used = turned(text);
  if (!used.every((each) => own.has(each))) return false;
  // None is left out either: a prohibition must not become a request.
  const tokens = new Set(tokensOf(text));
  return [...own].every((each) => {
    const [turn = "", next = ""] = each.split(" ");
    return (
      !["never", "not", "don", "dont", "no", "不要", "别"].includes(turn) ||
      next === "" ||
      !tokens.has(next) ||
      used.includes(each)
    );
  });
}

const isTelling = (word: string): boolean => word.length >= 2 && !filler.has(word);

const filler = new Set(
  "the and that this with for from are was were has have had will would owner user they them their his her its you your not but all any can may should must into about than then when where who what which been being also only very more most some such each other over under again here there".split(
    " ",
  ),
);

interface TaskWords {
  /** What the task is made of, oldest first. */
  said: readonly string[];
  /** Of this turn. */
  now: string;
  /** Of the turn before it. */
  before: string;
}

/**
 * Always those of this turn. Earlier ones as long as no stranger has spoken since: then nobody but the owner can have had the idea. Those
 * of the turn before also where the present ones only say yes, or mean somebody who was named there. Pure.
 */
function taskWords(spans: readonly Span[]): TaskWords {
  const present = spans.filter((span) => span.origin === "owner" && span.turn === "now");
  const lastStranger = spans.findLast((span) => trustOf(span) === "stranger")?.at ?? -1;
  const before = spans.filter((span) => span.origin === "owner" && span.turn === "before");
  const free = before.filter(({ at }) => at > lastStranger);
  const now = present.map(({ text }) => text).join("\n");
  const followed = present.length > 0 && (isAssent(now) || pointsBack(now)) ? before.slice(-1) : [];
  const said = [...new Set([...free, ...followed, ...present])].map(({ text }) => text);
  return { said, now, before: before.at(-1)?.text ?? "" };
}
