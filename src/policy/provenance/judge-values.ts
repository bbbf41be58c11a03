/** Judges other arguments: the owner asked for such an action, and the values do not come from a stranger. */
import type { CallFacts, Finding } from "./facts.ts";
import { findValue } from "./find-value.ts";
import { trustOf, type Span } from "./span.ts";
import { plain, standsAt, tokensOf } from "./words.ts";

interface Surroundings {
  spans: readonly Span[];
  task: readonly string[];
  /** Tools that the turn called before. */
  earlier: readonly string[];
}

/** For tools with effects outside: whether the owner's words ask for such an action. Pure. */
export function judgeWish({ spans, task }: Surroundings, { tool, askedBy }: CallFacts): Finding | undefined {
  if (!spans.some((span) => trustOf(span) === "stranger")) return undefined;
  if (task.some((words) => isWish(words, askedBy))) return undefined;
  return { verdict: "ask", check: "wish", reason: `the owner's words for this task do not ask for ${tool}` };
}

/** A clause that asks for it: no question, no prohibition, and not done by somebody else. Pure. */
export function isWish(words: string, given: readonly string[]): boolean {
  const askedBy = given.flatMap((word) => [word, ...(others[word] ?? [])]);
  const sentences =
    words
      .split("\n")
      .map(plain)
      .join("\n")
      .replaceAll(addresses, " it ")
      .match(/[^.!?;。！？；\n]+[.!?;。！？；\n]?/gu) ?? [];
  return sentences.some((sentence) => {
    const isAsking =
      /[?？]\s*$/u.test(sentence) &&
      !/\b(?:can|could|would|will)\s+you\b|能不能|可以|可否|能否/u.test(sentence);
    if (isAsking) return false;
    return sentence
      .split(/[,，:：]|\b(?:and|then|but|or|und|et|y)\b|然后/u)
      .some((clause, index, all) =>
        askedBy.some(
          (word) =>
            standsAt(clause, plain(word)) >= 0 &&
            isDemand(clause, plain(word), index > 0 ? (all[index - 1] ?? "") : ""),
        ),
      );
  });
}

