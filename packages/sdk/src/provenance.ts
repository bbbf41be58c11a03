/** Where a text comes from. Labels belong to texts, not to turns: each piece of what a model reads carries its own, and keeps it. */
import { Type, type Static } from "typebox";

/**
 * owner: words that the owner wrote. peer: of somebody else in a chat of their own. group: said in a group by anybody but the owner.
 * quoted: what came along with somebody's words and is not theirs (a forward, a quotation, the name of a file). file: read from the
 * workdir. program: what a program said. web: from the network. memory: what was remembered. session: from another conversation.
 * summary: made of texts of several kinds. tool: what any other tool said. system: said by Pincer itself.
 */
export const origins = [
  "owner",
  "peer",
  "group",
  "quoted",
  "file",
  "program",
  "web",
  "memory",
  "session",
  "summary",
  "tool",
  "system",
] as const;

export const Origin = Type.Enum([...origins]);
export type Origin = Static<typeof Origin>;

/**
 * What an argument steers. recipient: who hears of it (a chat, a session, an address of a person). url: an address that is asked for.
 * path: a file. program: what is run. schedule: when something happens. value: anything else that decides what is done.
 */
export const controlKinds = ["recipient", "url", "path", "program", "schedule", "value"] as const;
export type ControlKind = (typeof controlKinds)[number];

/** What is known about where the content of a text comes from. */
export interface TextProvenance {
  /** Whether nothing of it comes from texts of strangers. */
  trusted: boolean;
  /** Of the stranger's text that it comes from. */
  origin?: Origin;
  /** Where that was, in a few words: a host, a file, a person. */
  from?: string;
}
