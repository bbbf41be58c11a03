/** What a rule names literally: tools, paths, hosts, addresses, names and quoted words. */
import { pairs, vocabulary } from "./rule-vocabulary.ts";

export interface RuleObject {
  type: "tool" | "path" | "host" | "address" | "name" | "quoted";
  text: string;
}

/** The objects, and the text with a mark in place of each. */
export function takeObjects(
  text: string,
  isToolName: (name: string) => boolean,
): { objects: RuleObject[]; rest: string } {
  const objects: RuleObject[] = [];
  const put = (type: RuleObject["type"], found: string): string => {
    objects.push({ type, text: found });
    return ` \uE000${objects.length - 1}\uE001 `;
  };
  let rest = text;
  for (const [type, pattern] of patterns)
    rest = rest.replaceAll(pattern, (whole: string) => {
      const words = cleaners[type]?.(whole) ?? whole;
      return isToolName(words.toLowerCase()) ? put("tool", words.toLowerCase()) : put(type, words);
    });
  const named = rest;
  rest = named.replaceAll(bareName, (word: string, at: number) => {
    const name = word.toLowerCase();
    const isMeant = isUnmistakable(name) || isUsedAsName(named.slice(0, at), named.slice(at + word.length));
    return isToolName(name) && isMeant ? put("tool", name) : word;
  });
  return { objects, rest };
}

/** Placeholder of an object; the number is its index in the list. */
export const objectMark = /\uE000(\d+)\uE001/;

const withinPath = "[^\\s,;，。；、！？\"'`“”「」()（）\uE000\uE001]";
const extensions =
  "txt|md|json|ya?ml|toml|env|pdf|docx?|xlsx?|csv|key|pem|db|sqlite|ts|js|py|sh|conf|ini|log|zip|jpe?g|png";

const han = "\\p{Script=Han}";
const nameSign = "[\\p{L}\\p{N}_.-]";
const deedNames = [...vocabulary].flatMap(([word, { type }]) => (type === "deed" ? [word] : []));
const deeds = `(?:${[...deedNames, ...pairs.keys()].join("|")})`;
/** 删除/修改, `files / folders`: no root directory. */
const either = `(?:(?<=${han})/(?:${han}|\\s|$)|(?<=\\s)/\\s+(?!(?:or|nor|and)\\b|[或和与])\\p{L})`;

const patterns: Array<[RuleObject["type"], RegExp]> = [
  ["quoted", /`[^`]+`|"[^"]+"|“[^”]+”|「[^」]+」|『[^』]+』/gu],
  ["address", /[a-z0-9._%+-]+@(?:[a-z0-9-]+\.)+[a-z]{2,}/giu],
  ["name", /(?<![\p{L}\p{N}])@[\p{L}\p{N}_.-]*[\p{L}\p{N}_]/gu],
  ["host", /https?:\/\/(?:(?!(?<=\w)\p{Script=Han})[^\s，。；、])+/giu],
  // Excludes `write/edit` and `write/ edit`, which are two words. In scripts without spaces a name needs a space
  // before it.
  ["path", new RegExp(`(?<=^|\\s)(?!${deeds}/)${nameSign}+(?:/${nameSign}+)*/(?!${nameSign})`, "giu")],
  // In /etc里的文件 the path ends before 里.
  [
    "path",
    new RegExp(
      `(?<![\\w/.])(?!${either})(?:~|\\.{1,2}|[a-z]:)?[/\\\\](?:(?!(?<=\\w)${han}|(?<=/)[里下中内][的面])${withinPath})*`,
      "giu",
    ),
  ],
  ["path", new RegExp(`(?<![\\w/.])(?!${deeds}/)[\\w.-]+(?:/[\\w.-]+)*/(?![\\w.-])`, "giu")],
  ["path", new RegExp(`(?<![\\w/.])(?:\\.[a-z][\\w-]*|[\\w.-]+\\.(?:${extensions}))(?![\\w.]\\w)`, "giu")],
  ["host", /(?<![\w/@.-])(?:[a-z0-9-]+\.)+[a-z]{2,}(?![\w@])/giu],
  ["address", /(?<!\w)\+\d[\d -]{5,}\d/gu],
];

const withoutStop = (text: string): string => text.replace(/[.,!?]+$/, "");

const cleaners: Partial<Record<RuleObject["type"], (text: string) => string>> = {
  quoted: (text) => text.slice(1, -1).trim(),
  path: withoutStop,
  host: (text) => withoutStop(text.replace(/^https?:\/\//i, "")).replace(/\/+$/, ""),
};

const bareName = /(?<![\w\uE000])(?:group:)?[a-z][a-z0-9_.]*(?![\w\uE001])/gi;

/** `web_fetch` is no word of any language; `read` is. */
const isUnmistakable = (name: string): boolean => /[_.:]|^exec$/.test(name);

/** "use read", "the read tool", 使用 read. */
const isUsedAsName = (before: string, after: string): boolean =>
  /(?:\b(?:use|using|call|calling|invoke)\s+(?:the\s+)?|(?:使用|用|调用)\s*)$/i.test(before) ||
  /^\s*(?:tools?\b|工具)/i.test(after);
