/**
 * Why the gate decided as it did: a code with its values, said in the language of whoever reads it. The texts of the
 * codes are in `src/infra/texts/gate-reasons.ts`, under `gate.reason.<code>`.
 */
import { Type, type Static } from "typebox";

export const GateReason = Type.Object({
  code: Type.String(),
  /**
   * What is put into the text of the code. `from` begins with an origin, as in `web example.org`; `sources` are those
   * of a label.
   */
  values: Type.Record(Type.String(), Type.String()),
});
export type GateReason = Static<typeof GateReason>;

export interface ReasonTexts {
  /** The text of a key; undefined for one that is not known here. */
  say(key: string, values?: Readonly<Record<string, string>>): string | undefined;
  /** Marks a text that somebody else may have chosen, so that it is no part of the sentence around it. */
  quote(text: string): string;
}

/** Undefined where one of the codes is not known here: a newer Pincer made it. */
export function reasonWords(reasons: readonly GateReason[], texts: ReasonTexts): string | undefined {
  const said = reasons.map(({ code, values }) => {
    const shown = Object.entries(values).map(([name, value]) => [name, valueWords(name, value, texts)]);
    return texts.say(`gate.reason.${code}`, Object.fromEntries(shown));
  });
  const known = said.filter((words) => words !== undefined);
  if (said.length === 0 || known.length < said.length) return undefined;
  return known.join(texts.say("gate.between") ?? "; ");
}

/** `web example.org` in words: the first one is ours, the rest is the name that somebody gave. */
export function originWords(from: string, { say, quote }: ReasonTexts): string {
  const [, origin = "", rest = ""] = /^(\S+)(?:\s+(.*))?$/su.exec(from) ?? [];
  const words = say(`gate.from.${origin}`);
  if (words === undefined) return quote(from);
  return rest === "" ? words : `${words} ${quote(rest)}`;
}

/** What our own code wrote; everything else may be anybody's text. */
const own: ReadonlySet<string> = new Set(["count", "rule", "source"]);
/** What a tool calls itself and its arguments, which may come with a plugin. */
const named: ReadonlySet<string> = new Set(["argument", "tool"]);
const plainName = /^[\w.-]{1,64}$/u;

function valueWords(name: string, value: string, texts: ReasonTexts): string {
  if (name === "from") return originWords(value, texts);
  // Private sources, as in a label: `memory`, `file:notes.md`.
  if (name === "sources")
    return value
      .split(", ")
      .map((source) => originWords(source.replace(":", " "), texts))
      .join(", ");
  return own.has(name) || (named.has(name) && plainName.test(value)) ? value : texts.quote(value);
}
