/** Derives what the page shows of accounts and of the form for a new one. Pure. */
import type { ChannelKeyView, ChannelKindView, ChannelView } from "@pincer/sdk";

export type ChannelTone = "good" | "warn" | "bad" | "";

/** Green only while messages demonstrably come in and go out. */
export function toneOf({ enabled, health }: Pick<ChannelView, "enabled" | "health">): {
  tone: ChannelTone;
  word: "off" | "unknown" | "green" | "yellow" | "red";
} {
  if (enabled === false) return { tone: "", word: "off" };
  if (health === undefined) return { tone: "", word: "unknown" };
  return { tone: { green: "good", yellow: "warn", red: "bad" }[health] as ChannelTone, word: health };
}

export const accountName = ({ channel, accountId }: Pick<ChannelView, "channel" | "accountId">): string =>
  accountId === "default" ? channel : `${channel}/${accountId}`;

/** Where the config switches an account on: by itself, unless its channel has accounts with names. */
export function enabledPath(
  channels: unknown,
  { channel, accountId }: Pick<ChannelView, "channel" | "accountId">,
): string {
  const own = readTable(readTable(channels)[channel]);
  const isNamed = Object.hasOwn(readTable(own["accounts"]), accountId);
  return isNamed
    ? `channels.${segment(channel)}.accounts${accessOf(accountId)}.enabled`
    : `channels.${segment(channel)}.enabled`;
}

const segment = (name: string): string => name;
const accessOf = (name: string): string => (/^[\w-]+$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`);
const readTable = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};

/** A network as a role can connect it: without what only the owner may set. */
export interface ChannelOffer {
  kind: ChannelKindView;
  /** Names of keys that are the owner's; those that it cannot be connected without, and the others. */
  needed: string[];
  withheld: string[];
}

export function offerTo(role: string, kind: ChannelKindView): ChannelOffer {
  const isFree = ({ forOwner }: ChannelKeyView) => role === "owner" || forOwner !== true;
  const owners = kind.keys.filter((key) => !isFree(key));
  return {
    kind: { ...kind, keys: kind.keys.filter(isFree) },
    needed: owners.filter(({ required }) => required).map(({ name }) => name),
    withheld: owners.filter(({ required }) => !required).map(({ name }) => name),
  };
}

export type KeyValue = string | number | boolean | Array<string | number>;

export type EnteredKeys =
  | { type: "whole"; keys: Record<string, KeyValue> }
  | { type: "missing"; names: string[] }
  | { type: "bad-number"; name: string };

/** What was typed into the form of a kind, as its keys want it; what was left empty is left out. */
export function readEntered(kind: ChannelKindView, entered: Readonly<Record<string, string>>): EnteredKeys {
  const keys: Record<string, KeyValue> = {};
  const missing: string[] = [];
  for (const { name, type, required } of kind.keys) {
    const text = (entered[name] ?? "").trim();
    if (text === "") {
      if (required) missing.push(name);
      continue;
    }
    if (type === "number") {
      const value = Number(text);
      if (!Number.isFinite(value)) return { type: "bad-number", name };
      keys[name] = value;
    } else if (type === "yes-no") keys[name] = text === "true";
    else if (type === "list")
      keys[name] = text
        .split(",")
        .map((each) => each.trim())
        .filter(Boolean);
    else keys[name] = text;
  }
  return missing.length > 0 ? { type: "missing", names: missing } : { type: "whole", keys };
}

/** Addresses in a step become links; the rest stays text. */
export function splitLinks(text: string): Array<{ text: string; href?: string }> {
  const parts: Array<{ text: string; href?: string }> = [];
  let end = 0;
  for (const found of text.matchAll(/https:\/\/[^\s)<>"]+[^\s)<>".,;:]/g)) {
    if (found.index > end) parts.push({ text: text.slice(end, found.index) });
    parts.push({ text: found[0], href: found[0] });
    end = found.index + found[0].length;
  }
  if (end < text.length) parts.push({ text: text.slice(end) });
  return parts;
}
