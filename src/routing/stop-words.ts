/** Recognises a message that is nothing but "stop", in the languages people are likely to shout it in. */
const words: ReadonlySet<string> = new Set([
  "stop",
  "stopp",
  "halt",
  "abort",
  "anhalten",
  "aufhören",
  "arrête",
  "arrete",
  "arrêtez",
  "arretez",
  "arrêter",
  "para",
  "pare",
  "pára",
  "alto",
  "detente",
  "detén",
  "basta",
  "ferma",
  "fermati",
  "стоп",
  "остановись",
  "хватит",
  "стій",
  "توقف",
  "قف",
  "रुको",
  "dừng",
  "berhenti",
  "หยุด",
  "停",
  "停止",
  "停下",
  "停下来",
  "停一下",
  "停住",
  "别说了",
  "別說了",
  "停下來",
  "住手",
  "止めて",
  "とめて",
  "やめて",
  "やめろ",
  "止まれ",
  "ストップ",
  "停止して",
  "멈춰",
  "그만",
  "중지",
  "정지",
]);

const phrases: ReadonlySet<string> = new Set([
  "stop it",
  "stop now",
  "stop that",
  "please stop",
  "stop please",
  "bitte stopp",
  "hör auf",
  "por favor para",
  "dừng lại",
  "请停止",
  "请停下",
  "停吧",
]);

const longest = 60;

/** True for a bare stop, however it is spelt, marked or repeated; false for any sentence that only contains it. */
export function isStop(text: string): boolean {
  if (text.length > longest) return false;
  if (/^\s*(🛑+|[/!,]stop(@\S+)?)\s*$/iu.test(text)) return true;
  const bare = text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/(^|\s)<?@[^\s>]+>?/g, " ")
    .replaceAll(/[^\p{L}\p{M}\p{N}'’]+/gu, " ")
    .trim();
  if (bare === "") return false;
  return phrases.has(bare) || bare.split(" ").every((word) => words.has(word));
}
