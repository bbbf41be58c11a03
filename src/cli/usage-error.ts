/** What commander says about a wrong command line, in the user's language. It has no catalogue of its own, so its sentences are read. */
import type { Say } from "../infra/texts.ts";

/** What other programs call our commands and flags, by the command that they were tried on. */
const otherNames: Readonly<Record<string, string>> = {
  "pincer sessions search": "pincer memory search <words>",
  "pincer search": "pincer memory search <words>",
  "pincer sessions rm": "pincer sessions delete <session>",
  "pincer sessions remove": "pincer sessions delete <session>",
  "pincer logs --tail": "--lines",
  "pincer gateway logs --tail": "--lines",
  "pincer login": "pincer auth login <provider>",
  "pincer start": "pincer gateway start",
  "pincer stop": "pincer gateway stop",
  "pincer restart": "pincer gateway restart",
  "pincer run": "pincer gateway run",
  "pincer install": "pincer gateway install",
  "pincer history": "pincer sessions list",
};

/** A sentence that is not known comes back as it is; `command` is the one that was tried, as `pincer logs`; `typed` says how one is typed here. Pure. */
export function usageError(
  text: string,
  say: Say,
  command = "",
  typed: (text: string) => string = (same) => same,
): string {
  for (const [key, sentence] of sentences) {
    const found = sentence.exec(text);
    if (!found) continue;
    const { groups = {} } = found;
    const rest = text.slice(found[0].length).trim();
    const suggestion = /^\(Did you mean (?:one of )?(?<names>[^?]+)\?\)$/.exec(rest)?.groups?.["names"];
    const other = otherNames[`${command} ${groups["name"] ?? ""}`];
    if (other)
      return `${say(key, { ...groups })}\n${say("wrong-usage.did-you-mean", { names: typed(other) })}\n`;
    const more = suggestion ? say("wrong-usage.did-you-mean", { names: suggestion }) : rest;
    return `${[say(key, { ...groups }), more].filter(Boolean).join("\n")}\n`;
  }
  return text;
}

const unfit = "^error: option '(?<name>[^\\n]*?)' argument '(?<value>[^]*?)' is invalid\\.";

const sentences = [
  ["wrong-usage.unknown-command", /^error: unknown command '(?<name>[^\n]*)'/],
  ["wrong-usage.unknown-option", /^error: unknown option '(?<name>[^\n]*)'/],
  ["wrong-usage.missing-argument", /^error: missing required argument '(?<name>[^\n]*)'/],
  ["wrong-usage.missing-value", /^error: option '(?<name>[^\n]*)' argument missing/],
  ["wrong-usage.missing-option", /^error: required option '(?<name>[^\n]*)' not specified/],
  ["wrong-usage.not-a-choice", new RegExp(`${unfit} Allowed choices are (?<choices>[^\\n]*)\\.`)],
  ["wrong-usage.not-a-value", new RegExp(`${unfit} ?(?<reason>[^\\n]*)`)],
  [
    "wrong-usage.too-many",
    /^error: too many arguments[^\n]*?Expected (?<expected>\d+) arguments? but got (?<received>\d+)[^\n]*/,
  ],
] as const;
