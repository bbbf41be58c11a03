/**
 * Estimates tokens before a provider has counted them. Four ASCII characters are one token, two if they are keys or
 * encoded data instead of words; a CJK character is one, any other character three quarters. Every use allows for an
 * error; see `conservative`.
 */
import type { AssistantMessage, Message, ToolDescription } from "@pincer/sdk";

/** One pass; of text that is all ASCII, and words, few characters are looked at. */
export function estimateTokens(text: string): number {
  let quarters = denseCharacters(text);
  if (Buffer.byteLength(text) === text.length) return Math.ceil((quarters + text.length) / 4);
  for (let index = 0; index < text.length; index++) quarters += quartersOf(text.charCodeAt(index));
  return Math.ceil(quarters / 4);
}

/**
 * Caches long messages per object. Messages are read again for each turn: caching every short one costs more than
 * counting it.
 */
export function messageTokens(message: Message): number {
  const known = counted.get(message);
  if (known !== undefined) return known;
  const tokens = countMessage(message);
  if (tokens > worthRemembering) counted.set(message, tokens);
  return tokens;
}

/** What the descriptions of the tools take in a request. Counted once per tool. */
export const toolTokens = (tools: readonly ToolDescription[]): number =>
  tools.reduce((sum, tool) => sum + descriptionTokens(tool), 0);

/** What a provider may count where we counted `tokens`. */
export const conservative = (tokens: number): number => Math.ceil(tokens * uncertainty);

/** Three ASCII characters a token: code, numbers and the marks of JSON take more tokens than prose. */
export const uncertainty = 1.35;

const counted = new WeakMap<object, number>();
const worthRemembering = 500;

const imageTokens = 1200;
/** Role, separators, ids and names of fields. */
const messageOverhead = 6;
const callOverhead = 8;
const toolOverhead = 8;

function countMessage(message: Message): number {
  let tokens = messageOverhead;
  if (message.role === "user" && message.note !== undefined) tokens += estimateTokens(message.note) + 1;
  if (message.role === "toolResult")
    tokens += callOverhead + estimateTokens(message.toolCallId) + estimateTokens(message.toolName);
  for (const block of message.content) tokens += blockTokens(block);
  return tokens;
}

function blockTokens(block: Message["content"][number] | AssistantMessage["content"][number]): number {
  switch (block.type) {
    case "text":
      return estimateTokens(block.text) + 1;
    case "image":
      return imageTokens;
    case "thinking":
      // Where the provider keeps its thoughts to itself, the signature is what they take.
      return estimateTokens(block.thinking === "" ? (block.signature ?? "") : block.thinking) + 1;
    case "toolCall": {
      const given = block.invalidArguments ?? JSON.stringify(block.arguments);
      return callOverhead + estimateTokens(block.id) + estimateTokens(block.name) + estimateTokens(given);
    }
  }
}

function descriptionTokens({ name, description, parameters }: ToolDescription): number {
  const known = described.get(parameters);
  if (known?.name === name && known.description === description) return known.tokens;
  const tokens =
    toolOverhead +
    estimateTokens(name) +
    estimateTokens(description) +
    estimateTokens(JSON.stringify(parameters));
  described.set(parameters, { name, description, tokens });
  return tokens;
}

/** By what lasts as long as the tool: its description is put together anew for each turn. */
const described = new WeakMap<object, { name: string; description: string; tokens: number }>();

/** Longer than this, what has no blank and no mark in it is no word. */
const longestWord = 40;

/**
 * How many characters stand in such runs: base64, hexadecimal numbers, keys. One that repeats the one before it takes next to nothing and
 * does not count. Every run has one character at a multiple of its least length, so no others have to be looked at where there is none.
 */
function denseCharacters(text: string): number {
  let dense = 0;
  let end = 0;
  for (let place = longestWord; place < text.length; place += longestWord + 1) {
    if (place < end || !isDense(text.charCodeAt(place))) continue;
    let start = place;
    while (start > end && isDense(text.charCodeAt(start - 1))) start--;
    end = place + 1;
    while (end < text.length && isDense(text.charCodeAt(end))) end++;
    if (end - start > longestWord) dense += changesIn(text, start, end);
  }
  return dense;
}

function changesIn(text: string, start: number, end: number): number {
  let changes = 0;
  for (let index = start + 1; index < end; index++)
    if (text.charCodeAt(index) !== text.charCodeAt(index - 1)) changes++;
  return changes;
}

/** A-Z a-z 0-9 + / = _ - */
const dense = Uint8Array.from({ length: 0x80 }, (_, code) =>
  /[A-Za-z0-9+/=_-]/.test(String.fromCharCode(code)) ? 1 : 0,
);

const isDense = (code: number): boolean => dense[code] === 1;

function quartersOf(code: number): number {
  if (code < 0x80) return 1;
  if (code < 0x2e80) return 3;
  // Ideographs, kana, hangul, wide forms; and halves of what lies beyond, two of which are one character.
  const isWide = code <= 0xdfff || (code >= 0xf900 && code <= 0xfaff) || code >= 0xff00;
  return isWide ? 4 : 3;
}
