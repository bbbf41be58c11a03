/**
 * Why the gate asks, in the language of the page. The gate says it once, in English, for the model and people alike; what is one of its own
 * sentences is said anew here with what stood in it, and what a tool says in its own words stays as it is. Pure.
 */
import { createSay, isTextKey, type Say, type TextKey } from "../../texts/texts.ts";

export const reasonKeys = [
  "approvals.reason.mode",
  "approvals.reason.unwalled",
  "approvals.reason.runs",
  "approvals.reason.writes",
  "approvals.reason.unseen",
  "approvals.reason.types",
  "approvals.reason.recipient",
  "approvals.reason.recipient.nowhere",
  "approvals.reason.host",
  "approvals.reason.composed",
  "approvals.reason.addresses.alike",
  "approvals.reason.addresses.many",
  "approvals.reason.letters",
  "approvals.reason.coded",
  "approvals.reason.secret",
  "approvals.reason.private",
  "approvals.reason.wish",
  "approvals.reason.value",
  "approvals.reason.audience",
  "approvals.reason.protected",
] as const satisfies TextKey[];

export type ReasonKey = (typeof reasonKeys)[number];

/** Several reasons stand behind one another; each of ours is said in the words of `say`. */
export function reasonWords(reason: string, say: Say): string {
  const pieces = reason.split(between);
  const said: string[] = [];
  for (let from = 0; from < pieces.length;) {
    // What a call is made with may hold the same mark: the shortest that is a sentence of ours is one.
    const sizes = pieces.slice(from).map((_, index) => index + 1);
    const found = sizes
      .map((size) => ({ size, read: readReason(pieces.slice(from, from + size).join(between)) }))
      .find(({ read }) => read !== undefined);
    const words = found?.read && say(found.read.key, inWords(found.read.parameters, say));
    said.push(words ?? pieces[from] ?? "");
    from += found?.size ?? 1;
  }
  return said.join(say("approvals.reason.between"));
}

const between = "; ";

/** Where something comes from, as `web example.org`: the first word is one of the gate's. */
export function fromWords(from: string, say: Say): string {
  const [, origin = "", rest = ""] = /^(\S+)(.*)$/s.exec(from) ?? [];
  const key = `approvals.from.${origin}`;
  return isTextKey(key) ? `${say(key)}${rest}` : from;
}

/** Which of our sentences it is, and what stands in it. */
export function readReason(
  sentence: string,
): { key: ReasonKey; parameters: Record<string, string> } | undefined {
  for (const { key, form, names } of forms) {
    const found = form.exec(sentence);
    if (!found) continue;
    return { key, parameters: Object.fromEntries(names.map((name, at) => [name, found[at + 1] ?? ""])) };
  }
  return undefined;
}

function formOf(key: ReasonKey): { key: ReasonKey; form: RegExp; names: string[] } {
  const text = createSay("en")(key);
  const parts = text.split(/\{([a-z]+)\}/);
  const form = parts.map((part, at) => (at % 2 === 1 ? "(.+)" : part.replaceAll(/[.()]/g, "\\$&"))).join("");
  return { key, form: new RegExp(`^${form}$`, "s"), names: parts.filter((_, at) => at % 2 === 1) };
}

const inWords = (parameters: Record<string, string>, say: Say): Record<string, string> =>
  "from" in parameters ? { ...parameters, from: fromWords(parameters["from"] ?? "", say) } : parameters;

const forms = reasonKeys.map(formOf);
