/**
 * Any text as a file name that Linux, macOS and Windows all take, and take for itself: two different texts never share a file,
 * even where the file system ignores case or normalises Unicode. Lower-case ASCII and scripts without case stay readable;
 * everything else becomes `=` and hexadecimal bytes. What cannot be told apart by decoding is told apart by a hash.
 */
import { createHash } from "node:crypto";

const longestName = 120;

/** The name has no directory part, is never empty, `.` or `..`, and may be followed by an extension. */
export function safeFileName(text: string): string {
  // An empty text is a lone `=`, which no other text can become.
  if (text === "") return "=";
  const pieces = Array.from(text, escapeUnsafe);
  const first = pieces[0];
  const last = pieces.at(-1);
  // A leading dot hides a file, a leading dash reads as an option, a trailing dot is dropped by Windows.
  if (last === ".") pieces[pieces.length - 1] = hex(".");
  if (first === "." || first === "-" || deviceName.test(pieces.join(""))) pieces[0] = hex(text.slice(0, 1));
  const name = pieces.join("");
  return Buffer.byteLength(name) <= longestName ? name : cut(pieces, text);
}

/** Windows takes these for devices, with any extension. */
const deviceName = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/;

function escapeUnsafe(character: string): string {
  if (/^[a-z0-9_.-]$/.test(character)) return character;
  if (!character.isWellFormed()) return `=u${character.charCodeAt(0).toString(16)}`;
  return isPlainLetter(character) ? character : hex(character);
}

/** A letter of a script without case that every Unicode normalisation leaves alone, Han for one. */
function isPlainLetter(character: string): boolean {
  return (
    /^\p{Lo}$/u.test(character) &&
    character.normalize("NFKC") === character &&
    character.normalize("NFKD") === character &&
    character.toLowerCase() === character &&
    character.toUpperCase() === character
  );
}

function hex(character: string): string {
  return Buffer.from(character)
    .toString("hex")
    .replace(/../g, (byte) => `=${byte}`);
}

function cut(pieces: string[], text: string): string {
  // `=h` begins no escape, so a cut name never equals a whole one. UTF-16 keeps lone surrogates apart.
  const tail = `=h${createHash("sha256").update(text, "utf16le").digest("hex").slice(0, 32)}`;
  let head = "";
  let room = longestName - tail.length;
  for (const piece of pieces) {
    room -= Buffer.byteLength(piece);
    if (room < 0) break;
    head += piece;
  }
  return head + tail;
}
