/** A line of the network as a message, and who said it. */
import { createHash } from "node:crypto";
import { isNamed, isSameName, withoutAddress, type createRecent, type ReceivedMessage } from "@pincer/sdk";
import type { IrcMessage } from "irc-framework";

export interface Reading {
  /** The nick in use, and the one that was wished for. */
  nicks: [string, string];
  channels: string[];
  now: number;
  /** How often the same was said at the same time. */
  counts: ReturnType<typeof createRecent<number>>;
}

/** Undefined for what is no message of a person to us or to one of our channels. */
export function readMessage(line: IrcMessage, reading: Reading): ReceivedMessage | undefined {
  const { nicks, now } = reading;
  const { tags, nick, ident, hostname } = line;
  const [target = "", raw = ""] = line.params;
  const words = wordsOf(raw, nick);
  // An incomplete prefix belongs to a server, not to a person.
  if (!nick || !ident || !hostname || words === undefined || isSameName(nick, nicks[0])) return undefined;
  const { id, isUnproven } = personOf(line, tags["account"]);
  const isDirect = isSameName(target, nicks[0]);
  const chat = isDirect ? id : reading.channels.find((each) => isSameName(each, target));
  if (chat === undefined) return undefined;
  const sameness = JSON.stringify([id, chat, tags["time"] ?? now, raw]);
  const count = (reading.counts.get(sameness) ?? 0) + 1;
  reading.counts.set(sameness, count);
  const own = tags["msgid"] || digest(`${count} ${sameness}`);
  const mentioned = isDirect || isNamed(words, nicks, "[A-Za-z0-9\\[\\]\\\\`_^{\\|}\\-]");
  const text = withoutAddress(words, nicks);
  return {
    peer: { kind: isDirect ? "user" : "group", id: chat, name: isDirect ? nick : chat },
    sender: { id, name: nick, ...(isUnproven && { isUnproven }) },
    message: { type: "text", id: `${chat}/${own}`, text, attachments: [], mentioned },
    timestamp: Date.parse(tags["time"] ?? "") || now,
  };
}

/**
 * The account is the network's statement about the identity. Anybody can take a nick, so without an account the whole
 * mask is the id, and proves nothing. An account that looks like a mask does not count.
 */
export function personOf(mask: Pick<IrcMessage, "nick" | "ident" | "hostname">, account: string | undefined) {
  if (account && /^[^\s!@*\p{Cc}]+$/u.test(account)) return { id: account, isUnproven: false };
  return { id: `${mask.nick}!${mask.ident}@${mask.hostname}`, isUnproven: true };
}

/** Without colours and other codes; undefined for requests between programs. */
function wordsOf(raw: string, nick: string): string | undefined {
  const isAction = raw.startsWith("\x01ACTION ");
  if (!isAction && raw.startsWith("\x01")) return undefined;
  const words = (isAction ? `* ${nick} ${raw.slice("?ACTION ".length)}` : raw)
    // oxlint-disable-next-line no-control-regex -- colours of IRC begin with control characters
    .replaceAll(/\x03(?:\d{1,2}(?:,\d{1,2})?)?|\x04(?:[0-9a-fA-F]{6})?/g, "")
    .replaceAll(/(?!\t)\p{Cc}/gu, "");
  return words.trim() === "" ? undefined : words;
}

const digest = (text: string): string => createHash("sha256").update(text).digest("base64url").slice(0, 22);
