/** The settings of a channel in people's words, where the page has some; else as the connector calls them. */
import type { ChannelTestView } from "@pincer/sdk";
import { isTextKey, type Say } from "../../texts/texts.ts";

export function keyLabel(channel: string, name: string, say: Say): string {
  const place = `${channel}.${name}`;
  return words(`channels.key.${place}`, say) ?? name;
}

export function keyHint(channel: string, name: string, say: Say): string | undefined {
  const place = `${channel}.${name}`;
  return words(`channels.key.${place}.hint`, say);
}

/** Why keys do not work. */
export function problemWords(
  channel: string,
  { problem, key = "", isForm }: Extract<ChannelTestView, { ok: false }>,
  say: Say,
): string {
  const place = `${channel}.${key}`;
  const why = isForm ? `channels.key.${place}.form` : `channels.key.${place}.refused`;
  return words(why, say) ?? problem;
}

const words = (key: string, say: Say): string | undefined => (isTextKey(key) ? say(key) : undefined);
