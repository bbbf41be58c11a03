/** A caller's own message, to be sent again: never words of others that are part of the same entry. */
import {
  markedTexts,
  type Entry,
  type MessageFile,
  type PastedRange,
  type TextBlock,
  type UserMessage,
} from "@pincer/sdk";
import type { TurnPerson } from "../../storage/turns/turns.ts";

export interface OwnMessage {
  /** Empty where it is nothing but files. */
  text: string;
  typed: boolean;
  /** Left out where nobody can tell. */
  pasted: readonly PastedRange[] | undefined;
  files: Array<{ id: string; name?: string }>;
}

/**
 * Undefined for what is no message of a person, and for what somebody else said: to say it again would make it the asker's own words. `answered`:
 * whose turn the message began or joined, which says whose it is where it has no words.
 */
export function readOwnMessage(
  entry: Entry | undefined,
  { role }: Pick<TurnPerson, "role">,
  answered?: Pick<TurnPerson, "role">,
): OwnMessage | undefined {
  if (entry?.type !== "message" || entry.message.role !== "user") return undefined;
  const { content, files } = entry.message;
  const texts = content.filter((block): block is TextBlock => block.type === "text");
  const isPasted = ({ pasted }: TextBlock) => pasted === "certain";
  const own = texts.filter(({ origin, from = "" }) => origin === role && !isOfHouse(from));
  const isForeign = texts.some(
    ({ origin, from = "" }) => isSpeech(origin) && (origin !== role || isOfHouse(from)),
  );
  if (isForeign) return undefined;
  const isTheirs = answered?.role === role && (texts.some(isPasted) || isFilesAlone(entry.message));
  if (own.length === 0 && !isTheirs) return undefined;
  const pictures = content.flatMap((block): MessageFile[] => (block.type === "image" ? [block] : []));
  const spoken = texts.filter((block) => own.includes(block) || isPasted(block));
  const { text, pasted } = markedTexts(spoken);
  return {
    text,
    pasted: spoken.some((block) => block.pasted === "possible") ? undefined : pasted,
    typed: !spoken.some(({ typed }) => typed === false),
    files: (files ?? pictures).map(({ media, name }) => ({
      id: media,
      ...(name === undefined ? {} : { name }),
    })),
  };
}

/** A message of files without text, or of files that are not pictures, contains only their list; none of these came by a hook. */
function isFilesAlone({ content, files = [] }: UserMessage): boolean {
  const [list, ...more] = content.filter((block) => block.type === "text");
  if (!list || more.length > 0 || files.length === 0 || list.origin !== "quoted") return false;
  const whose = /^with a message of (.+)$/s.exec(list.from ?? "")?.[1] ?? "";
  return (
    whose !== "" && !isOfHouse(whose) && list.text.split("\n").every((line) => /^\[[a-z]+: .+\]$/.test(line))
  );
}

/** What the owner wrote into the config for a hook to say is not what the owner said. */
const isOfHouse = (from: string): boolean => /^"?(?:hook|tool|session|schedule):/.test(from);

/** Quotes and lists of files come along with what is said. */
const isSpeech = (origin: TextBlock["origin"]): boolean => origin !== "quoted" && origin !== "web";
