/**
 * Separates what people wrote from what they pasted: quoted lines, fenced blocks and forwarded mails are somebody
 * else's words.
 */

export interface OwnPiece {
  origin: "owner" | "quoted";
  text: string;
}

const fence = /^\s*(?:```|~~~)/u;
const quote = /^\s*(?:>|\|)/u;
/** The header of a forwarded mail; everything after it belongs to the mail. */
const head =
  /^\s*(?:[-_*]{2,}\s*)?(?:from|von|de|subject|betreff|objet|asunto|发件人|主题)\s*[:：]\s*\S|^\s*-{2,}\s*(?:original|forwarded|weitergeleitete|ursprüngliche)|^\s*on .{4,80} wrote:\s*$|^\s*(?:begin forwarded message|-+原始邮件-+)/iu;

/** A question about the following text, or an announcement of it: the next lines are somebody else's. */
const announces =
  /[?？]\s*$|\b(?:this|mail|email|text|message|letter|says?|said|wrote|got|received|translate|mean(?:s|ing)?|scam|spam)\b[^\n]*[:：]\s*$|(?:翻译|收到|这封|这段|什么意思)[^\n]*[:：]\s*$/iu;
/** "Somebody wrote me: …": the next sentence is theirs. */
const told =
  /(?<![\p{L}])(?!i\b|we\b)\p{L}+\s+(?:just\s+)?(?:wrote|writes|texted|mailed|says|said)(?:\s+(?:me|us|to\s+me))?\s*[:：]\s*([^.!?。！？\n]{8,}[.!?。！？]?)/giu;
/** Words in quotation marks are mentioned, not said. */
const mentioned =
  /"[^"\n]{12,}"|“[^”\n]{12,}”|„[^“”\n]{12,}[“”]|«[^»\n]{12,}»|「[^」\n]{6,}」|『[^』\n]{6,}』/gu;

/** In order; adjacent pieces of one kind are merged. Pure. */
export function ownWords(text: string): OwnPiece[] {
  const pieces: OwnPiece[] = [];
  let isFenced = false;
  let isPassedOn = false;
  for (const line of text.split("\n")) {
    const isFence = fence.test(line);
    isPassedOn ||= !isFenced && head.test(line);
    const origin = isPassedOn || isFenced || isFence || quote.test(line) ? "quoted" : "owner";
    if (isFence) isFenced = !isFenced;
    else if (origin === "owner") isPassedOn ||= announces.test(line);
    const last = pieces.at(-1);
    if (last?.origin === origin) last.text = `${last.text}\n${line}`;
    else pieces.push({ origin, text: line });
  }
  return pieces.flatMap(apart).filter((piece) => piece.text.trim() !== "");
}

/** Splits off mentioned sentences; text to be sent literally stays the owner's. */
function apart(piece: OwnPiece): OwnPiece[] {
  if (piece.origin !== "owner") return [piece];
  const reported = [...piece.text.matchAll(told)].map(([, words = ""]) => words);
  const quotes = [
    ...reported,
    ...(piece.text.match(mentioned) ?? []).filter((each) => /@|https?:|\w:\d/u.test(each)),
  ];
  if (quotes.length === 0) return [piece];
  const own = quotes.reduce((text, each) => text.replace(each, '""'), piece.text);
  return [{ origin: "owner", text: own }, ...quotes.map((text): OwnPiece => ({ origin: "quoted", text }))];
}
