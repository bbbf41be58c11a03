/** A little colour for code: what is a comment, a text, a word of the language. Never more than a guess, and never a change of the code. */
import { escapeHtml } from "./escape-html.ts";

const words =
  "async|await|break|case|catch|class|const|continue|default|else|export|extends|finally|for|from|function|if|import|in|interface|let|new|null|of|return|satisfies|switch|throw|true|false|try|type|typeof|undefined|void|while";
const texts = String.raw`"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'`;

const curly = new RegExp(
  String.raw`(?<comment>/\*.*?\*/|(?<![:\\/])//[^\n]*)|(?<text>${texts}|${"`"}(?:[^${"`"}\\]|\\.)*${"`"})|(?<word>\b(?:${words})\b)`,
  "gs",
);
const hashed = new RegExp(String.raw`(?<comment>(?<=^|\s)#[^\n]*)|(?<text>${texts})`, "gm");

const grammars: Record<string, RegExp> = {
  ts: curly,
  js: curly,
  json: curly,
  json5: curly,
  sh: hashed,
  "": hashed,
  yaml: hashed,
};

/** The code as HTML; without colours where the language is not known. */
export function colourCode(code: string, language: string): string {
  const grammar = grammars[language];
  if (!grammar) return escapeHtml(code);
  let html = "";
  let at = 0;
  for (const match of code.matchAll(grammar)) {
    const kind = Object.entries(match.groups ?? {}).find(([, found]) => found !== undefined)?.[0] ?? "text";
    html += `${escapeHtml(code.slice(at, match.index))}<span class="${kind}">${escapeHtml(match[0])}</span>`;
    at = match.index + match[0].length;
  }
  return html + escapeHtml(code.slice(at));
}
