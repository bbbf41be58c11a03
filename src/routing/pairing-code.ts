/**
 * The one-time codes of pairing and of the owner's claim: 8 characters out of 32, 40 bits. Upper case only, without 0,
 * 1, I and O; L stays, because the characters it resembles are not used.
 */
const alphabet = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const length = 8;

/** `randomBytes` must be unpredictable: a person who guesses a code gets access. */
export function makePairingCode(randomBytes: (count: number) => Uint8Array): string {
  // 256 is a multiple of 32, so every character is equally likely.
  return Array.from(randomBytes(length), (byte) => alphabet[byte % alphabet.length]).join("");
}

/** As people read and type it: XXXX-XXXX. */
export const showPairingCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`;

/** The code that somebody typed, in any case, with or without spaces and dashes. Undefined when it cannot be one. */
export function readPairingCode(text: string): string | undefined {
  const code = text
    .replaceAll(/[\s\p{Pd}]/gu, "")
    .toUpperCase()
    .replaceAll(/[1I]/g, "L");
  return code.length === length && [...code].every((mark) => alphabet.includes(mark)) ? code : undefined;
}

/**
 * The code when a message is nothing else, in the form in which it is shown. The dash in the middle is asked for, so that an
 * ordinary word of eight letters is not taken for a try. A link that opens a chat says it as `/start CODE`.
 */
export function codeOfMessage(text: string): string | undefined {
  const said = text.replace(/^\s*\/start\s+/, "");
  return /^\s*[^\s\p{Pd}]{4}\p{Pd}[^\s\p{Pd}]{4}\s*$/u.test(said) ? readPairingCode(said) : undefined;
}
