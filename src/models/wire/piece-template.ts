/**
 * Pieces of the same arguments come in events that differ in the piece alone, and in numbers and padding that mean nothing here. Once one
 * of them has been read, the next are recognised by what stands around the piece, which costs a fraction of parsing them.
 */
import type { ShelvedArguments } from "./argument-buffer.ts";

export interface PieceTemplate {
  place: ShelvedArguments;
  /** The piece in an event of the same form; undefined when it has another. */
  pieceOf(event: string): string | undefined;
}

const inQuotes = String.raw`((?:[^"\\]|\\.)*)`;

/** From an event that holds one piece and nothing else; undefined when it cannot be told where the piece stands. */
export function pieceTemplate(
  event: string,
  pieceKey: string,
  place: ShelvedArguments,
): PieceTemplate | undefined {
  const found = [...event.matchAll(new RegExp(`"${pieceKey}":\\s*"${inQuotes}"`, "g"))];
  const [only] = found;
  if (!only || found.length > 1) return undefined;
  const end = only.index + only[0].length - 1;
  const start = end - (only[1]?.length ?? 0);
  const form = new RegExp(`^${formOf(event.slice(0, start))}${inQuotes}${formOf(event.slice(end))}$`);
  return {
    place,
    pieceOf(other) {
      const inside = form.exec(other)?.[1];
      return inside === undefined ? undefined : unquoted(inside);
    },
  };
}

const meaningless = [
  { written: /"sequence_number":\d+/, form: String.raw`"sequence_number":\d+` },
  { written: /"obfuscation":"\w*"/, form: String.raw`"obfuscation":"\w*"` },
];

function formOf(text: string): string {
  for (const { written, form } of meaningless) {
    const match = written.exec(text);
    if (!match) continue;
    return `${formOf(text.slice(0, match.index))}${form}${formOf(text.slice(match.index + match[0].length))}`;
  }
  return text.replaceAll(/[$()*+./?[\\\]^{|}]/g, String.raw`\$&`);
}

/** What a JSON string with this inside says; undefined when it is none. */
function unquoted(inside: string): string | undefined {
  // oxlint-disable-next-line no-control-regex -- JSON forbids them unescaped
  if (!/[\\\u0000-\u001f]/.test(inside)) return inside;
  try {
    const value: unknown = JSON.parse(`"${inside}"`);
    return typeof value === "string" ? value : undefined;
  } catch {
    // The reader of the whole event says what is wrong with it.
    return undefined;
  }
}
