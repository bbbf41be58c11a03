/**
 * The language of the proof. What people write says how it is to be answered (`m17 tools`), and an answer says what it answers
 * (`re m17.`), so that a checker which knows nothing of the product can tell what became of each message.
 */
export const scriptKinds = ["say", "tools", "forbidden", "long", "slow", "poison", "stranger"] as const;
export type ScriptKind = (typeof scriptKinds)[number];

export interface Script {
  id: string;
  kind: ScriptKind;
}

/** What was done for a message that wanted tools, as its answer tells it. */
export type Deed = "done" | "unknown";

/** What one visible text is, read without knowing where it came from. */
export type ReadAnswer =
  | {
      type: "answer";
      /** The messages it names as answered, in its order. */
      named: string[];
      parts: Array<{ id: string; part: number; of: number }>;
      deeds: Array<{ callId: string; deed: Deed }>;
    }
  /** Words of the product itself: that something failed, for instance. */
  | { type: "line" }
  /** The beginning or a piece of an answer. */
  | { type: "broken" };

export const longParts = 4;
/** The steps of a message that wants tools: the first two at once, then the third. `b` may be repeated, the others must not. */
export const toolSteps = [["a", "b"], ["c"]] as const;
/** The step of a message that wants what a standing rule forbids. */
export const forbiddenStep = "d";

export const scriptText = ({ id, kind }: Script): string => `${id} ${kind}`;

/** What the model says when it is asked once more and everything is answered. */
export const nothingToAnswer = "There is nothing to answer.";

/** Every script in a text, wherever in it: who shows it to a model may have put words around it. */
export function readScripts(text: string): Script[] {
  const pattern = new RegExp(`\\b(m\\d+) (${scriptKinds.join("|")})\\b`, "g");
  return [...text.matchAll(pattern)].map(([, id, kind]) => ({ id: id ?? "", kind: kind as ScriptKind }));
}

export const callIdOf = (id: string, step: string): string => `call_${id}_${step}`;

/** The whole answer to some messages. `deedOf` says how a call ended. */
export function writeAnswer(scripts: readonly Script[], deedOf: (callId: string) => Deed): string {
  const lines = [`re ${scripts.map(({ id }) => id).join(" ")}.`];
  for (const { id, kind } of scripts) {
    if (kind === "tools") {
      const deeds = toolSteps.flat().map((step) => `${step}=${deedOf(callIdOf(id, step))}`);
      lines.push(`${id} did ${deeds.join(" ")}.`);
    }
    if (kind === "forbidden")
      lines.push(`${id} did ${forbiddenStep}=${deedOf(callIdOf(id, forbiddenStep))}.`);
    if (kind === "long") {
      for (let part = 1; part <= longParts; part++) lines.push("", writePart(id, part));
    }
  }
  return lines.join("\n");
}

/** Shorter than what a channel takes at once, so that a cut between parts is always possible. */
const writePart = (id: string, part: number) =>
  `${id} part ${part} of ${longParts} ${"and on it goes ".repeat(10)}end ${part}.`;

export function readAnswer(text: string): ReadAnswer {
  const answer = {
    type: "answer" as const,
    named: [] as string[],
    parts: [] as Array<{ id: string; part: number; of: number }>,
    deeds: [] as Array<{ callId: string; deed: Deed }>,
  };
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
  let understood = 0;
  for (const line of lines) {
    const named = /^re((?: m\d+)+)\.$/.exec(line);
    const did = /^(m\d+) did ((?:[a-z]=(?:done|unknown) ?)+)\.$/.exec(line);
    const part = /^(m\d+) part (\d+) of (\d+) (?:and on it goes )+end \2\.$/.exec(line);
    if (named) answer.named.push(...(named[1] ?? "").trim().split(" "));
    if (part) answer.parts.push({ id: part[1] ?? "", part: Number(part[2]), of: Number(part[3]) });
    for (const [, step, deed] of did?.[2]?.matchAll(/([a-z])=(done|unknown)/g) ?? []) {
      answer.deeds.push({ callId: callIdOf(did?.[1] ?? "", step ?? ""), deed: deed as Deed });
    }
    if (named ?? did ?? part) understood++;
  }
  if (understood === lines.length && lines.length > 0) return answer;
  const looksLikeOurs = lines.some((line) => /^(re?$|re m|m\d+ )/.test(line));
  return understood > 0 || looksLikeOurs || lines.length === 0 ? { type: "broken" } : { type: "line" };
}
