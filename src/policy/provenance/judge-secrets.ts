/** No secret leaves through the arguments of a call, to any recipient: the owner decides each time. */
import type { Finding, TrustFacts } from "./facts.ts";
import { countAlike } from "./count-alike.ts";
import { bare, covered, isSecretFileName, opaqueTokens, saysSecret, type secretsIn } from "./secrets-in.ts";
import { isOutside, trustOf, type Span } from "./span.ts";
import { plain, standsAt } from "./words.ts";

export interface SecretQuestion {
  argument: string;
  text: string;
  /** Whether it is an address: similar addresses are counted in judge-url.ts. */
  isAddress?: boolean | undefined;
}

interface Surroundings {
  spans: readonly Span[];
  task: readonly string[];
  /** What left the same way earlier in this turn. */
  left: readonly string[];
  /** What left any way in this session, and what else would leave with this call. */
  besides?: readonly string[] | undefined;
  facts: Pick<TrustFacts, "holdsStoredSecret">;
  secretsOf: typeof secretsIn;
}

/** Undefined: it contains no secret. Pure. */
export function judgeSecrets(
  around: Surroundings,
  { argument, text, isAddress = false }: SecretQuestion,
): Finding | undefined {
  const { spans, task, facts, left, besides = [], secretsOf } = around;
  if (facts.holdsStoredSecret(text))
    return { verdict: "deny", check: "secret", reason: `${argument} holds a secret of this installation` };
  const strangers = spans.filter((span) => trustOf(span) !== "owner");
  // Without any untrusted text only the owner can have asked for it.
  if (!spans.some((span) => trustOf(span) === "stranger")) return undefined;
  const said = task.join("\n");
  const together = left.length > 0 ? [text, [...left, text].join("")] : [text];
  const isPointedAt = pointing.test(said);
  for (const span of strangers) {
    const source = { text: span.text, isSecretFile: isSecretFileName(span.from), isOutside: isOutside(span) };
    const { named, opaque } = secretsOf(source);
    // A number or link that the owner asks for may be told; a password needs more than that.
    const secrets = [...named, ...(isPointedAt && mayBeMeant(span, said) ? [] : opaque)].filter(
      (secret) => !said.includes(secret),
    );
    // Leaking in pieces is as bad as at once.
    if (together.some((each) => saysSecret(each, secrets) !== undefined)) return finding(argument, span);
    if (besides.length > 0 && secrets.some((secret) => isCompleted(besides, text, secret)))
      return finding(argument, span);
  }
  if (!isAddress && text.length < mostSpelt && countAlike(text, left) >= mostAlike)
    return {
      verdict: "ask",
      check: "secret",
      reason: `${argument} differs from what was sent before in a letter or two, again and again`,
    };
  const known = spans.filter((span) => trustOf(span) === "owner" || isOutside(span)).map((span) => span.text);
  if (isPointedAt && !isAddress) return undefined;
  const unknown = opaqueTokens(text).find((token) => !known.some((each) => each.includes(token)));
  if (unknown === undefined) return undefined;
  return {
    verdict: "ask",
    check: "secret",
    reason: `${argument} holds something that looks like a key or a coded text`,
    cause: { argument, value: `${unknown.slice(0, 4)}…`, from: "nowhere", sentence: "" },
  };
}

/** One more piece of a secret that leaves in pieces. */
function isCompleted(besides: readonly string[], text: string, secret: string): boolean {
  const [before, now] = [besides.map(bare).join("\n"), bare(text)];
  if (covered(now, secret) === 0) return false;
  const least = 0.45;
  return covered(before, secret) < least && covered(`${before}\n${now}`, secret) >= least;
}

/** From outside, or named by the owner; a number that a program found in the owner's files is neither. */
const mayBeMeant = (span: Span, said: string): boolean =>
  isOutside(span) ||
  span.origin === "tool" ||
  (span.origin !== "program" && span.origin !== "prompt" && !isSecretFileName(span.from)) ||
  standsAt(plain(said), plain(span.from)) >= 0;

/**
 * Search queries must not contain what occurs only in the owner's files and chats, unless the owner pointed to it.
 * Pure.
 */
export function judgePrivate(
  { spans, task }: Pick<Surroundings, "spans" | "task">,
  { argument, text }: SecretQuestion,
): Finding | undefined {
  if (!spans.some(isOutside)) return undefined;
  const free = spans
    .filter((span) => trustOf(span) === "owner" || isOutside(span) || span.origin === "prompt")
    .map(({ text: words }) => bare(words));
  const said = plain(task.join("\n"));
  const hidden = spans.filter((span) => among.has(span.origin) && !isNamed(span, said));
  const wanted = bare(text);
  for (const span of hidden) {
    const own = bare(span.text);
    for (let at = 0; at + telling <= wanted.length; at++) {
      const part = wanted.slice(at, at + telling);
      if (own.includes(part) && !free.some((words) => words.includes(part)))
        return {
          verdict: "ask",
          check: "private",
          reason: `${argument} tells what stands in ${span.origin} ${span.from}, which the owner did not name`,
          cause: { argument, value: text, from: `${span.origin} ${span.from}`.trim(), sentence: "" },
        };
    }
  }
  return undefined;
}

const telling = 8;
const among: ReadonlySet<Span["origin"]> = new Set(["file", "program", "session"]);

/** By its name, or by what people call it: "my notes" for notes.md. */
const isNamed = (span: Span, said: string): boolean =>
  span.origin === "file" &&
  plain(span.from)
    .split(/[/.\s_-]+/u)
    .some((part) => part.length >= 4 && standsAt(said, part) >= 0);

/** Words with which the owner asks to tell such a thing. */
const pointing =
  /\b(?:number|link|url|id|order|tracking|reference|booking|ticket|serial|invoice|hash|commit|version|address|album|code)\b|单号|链接|号码|编号|订单|地址|票号|网址/iu;

const mostSpelt = 200;
const mostAlike = 4;

const finding = (argument: string, span: Span): Finding => ({
  verdict: "ask",
  check: "secret",
  reason: `${argument} holds what looks like a secret from ${span.origin} ${span.from}`.trim(),
  cause: { argument, value: "(a secret)", from: `${span.origin} ${span.from}`.trim(), sentence: "" },
});
