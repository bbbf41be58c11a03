/**
 * A digest of messages, without a model: the beginning of each message. The same messages always give the same text.
 */
import { textOf, type AssistantMessage, type Message } from "@pincer/sdk";
import { oneLine } from "../../infra/one-line.ts";
import type { Summarise } from "./compaction.ts";
import { beginning } from "./shorten.ts";
import { textsTagged } from "./transcript-text.ts";

/** One line for each message of people and assistants; the first few and the last ones where they do not all fit. */
export function digestOf(messages: readonly Message[], maxChars: number): string {
  const lines: string[] = [];
  for (const message of messages) {
    const line = lineOf(message);
    if (line !== undefined) lines.push(line);
  }
  return boundLines(lines, maxChars).join("\n");
}

/** Of those that were not read whole. */
export const inBrief = (messages: readonly Message[]): string =>
  messages.length === 0 ? "" : `In brief, what came next:\n${digestOf(messages, mostBriefChars)}`;

/** Stands in for a model where none is connected: takes a request for a summary and picks lines from its text. */
export const digestSummary: Summarise = async ({ text }) => {
  const soFar = [...textsTagged("summary-so-far", text), ...textsTagged("partial-summary", text)];
  const earlier = soFar.flatMap((each) => each.split("\n")).filter((line) => line.trim() !== "");
  const said = textsTagged("transcript", text).flatMap((each) =>
    Array.from(
      each.matchAll(/^#\d+ (?:user|assistant): ?.*(?:\n {2}calls .*)*/gmu),
      ([line]) => `- ${beginning(oneLine(line), mostLineChars)}`,
    ),
  );
  const isShared = earlier.length > 0 && said.length > 0;
  const lines = [
    ...boundLines(earlier, isShared ? mostChars * earlierShare : mostChars),
    ...boundLines(said, isShared ? mostChars * (1 - earlierShare) : mostChars),
  ];
  return lines.length > 0
    ? { type: "said", text: lines.join("\n") }
    : { type: "unable", reason: "nothing was said" };
};

const mostChars = 2000;
const mostBriefChars = 1500;
const mostLineChars = 160;
const earlierShare = 0.4;

/** More is not looked at: of this the beginning is shown, and messages may be very long. */
const mostRead = 1000;

/** Undefined where nothing was said. */
function lineOf(message: Message): string | undefined {
  if (message.role === "toolResult") return undefined;
  const words = beginning(
    inOneLine(wholeTextOf(message).trimStart().slice(0, mostRead).toWellFormed()),
    mostLineChars,
  );
  const said = message.content.every(isWords) ? words : withOthers(words, message);
  return said === "" ? undefined : `- ${message.role}: ${said}`;
}

type Block = Message["content"][number] | AssistantMessage["content"][number];

const isWords = ({ type }: Block): boolean => type === "text" || type === "thinking";

function withOthers(words: string, message: Message): string {
  const images = message.content.filter(({ type }) => type === "image").map(() => "[image]");
  const calls = message.content.flatMap((block) => (block.type === "toolCall" ? [oneLine(block.name)] : []));
  return [words, ...images, calls.length > 0 ? `[calls ${calls.join(", ")}]` : ""].filter(Boolean).join(" ");
}

/** Most messages are one text. */
function wholeTextOf(message: Message): string {
  const [first] = message.content;
  return message.content.length === 1 && first?.type === "text" ? first.text : textOf(message);
}

/** A single line is not copied: a digest is made for each request, from many messages. */
const inOneLine = (text: string): string => (isSeveral.test(text) ? oneLine(text) : text);

const isSeveral = /[^\S ]|\p{Cc}| {2}|^ | $/u;

/** A quarter of the space is for the first lines: they say what it is about. */
function boundLines(lines: readonly string[], maxChars: number): readonly string[] {
  const space = maxChars - gapChars;
  const fits = lines.reduce((chars, line) => chars + line.length + 1, 0) <= maxChars;
  if (fits) return lines;
  const first = lines.slice(0, howMany(lines, space / 4));
  const rest = lines.slice(first.length).toReversed();
  const used = first.reduce((chars, line) => chars + line.length + 1, 0);
  const last = rest.slice(0, howMany(rest, space - used)).reverse();
  const missing = lines.length - first.length - last.length;
  return [...first, `- [${missing} more in between]`, ...last];
}

const gapChars = 40;

function howMany(lines: readonly string[], space: number): number {
  let chars = 0;
  const over = lines.findIndex((line) => (chars += line.length + 1) > space);
  return over < 0 ? lines.length : over;
}