const report =
  /^\s*(?:what|when|which|who|where|why|how|is|are|was|were|do|does|did|has|have|had|i|my|our|the|a|an|there|he|she|it|they|we|this|that|in|never|don['’]?t|show|list|check|read|look|see|find|summari[sz]e|tell|explain|compare|was|wann|wer|wo|wie|ist|zeig|lies|quand|quel\w*|est|montre|lis|qué|cuándo|lee|muestra)(?!\p{L})|什么|哪|谁|几点|多少|吗|呢|看看|查一?下|有没有/u;
const ban =
  /\b(?:never|not|no|don['’]?t|without|stop|avoid|nicht|nie|kein\w*|jamais|nunca)\b|n['’]t\b|不|没|别|勿/u;
const others: Readonly<Record<string, readonly string[]>> = {
  calendar: [
    "日历",
    "日程",
    "行程",
    "kalender",
    "calendrier",
    "agenda",
    "calendario",
    "diary",
    "appointment",
    "schedule",
    "block",
    "invite",
  ],
};
const nouns = new Set([
  "calendar",
  "日历",
  "日程",
  "行程",
  "kalender",
  "calendrier",
  "agenda",
  "calendario",
  "diary",
]);
const forMachines = new Set(["put", "patch", "delete"]);

/**
 * True unless every number of a time occurs in the owner's words, or the owner named a day and left the rest open.
 */
function contradictsTask(value: string, task: readonly string[]): boolean {
  const said = task.join("\n");
  if (times.test(plain(said))) {
    const clock = /\d{1,2}[:.]\d\d/u.exec(value)?.[0];
    return clock === undefined || said.includes(clock) || !/\d{1,2}[:.]\d\d/u.test(said);
  }
  return !/\d/u.test(value);
}
const enters =
  /\b(?:add|put|enter|schedule|block|book|note|create|save|plan|invite|set|write|move|make|mark|reserve|copy|import|trage?|eintragen|ajoute|mets|inscris|añade|agrega|apunta|pon|please)\b|加|放|记|写|安排|预约|添|存|约/u;

function isDemand(clause: string, word: string, before: string): boolean {
  if (ban.test(clause)) return false;
  if (forMachines.has(word)) return /\b(?:api|endpoint|request|https?|webhook)\b/u.test(clause);
  // A noun is a request only with a verb for it in this clause or the one before.
  if (nouns.has(word) || word.length > 8)
    return (
      !report.test(clause.replace(/^\s*(?:in|to|into)\s+my\b/u, "")) &&
      (enters.test(clause) || enters.test(before))
    );
  return !report.test(clause) || /\bi\s+(?:want|need|would like)\b|i['’]d like/u.test(clause);
}

const addresses = /https?:\/\/\S+|(?:[a-z0-9-]+\.)+[a-z]{2,}(?:[/?#:]\S*)?/gu;

/** Undefined: the owner said it, or nobody else did. Pure. */
export function judgeValue(
  { spans, task, earlier }: Surroundings,
  call: CallFacts,
  { argument, value, kind }: { argument: string; value: string; kind: "value" | "schedule" },
): Finding | undefined {
  const wanted = plain(value).trim();
  if (wanted.length < leastTelling || task.some((words) => plain(words).includes(wanted))) return undefined;
  const found = findValue(spans, value);
  // A time that the owner said differently still has its numbers.
  if (found.from === "nowhere" || (kind === "schedule" && contradictsTask(wanted, task))) return undefined;
  // "Put it in my calendar": the details may come from what was read; once, and only if nothing else was said.
  const isMany = /\b(?:both|all|them|every|each)\b|都|两/iu.test(task.join("\n"));
  const mayBe = isMany
    ? earlier.filter((each) => each === call.tool).length < 5
    : !earlier.includes(call.tool);
  if (mayBe && task.some((words) => pointsAtWhatWasRead(words, call.askedBy))) return undefined;
  return {
    verdict: "ask",
    check: "value",
    reason: `${argument} was not said by the owner: it comes from ${found.from}`,
    cause: { argument, value, ...found },
  };
}

const pointing =
  /\b(?:it|this|that|them|these|those)\b|\b(?:from|in|of)\s+(?:[\p{L}'’-]+\s+){0,4}(?:e-?mails?|mails?|inbox|pages?|site|website|messages?|letter|invitation|pdf|file|document|notes?|article|correos?)\b|\bboth\b|\ball\b|\b(?:aus|in)\s+(?:\p{L}+\s+){0,2}e?-?mails?\b|\bdel\s+correo|邮件里|https?:|(?:里|中|上)(?:面)?的|这个|那个|它/iu;
/** The owner gave a time: then no stranger's is wanted. */
const times =
  /\d{1,2}[:.]\d\d|\b\d{1,2}\s?(?:am|pm|o'clock)\b|\d{4}-\d\d|\b(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|tomorrow|today|tonight)\b|[\d一二三四五六七八九十]\s?[点號号日时]|周[一二三四五六日天]|明天|今天|后天/iu;

function pointsAtWhatWasRead(words: string, askedBy: readonly string[]): boolean {
  const said = plain(words).replaceAll(/https?:\S+/gu, "https: ");
  return pointing.test(said) && !times.test(said) && isWish(words, askedBy);
}

/** Shorter ones occur everywhere. */
const leastTelling = 4;

/**
 * Everybody in a group reads the answer: what is looked up among the owner's things must be what the owner asks for.
 * Pure.
 */
export function judgeAudience(
  { task }: Surroundings,
  { tool, arguments: given, looksAt }: CallFacts,
): Finding | undefined {
  const said = new Set(tokensOf(task.join("\n")).map(root));
  const values = Object.values(given).flatMap((value) => (typeof value === "string" ? [value] : []));
  const named = values.flatMap(tokensOf).filter((word) => word.length >= 3 || !/^\p{ASCII}*$/u.test(word));
  const telling = named.filter((word) => !idle.has(word));
  const isSaid = (word: string) => said.has(root(word));
  // For a program all words must match; for a file its name is enough if the owner mentions it as something to look
  // at.
  if (looksAt === "program" ? telling.length > 0 && telling.every(isSaid) : telling.some(isSaid))
    return undefined;
  return {
    verdict: "ask",
    check: "audience",
    reason: `others read along here, and the owner's words do not name what ${tool} would look at`,
  };
}

/** "meals" and "meal" are one. */
const root = (word: string): string => word.replace(/(?:es|s)$/u, "");

const idle = new Set([
  "the",
  "and",
  "for",
  "what",
  "when",
  "how",
  "who",
  "our",
  "you",
  "your",
  "this",
  "that",
  "with",
  "from",
  "txt",
]);
