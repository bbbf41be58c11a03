/** A message of a conversation as the lines that can be found: what people and the assistant said, not what it thought or did. */
import { type MemoryLine, type MessageEntry, textOf } from "@pincer/sdk";
import { cutIntoParts } from "./cut-into-parts.ts";
import { atLocalTime } from "./read-day.ts";

/** About what a person reads at once; more of a message becomes several lines that share its number. */
const longestPart = 1_000;

export interface EntryFacts {
  /** Of the whole session, where its words are not the owner's. */
  label?: string | undefined;
  /** Whether many speak in it: only then does a message begin with who said it, put there by us. */
  isGroup?: boolean | undefined;
  /** IANA name; on which day it was said depends on it. UTC unless told. */
  timezone?: string | undefined;
}

export function linesOfEntry(
  entry: MessageEntry,
  { label, isGroup = false, timezone = "UTC" }: EntryFacts,
): MemoryLine[] {
  const said = wordsOf(entry, isGroup);
  const time = atLocalTime(entry.time, timezone);
  return said.flatMap(({ who, text }) =>
    cutIntoParts(text, longestPart).map((part) => ({
      line: entry.seq,
      text: part,
      ...(who === undefined ? {} : { who }),
      time,
      ...(label === undefined ? {} : { label }),
    })),
  );
}

function wordsOf(
  { message }: MessageEntry,
  isGroup: boolean,
): Array<{ who?: string | undefined; text: string }> {
  if (message.role !== "user" && message.role !== "assistant") return [];
  const text = textOf(message).trim();
  if (text === "") return [];
  if (message.role === "assistant") return [{ who: "assistant", text }];
  if (!isGroup) return [{ text }];
  const overheard = overheardStart.exec(text);
  if (overheard) return text.slice(overheard[0].length).split("\n").filter(Boolean).map(fromGroup);
  return [fromGroup(text)];
}

/** What a group said before it spoke to the assistant, one line each. */
const overheardStart = /^Said in the group before, not to you:\n/;
/** A name with its id, as a group's messages begin. */
const groupName = /^("(?:[^"\\\n]|\\.){1,200}"|[^\n:"()]{1,100}) \([^()\n]{1,200}\): /;

function fromGroup(text: string): { who?: string | undefined; text: string } {
  const match = groupName.exec(text);
  if (!match) return { text };
  // A name with a colon in it is written as a JSON string.
  const who = (match[1] ?? "").replace(/^"(.*)"$/, "$1").replaceAll(/\\(.)/g, "$1");
  return { who, text: text.slice(match[0].length) };
}
