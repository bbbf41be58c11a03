/** Finds secrets in a text: passwords, keys, codes. */

const names =
  "pass(?:word|phrase|code|wort)?|pwd|pin|secret|token|api[\\s_-]?key|access[\\s_-]?key|private[\\s_-]?key|auth[\\s_-]?key|credential|(?:security|verification|login|backup|recovery|door|alarm|one-time|2fa|otp|access|entry|gate|unlock|locker)\\s?code|code(?=\\s+(?:of|for|to)\\b)|combination|kennwort|mot de passe|contraseña|seed phrase|mnemonic|ssn|puk|wifi|wi-fi|iban|card\\s?number|cvv|密码|口令|密钥|令牌|验证码|暗号|卡号";

/** "the password is hunter2", `API_KEY=abc`, "密码：abc". */
const value = "[\"'`]?\\s*(?:=|:|：|\\bis\\b|是|为)\\s*[\"'`]?([^\\n\"'`<>]{4,200})";
const named = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:\\w{0,40}[_-])?(?:${names})s?(?:[_-]\\w{0,40})?(?:\\s+(?:for|of|to|password|key|code|number)\\b[^\\n:=]{0,40}?)?${value}`,
  "giu",
);
const camelNamed = new RegExp(`\\b[a-z]{1,40}(?:Password|Passphrase|Token|Secret|Key)${value}`, "gu");
/** Formats that are keys wherever they occur. */
const shaped =
  /\b(?:sk-[A-Za-z0-9_-]{12,}|gh[pousr]_[A-Za-z0-9]{20,}|AKIA[A-Z0-9]{12,}|xox[abprs]-[A-Za-z0-9-]{10,}|eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?|AIza[A-Za-z0-9_-]{20,})|-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]{20,4000}?-----END/gu;
const assigned = /^\s*(?:export\s+)?[A-Z][A-Z0-9_]{2,}\s*=\s*["']?([^\s"'#]{6,})/gmu;

const mostValues = 5000;

export interface SecretSource {
  text: string;
  /** Every assigned value in it is a secret. */
  isSecretFile: boolean;
  /** From outside: mentions of keys there are no secrets, and unnamed values are not ours. */
  isOutside: boolean;
}

/** The bare values: those called a secret, and those that only look like one. Pure. */
export function secretsIn({ text, isSecretFile, isOutside }: SecretSource): {
  named: string[];
  opaque: string[];
} {
  const names = runsShortened(text);
  const all = [...names.matchAll(named), ...names.matchAll(camelNamed)].map(([, found = ""]) => tidy(found));
  const called = [
    ...(isOutside ? all.filter((found) => /^\S{6,}$/u.test(found) && /\d/u.test(found)) : all),
    ...[...text.matchAll(shaped)].map(([found]) => found),
    ...(isSecretFile ? [...text.matchAll(assigned)].map(([, found = ""]) => found) : []),
  ];
  return { named: distinct(called), opaque: isOutside ? [] : distinct(opaqueTokens(text)) };
}

/** Long repetitions carry nothing and slow the search. */
const runsShortened = (text: string): string => text.replaceAll(/([_-])\1{8,}/gu, "$1$1$1");

const distinct = (values: readonly string[]): string[] =>
  [...new Set(values.map(tidy).filter((found) => bare(found).length >= 4))].slice(0, mostValues);

/** Cuts off a sentence that continues after the value. */
const tidy = (found: string): string =>
  found
    .replace(/[.!?。；;]\s.*$/su, "")
    .replace(/[.,;。，；]?\s+(?:and|but|so|please|do not|don't|which|,|—|-|\().*$/iu, "")
    .replace(/[\s.,;:!?。，；！？)\]}]+$/u, "")
    .trim();

/** Long, without a space, and no word of any language. Pure. */
export function opaqueTokens(text: string): string[] {
  const tokens = text.match(/[A-Za-z0-9+/_=-]{16,}/gu) ?? [];
  return tokens.flatMap((token) => token.split("/").filter((part) => part.length >= 16)).filter(isOpaque);
}

function isOpaque(token: string): boolean {
  const digits = (token.match(/\d/gu) ?? []).length;
  const pieces = token.split(/[-_]/u);
  // "a-long-title-of-a-page-2024" is made of words.
  if (pieces.length > 2 && pieces.every((piece) => /^(?:[a-z]+|[A-Z][a-z]*|\d{1,4})$/u.test(piece)))
    return false;
  const isMixed = /[a-z]/u.test(token) && /[A-Z]/u.test(token) && !/^(?:[A-Z]?[a-z]{2,}){1,6}$/u.test(token);
  return (digits >= 2 && /[a-z]/iu.test(token)) || isMixed || token.endsWith("=") || digits >= 16;
}

export const isSecretFileName = (name: string): boolean =>
  /(?:^|\/)(?:\.env[\w.-]*|\.npmrc|\.netrc|\.pgpass|\.git-credentials|id_(?:rsa|ed25519|ecdsa|dsa)|credentials(?:\.\w+)?|secrets?(?:\.\w+)?|[\w.-]+\.(?:pem|key|p12|pfx|kdbx))$/iu.test(
    name,
  );

/** Letters and digits only, in one case: separators make no difference. */
export const bare = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "");

const window = 8;
const longWindow = 12;
const acrossWindow = 9;
const tooMuch = 0.6;

/** Whether a text contains one of them, or enough of one: literally, spaced, reversed or encoded. Pure. */
export function saysSecret(text: string, secrets: readonly string[]): string | undefined {
  if (secrets.length === 0) return undefined;
  const forms = formsOf(text);
  const parts = new Map(
    [window, acrossWindow, longWindow].map((size) => [
      size,
      new Set(forms.flatMap((form) => windowsOf(form.bare, size))),
    ]),
  );
  return secrets.find((secret) => {
    const wanted = bare(secret);
    // One word of several is an ordinary word.
    const size = /\s/u.test(secret.trim()) ? longWindow : window;
    if (wanted.length >= size)
      return (
        windowsOf(wanted, size).some((part) => parts.get(size)?.has(part) === true) ||
        acrossWords(secret).some((part) => parts.get(acrossWindow)?.has(part) === true) ||
        forms.some((form) => covered(form.bare, secret) >= tooMuch)
      );
    const alone = new RegExp(`(?<![\\p{L}\\p{N}])${wanted}(?![\\p{L}\\p{N}])`, "u");
    return forms.some((form) => (wanted.length < 6 ? alone.test(form.spaced) : form.bare.includes(wanted)));
  });
}

/** For several words: a match across a word boundary is no coincidence. */
function acrossWords(secret: string): string[] {
  const ends = new Set<number>();
  let length = 0;
  for (const each of secret.split(/[\s_-]+/u)) ends.add((length += bare(each).length));
  return windowsOf(bare(secret), acrossWindow).filter((_, at) =>
    [...ends].some((end) => end > at + 1 && end < at + acrossWindow - 1),
  );
}

const leastPiece = 5;

/** How much of a secret occurs in a text, in pieces of some length in any order. Expects bare texts. */
export function covered(text: string, secret: string): number {
  const wanted = bare(secret);
  let found = 0;
  for (let at = 0; at + leastPiece <= wanted.length;) {
    let length = 0;
    while (at + length < wanted.length && text.includes(wanted.slice(at, at + length + 1))) length++;
    if (length >= leastPiece) found += length;
    at += length >= leastPiece ? length : 1;
  }
  return found / Math.max(1, wanted.length);
}

/** A match of this many letters in a row is too much. */
const windowsOf = (text: string, size: number): string[] =>
  Array.from({ length: Math.max(0, text.length - size + 1) }, (_, at) => text.slice(at, at + size));

function formsOf(text: string): Array<{ bare: string; spaced: string }> {
  const unescaped = unescape(text);
  const plain = [text, unescaped, rot13(unescaped)];
  const coded = [...new Set([text, unescaped])].flatMap(decoded);
  const all = [...plain, ...coded, ...coded.map(rot13)];
  return [...all, ...all.map((each) => [...each].toReversed().join(""))].flatMap((each) => {
    const spaced = each.normalize("NFKC").toLowerCase();
    const own = bare(each);
    // Letters of another script in between do not hide it from a reader.
    const plainest = each
      .normalize("NFKD")
      .toLowerCase()
      .replaceAll(/[^a-z0-9]/gu, "");
    return plainest === own
      ? [{ bare: own, spaced }]
      : [
          { bare: own, spaced },
          { bare: plainest, spaced },
        ];
  });
}

function unescape(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    // Not valid escapes, so they encode nothing.
    return text;
  }
}

const rot13 = (text: string): string =>
  text.replaceAll(/[a-z]/giu, (letter) => {
    const base = letter <= "Z" ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
  });

/** Decodes pieces that may be base64 or hex. */
function decoded(text: string): string[] {
  const joined = text.replaceAll(/[\s.,:-]+/gu, "");
  const pieces = [...(text.match(/[A-Za-z0-9+/_-]{6,}={0,2}/gu) ?? []), joined].slice(0, 600);
  return pieces.flatMap((piece) => {
    const hex = /^(?:[0-9a-f]{2}){3,}$/iu.test(piece) ? [Buffer.from(piece, "hex").toString("latin1")] : [];
    const base64 = [
      Buffer.from(piece.replaceAll("-", "+").replaceAll("_", "/"), "base64").toString("latin1"),
    ];
    return [...hex, ...base64];
  });
}
