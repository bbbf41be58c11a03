/** Terminal output as text: without colours and cursor movements, overwritten lines as last seen. */

export function plainOutput(raw: string): string {
  if (!/[^\t\n\x20-\x7e\u00a0-\uffff]/.test(raw)) return raw;
  return raw.replaceAll("\r\n", "\n").replaceAll(sequence, keepErasing).split("\n").map(plainLine).join("\n");
}

/** Where the last bytes begin an incomplete character or terminal sequence. */
export function unfinishedFrom(bytes: Buffer): number {
  const escape = bytes.lastIndexOf(0x1b);
  if (escape >= 0 && bytes.length - escape <= longestSequence) {
    const tail = bytes.subarray(escape).toString("latin1");
    // oxlint-disable-next-line no-control-regex -- the signs of a terminal are control characters
    if (/^\x1b(?:\[[0-?]*[ -/]*|[\]PX^_][^\x07\x1b]*|[ -/]*)$/.test(tail)) return escape;
  }
  return unfinishedCharacter(bytes);
}

const longestSequence = 256;

/** Of a UTF-8 character, up to three bytes may be there without the last. */
function unfinishedCharacter(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) break;
    if (byte < 0xc0) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return back < length ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/** Strings for the terminal itself (titles, links), then what moves and colours, then the rest. */
const sequence =
  // oxlint-disable-next-line no-control-regex -- the signs of a terminal are control characters
  /\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b[ -/]*[0-~]?/g;

/** Erasing to the end of a line becomes one private character, erasing a line another. */
function keepErasing(found: string): string {
  if (/\[0?K$/.test(found)) return eraseRest;
  return found.endsWith("[2K") ? eraseLine : "";
}

const eraseRest = "\x1c";
const eraseLine = "\x1d";

function plainLine(line: string): string {
  // oxlint-disable-next-line no-control-regex -- the signs of a terminal are control characters
  if (!/[\x00-\x08\x0b-\x1f\x7f-\x9f]/.test(line)) return line;
  let cells: string[] = [];
  let at = 0;
  for (const sign of line) {
    if (sign === "\r") at = 0;
    else if (sign === "\b") at = Math.max(0, at - 1);
    else if (sign === eraseRest) cells.length = Math.min(cells.length, at);
    else if (sign === eraseLine) {
      cells = [];
      at = Math.min(at, blanks.length);
    } else if (!isControl(sign.charCodeAt(0))) {
      if (cells.length < at) cells = blanks.slice(0, at);
      cells[at++] = sign;
    }
  }
  return cells.join("");
}

/** What is left of the cursor in an erased line: no more than a terminal has columns. */
const blanks: readonly string[] = Array.from({ length: 120 }, () => " ");

const isControl = (code: number): boolean =>
  (code < 0x20 && code !== 0x09 && code !== 0x0a) || (code >= 0x7f && code <= 0x9f);
