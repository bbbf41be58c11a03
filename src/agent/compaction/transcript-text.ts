/**
 * The conversation as text for the summarising model. It is data there: nothing in it may look like a tag or like
 * another message.
 */
import { textOf, type Message, type MessageEntry } from "@pincer/sdk";
import { beginning, fitTokens, headAndTail } from "./shorten.ts";

/** One message: its number, who, and what. */
export interface TranscriptLine {
  message: Message;
  seq: number;
  day: string;
  text: string;
  tokens: number;
}

export function transcriptLines(
  entries: readonly MessageEntry[],
  { maxChars, tokensOf }: { maxChars: number; tokensOf(text: string): number },
): TranscriptLine[] {
  return entries.map(({ message, seq, time }) => {
    const text = `#${seq} ${indented(asData(spoken(message, maxChars)))}`;
    return { message, seq, day: time.slice(0, 10), text, tokens: tokensOf(text) };
  });
}

/** In the place of one that is too large. */
export const leftOut = (line: TranscriptLine): TranscriptLine => ({
  ...line,
  text: `#${line.seq} ${line.message.role}: [left out, about ${line.tokens} tokens]`,
});

/** All of them, each in fewer characters where together they would take more tokens than that. */
export function fitLines(
  lines: readonly TranscriptLine[],
  maxTokens: number,
  tokensOf: (text: string) => number,
): string {
  let text = transcriptText(lines);
  let most = lines.reduce((longest, line) => Math.max(longest, line.text.length), 0);
  while (most > fewestChars && tokensOf(text) > maxTokens) {
    most = Math.floor(most * 0.7);
    text = transcriptText(shortenLines(lines, most));
  }
  return fitTokens(text, maxTokens, tokensOf);
}

/** Of a message, so that it can still be told what it was. */
const fewestChars = 100;

const shortenLines = (lines: readonly TranscriptLine[], maxChars: number): TranscriptLine[] =>
  lines.map((line) => ({
    ...line,
    text: headAndTail(line.text, maxChars).replaceAll(/\n(?! {2})/gu, "\n  "),
  }));

function transcriptText(lines: readonly TranscriptLine[]): string {
  return lines
    .map(({ text, day }, index) => (day === lines[index - 1]?.day ? text : `[${day}]\n${text}`))
    .join("\n");
}

/** `name` is one of those that `asData` knows. */
export const tagged = (name: TagName, text: string): string => `<${name}>\n${text}\n</${name}>`;

export type TagName = "summary-so-far" | "transcript" | "partial-summary";

/** What stands between the tags of that name. */
export const textsTagged = (name: TagName, text: string): string[] =>
  Array.from(
    text.matchAll(new RegExp(`^<${name}>\\n([^]*?)\\n</${name}>$`, "gmu")),
    ([, inside]) => inside ?? "",
  );

/** A reader is not strict about blanks in a tag, so they do not matter here. */
export const asData = (text: string): string =>
  text.replace(/<(?=\s*(?:\/\s*)?(?:summary-so-far|transcript|partial-summary))/giu, "&lt;");

const mostArgumentChars = 500;
const mostResultChars = 2000;

function spoken(message: Message, maxChars: number): string {
  const images = message.content.filter(({ type }) => type === "image").map(() => "[image]");
  const words = (max: number) =>
    [headAndTail(textOf(message).trim(), max), ...images].filter(Boolean).join(" ");
  switch (message.role) {
    case "user":
      return `user: ${words(maxChars)}`;
    case "assistant":
      return [`assistant: ${words(maxChars)}`.trimEnd(), ...callsOf(message)].join("\n");
    case "toolResult":
      return `${message.isError ? "error from" : "result of"} ${message.toolName}: ${words(Math.min(maxChars, mostResultChars))}`;
  }
}

const callsOf = (message: Message & { role: "assistant" }): string[] =>
  message.content.flatMap((block) => {
    if (block.type !== "toolCall") return [];
    const given = block.invalidArguments ?? JSON.stringify(block.arguments);
    return [`calls ${block.name} ${beginning(given, mostArgumentChars)}`];
  });

/** A message begins where a line begins; its further lines do not. */
const indented = (text: string): string => text.replaceAll("\n", "\n  ");
