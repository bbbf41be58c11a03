/**
 * Whether the owner's words ask to write to somebody, rather than only to read about them. A request begins a clause,
 * and the recipient follows its verb or a preposition ("to", "给"). Covers several languages; anything else leads to a
 * question, so a gap costs a question and is no hole.
 */
import { plain, standsAt } from "./words.ts";

const person = "\u0000";

/** The recipient follows directly: "tell Bob", "let Bob know". */
const directVerbs =
  "tell|leave|notify|inform|invite|remind|let(?=[^.!?;]*?\\s(?:know|have|see|hear))|ask|message|text|mail|email|e-mail|ping|dm|call|warn|update|thank|congratulate|greet|welcome|answer|assure|wish|give|send|show|offer|drop|shoot|pass|write(?:\\s+back)?(?:\\s+to)?|reply(?:\\s+to)?|respond(?:\\s+to)?|get\\s+back\\s+to|reach\\s+out\\s+to|apologi[sz]e\\s+to|loop(?:\\s+in)?|copy(?:\\s+in)?|cc|bcc|fill(?=[^.!?;]*?\\sin(?:\\s+(?:on|about)\\b|\\s*[.,!]|\\s*$))|keep(?=[^.!?;]*?\\s(?:posted|informed|updated|in\\s+the\\s+loop))|forward(?:\\s+to)?|(?:check|confirm|agree|talk|speak|chat)(?:\\s+(?:it|this|that))?\\s+with|cancel\\s+on|say\\s+(?:hi|hello|thanks|thank\\s+you|goodbye|bye|sorry|yes|no)\\s+to|" +
  "sage?|schreibe?|schicke?|sende?|informiere|frage?|antworte|erinnere?|gib|maile?|dis|écris|ecris|envoie|préviens|previens|réponds|reponds|demande|informe|rappelle|transmets|dile|avisa|avísale|escribe|escríbele|manda|mándale|mandale|envía|envia|envíale|responde|respóndele|contesta|pregunta|pregúntale|cuéntale|dire|écrire|envoyer|demander|prévenir|répondre|decirle|avisar|avisarle|escribir|escribirle|mandar|mandarle|enviar|enviarle|preguntar|preguntarle|responder";
/** The recipient follows a preposition: "send this to Bob". */
const sendVerbs =
  "send|forward|pass|share|write|mail|email|e-mail|text|message|reply|respond|answer|say|announce|post|give|show|(?:confirm|cancel|check|arrange|agree|reschedule|discuss|schedule|fix)(?=[^.!?;]*?\\s(?:with|to)\\s)|drop|copy|(?:start|create|make|run|open|launch|set\\s+up|put\\s+up)\\s+(?:an?|the|another)\\s+(?:\\S+\\s+)?(?:poll|survey|vote|post|announcement)|poll|schicke?|sende?|schreibe?|maile?|leite|envoie|écris|ecris|transmets|envía|envia|manda|escribe";
const towards =
  "to|with(?!\\s+\\S+\\s+in\\s+it)|in(?=\\s+(?:the\\s+|our\\s+|my\\s+)?\u0000)|into|over\\s+to|an|à|a|al|au|back\\s+to";

/** What may precede a request in its clause. */
const polite =
  "(?:please|pls|kindly|if\\s+(?:so|not|yes|possible)|then|also|now|ok|okay|yes|so|just|hey|hi|finally|and|but|or|next|afterwards|after\\s+that|could\\s+you|can\\s+you|would\\s+you|will\\s+you|you\\s+can|you\\s+may|i\\s+want\\s+you\\s+to|i(?:'|’)d\\s+like\\s+you\\s+to|i\\s+need\\s+you\\s+to|i\\s+want\\s+to|i(?:'|’)d\\s+like\\s+to|i\\s+would\\s+like\\s+to|i\\s+need\\s+to|let(?:'|’)s|go\\s+ahead\\s+and|(?:don(?:'|’)?t|do\\s+not)\\s+forget\\s+to|make\\s+sure\\s+to|be\\s+sure\\s+to|help\\s+me(?:\\s+to)?|try\\s+to|use\\s+(?:\\S+\\s+){1,4}to|i(?:'|’)d\\s+love\\s+you\\s+to|(?:i\\s+)?need\\s+to|(?:if|when|once|as\\s+soon\\s+as)\\s(?:(?!\\b(?:i|to|he|she|they|we|you)\\b)[^,.!?;\\n]){1,60}?|peux-tu|tu\\s+peux|pourrais-tu|¿?puedes|¿?podrías|bitte|und|dann|auch|et|puis|aussi|y|luego|también|por\\s+favor|s(?:'|’)il\\s+te\\s+pla[iî]t|pls|\\S+\\s+\\(\\d+\\))";
const start = `(?:^|[.!?;:,\\n—–(]|\\b(?:and|then|but|or|und|dann|et|puis|y|luego)\\b|[。！？；，])\\s*(?:[-*\\d.)\\]]+\\s+)?(?:${polite}[\\s,]+)*`;

const no =
  "not|n['’]t|no|nothing|never|nobody|none|except|without|but|nichts|nicht|kein\\w*|nie|rien|jamais|nada|nunca|ni";
const clauses =
  "that|whether|if|what|when|how|because|who|which|why|where|me|us|myself|dass|ob|was|mir|uns|que|moi";
const word = `(?!(?:${no}|${clauses})(?![\\p{L}]))[^\\s,${person}.!?;:]+`;
const gap = `(?:[\\s,]+${word}){0,12}?`;
/** "my", "the", and other recipients named alongside. */
const list = `(?:(?:the|my|our|your|a|à|al|to|die|den|der|meine[rnm]?|unsere[rnm]?|la|el|le|mi|ma|mon)\\s+)?(?:${word}(?:\\s*,\\s*|\\s*(?:&|\\+)\\s*|\\s+(?:and|or|und|et|y|e)\\s+)(?:(?:and|the|my|à|a|to)\\s+)*){0,4}(?:${word}\\s+\\()?["'@]?`;
const notOf = `(?!['’]s\\b)(?!\\s+(?:nothing|nichts|rien|nada)\\b)`;

const direct = new RegExp(`${start}(?<verb>(?:${directVerbs}))\\s+${list}${person}${notOf}`, "u");
const sent = new RegExp(
  `${start}(?<verb>(?:${sendVerbs}))\\b(?:\\s+(?:that|this|it))?${gap}[\\s,]+(?:${towards})\\s+${list}${person}${notOf}`,
  "u",
);
/** "reply to Bob's mail", "answer the mail from Bob". */
const answers = new RegExp(
  `${start}(?:reply|respond|answer|write\\s+back|get\\s+back)\\b(?:\\s+to)?(?:\\s+${word}){0,3}?\\s+(?:${person}['’]s\\s+(?:\\S+\\s+)?(?:e-?mail|mail|message|question|text|note|invitation|letter)|(?:e-?mail|mail|message|letter|question|note|invitation)\\s+(?:from|of|by)\\s+${person})`,
  "u",
);
/** "Bob needs to know", "Bob: …". */
const needs = new RegExp(
  `(?:^|[.!;,\\n]|\\b(?:and|but|so)\\b)\\s*${person}\\s+(?:needs?|should|has|ought|must|wants?)\\s+(?:to\\s+)?(?:know|hear|be\\s+told)(?!\\s+(?:the|it|this|that|already|how)\\b[^.!\\n]*\\?)(?![^.!\\n]*\\?)`,
  "u",
);
const addressed = new RegExp(
  `^\\s*(?:(?:a\\s+|new\\s+|another\\s+)?(?:message|note|mail|text)\\s+)?(?:to\\s+|for\\s+)?${person}\\s*[:：](?![^]*\\n\\s*\\S+\\s*[:：])`,
  "u",
);

const startCn = `(?:^|[。！？!?；;，,：:\\n])\\s*(?:(?:请|麻烦你?|你|帮我|帮忙|帮|替我|代我|顺便|再|然后|接着|最后|就|也|并且|并|先|去|直接|记得|可以|能不能|能|一下|后|把[^，。！？${person}]{1,24}?|把[^，。！？]{0,10}${person}[^，。！？]{1,16}?|[^，。！？不没别${person}]{1,10}后)\\s*)*`;
const inChinese = new RegExp(
  [
    `${startCn}(?:告诉|通知|转告|提醒|邀请|询问|联系|回复|答复|恭喜|祝|答应|问候|(?<!请)问问?|回|约|叫|喊)\\s*(?:一下|一声)?\\s*(?:[^，。！？${person}]{1,12}(?:和|、|跟))*\\s*${person}(?!\\s*的)`,
    `${startCn}(?:谢谢|感谢)\\s*${person}`,
    `${startCn}(?:转发|发送|分享|发|写|寄|传|转|送|回)[^，。！？不没别${person}]{0,14}(?:给|到|至)\\s*(?:[^，。！？${person}]{1,12}(?:和|、|跟))*${person}`,
    `${startCn}(?:给|跟|向|和|对|在[^，。！？${person}]{0,6})\\s*(?:[^，。！？${person}]{1,12}(?:和|、|跟))*${person}[^，。！？不没别]{0,20}?(?:发|说|讲|写|回|转|寄|留言|道|打|确认|商量|约|联系|请假|核对|宣布|通知|问)(?![^。！？]*(?:什么|吗|没有)[？?]?\\s*$)`,
    `${startCn}让\\s*${person}\\s*知道`,
    `${startCn}(?:转|发)?给\\s*${person}`,
  ].join("|"),
  "u",
);

/** "Kannst du Bob sagen, …" */
const inGerman = new RegExp(
  `(?:kannst|könntest|würdest|magst)\\s+du\\s+(?:bitte\\s+)?${list}${person}(?:\\s+${word}){0,8}?\\s+(?:sagen|schreiben|schicken|geben|fragen|informieren|erinnern|mailen)`,
  "u",
);

const wishes = [inGerman, direct, sent, answers, needs, addressed, inChinese];

/** `name` is anything that identifies the person: a name, an id, an address. Pure. */
export function asksToWriteTo(words: string, name: string): boolean {
  const said = withoutAddresses(plainLines(words), plain(name));
  const marked = markPerson(said, plain(name));
  if (marked === undefined) return false;
  return asked(marked).length > 0 || (/[@:]/u.test(name) && asksForAddress(marked)) || isAnswered(marked);
}

/** An address may be in brackets: "ask the shop by mail (hello@shop.example)". */
const named = new RegExp(
  `${start}(?:${directVerbs}|${sendVerbs})\\b(?:[\\s,]+${word}){0,12}?\\s+\\(${person}\\)`,
  "u",
);
const asksForAddress = (marked: string): boolean => isFree(marked, named).length > 0;

/** "Bob asks for a date: say yes": the sender gets the answer. */
const answered = new RegExp(
  `${person}[^]*?${start}(?:reply|respond|answer|write\\s+back|get\\s+back|accept|decline|say\\s+(?:yes|no|thanks))(?=\\s*(?:$|[,.!;\\n]|that\\b|with\\b|and\\b|saying\\b|yes\\b|no\\b))`,
  "u",
);
const isAnswered = (marked: string): boolean => isFree(marked, answered).length > 0;

const asked = (marked: string): number[] => wishes.flatMap((wish) => isFree(marked, wish));

/** The ends of all requests that their sentence does not take back. */
function isFree(marked: string, wish: RegExp): number[] {
  return [...marked.matchAll(new RegExp(wish.source, "gu"))]
    .filter((found) => !isForbidden(marked, found.index, found[0]))
    .map((found) => found.index + found[0].length);
}

/** False if the same sentence forbids it, or says that somebody else does it. */
function isForbidden(words: string, at: number, found: string): boolean {
  const before =
    words
      .slice(0, at)
      .split(/[.!?;。！？；\n]/u)
      .at(-1) ?? "";
  const clause = before.split(/[,，]|\b(?:and|then|but)\b|然后|再/u).at(-1) ?? "";
  const after = words.slice(at + found.length).split(/[.!?;。！？；\n]/u)[0] ?? "";
  const rest = words.slice(at + found.length);
  if (
    /^\s*[?？]/u.test(rest) &&
    !/\b(?:can|could|would|will)\s+you\b|kannst|peux|puedes|能|可以/u.test(found)
  )
    return true;
  if (
    /^[^\n]{0,60}?(?:\b(?:actually|wait|hm+|no)\b[\s,.…]*)+(?:don['’]?t|do not|not)\b|^[\s,.…?]*\bor not\b/u.test(
      rest,
    )
  )
    return true;
  if (/\b(?:do not|don['’]?t|never)\s*,[^,]*$/u.test(before)) return true;
  const isTakenBack = found.trimStart().startsWith(":") ? negation.test(before) : negation.test(clause);
  return (
    isTakenBack ||
    /\bmyself\b|\byourself not\b|自己(?:说|告诉|发)/u.test(`${before}${found}${after}`) ||
    /^[^.!?;\n]{0,40}?\b(?:but|und)?\s*(?:don['’]?t|do not|not yet|nicht)\s+(?:send|schick)/u.test(after)
  );
}

const negation =
  /\b(?:never|not|no|nothing|nobody|none|stop|avoid|without|instead of|rather than|refuse|nicht|nichts|nie|kein\w*|jamais|ne|nunca|rien|nada)\b|n['’]t\b|\bn['’]\w|不|(?<!有)没|别(?!人)|勿|禁止|无需/u;

/**
 * Whom "tell her" means among the named: the current correspondent, or the last one named before. Undefined if
 * nobody. Pure.
 */
export function meantByPronoun(words: string, names: readonly string[]): string | undefined {
  const said = plainLines(words);
  const marked = said.replaceAll(/(?<![\p{L}\p{N}])(?:her|him|them)(?![\p{L}\p{N}])|[他她](?:们)?/gu, person);
  const ends = asked(marked);
  if (ends.length === 0) return undefined;
  const before = said.slice(0, lengthOf(said, marked, Math.max(...ends)));
  const found = names
    .map((name) => ({ name, at: lastStanding(before, plain(name)) }))
    .filter((each) => each.at >= 0)
    .sort((a, b) => b.at - a.at);
  return (found.find(({ name }) => asksToWriteTo(before, name)) ?? found[0])?.name;
}

/** The length of the original text up to a position in the marked text; marks are shorter than names. */
function lengthOf(said: string, marked: string, end: number): number {
  const marks = marked.slice(0, end).split(person).length - 1;
  const found = [...said.matchAll(/(?<![\p{L}\p{N}])(?:her|him|them)(?![\p{L}\p{N}])|[他她](?:们)?/gu)][
    marks - 1
  ];
  return found ? found.index : 0;
}

function lastStanding(text: string, name: string): number {
  let last = -1;
  for (let at = standsAt(text, name); at >= 0; at = standsAt(text, name, at + 1)) last = at;
  return last;
}

/** "No, to Carla!": a correction of the recipient. Pure. */
export function corrects(now: string, name: string): boolean {
  const said = plain(now).trim();
  if (said.length > short) return false;
  const opened =
    /^(?:no\b|nope|sorry|wait|actually|oops|i mean|rather|not |nein|non\b|不是|不对|不|错|应该|是)[\s,.!，。！:]*/u.exec(
      said,
    );
  if (!opened) return false;
  const rest = (said.startsWith("not ") ? said : said.slice(opened[0].length)).replaceAll(
    /\b(?:not|nicht|pas)\s+(?:to\s+|an\s+|à\s+)?\S+|不是[^，,]+[，,]?/gu,
    " ",
  );
  return !negation.test(rest) && standsAt(rest, plain(name)) >= 0;
}

/** Whether the words ask to write to anybody at all. Pure. */
export const asksToWrite = (words: string): boolean =>
  new RegExp(`\\b(?:${directVerbs}|${sendVerbs})\\b|告诉|通知|回复|转发|发|问`, "u").test(plain(words));

/** Only a draft: sending needs another word. */
const drafts = new RegExp(
  `\\b(?:draft|prepare|compose|formulate|suggest|entwirf|prépare|prepara)\\b(?:[\\s,]+[^\\s,${person}.!?;]+){0,14}?[\\s,:"'(@]+${person}|(?:起草|草拟|写|准备)[^。！？!?${person}]{0,20}给\\s*${person}|给\\s*${person}[^。！？!?]{0,20}(?:起草|草拟|写)`,
  "u",
);

/** Pure. */
export function asksToDraftFor(words: string, name: string): boolean {
  const marked = markPerson(plain(words), plain(name));
  return marked !== undefined && drafts.test(marked);
}

const sends = new RegExp(`${start}(?:send|post|submit|schicke?|envoie|envía)\\b|发|送`, "iu");

/** Whether a draft should be sent now. Pure. */
export const isGoAhead = (words: string): boolean =>
  isAssent(words) || (words.length <= short && sends.test(plain(words)) && !negation.test(plain(words)));

const plainLines = (text: string): string => text.split("\n").map(plain).join("\n");

/** The parts of an address are no request, and its dots end no sentence. */
const withoutAddresses = (text: string, but: string): string =>
  text.replaceAll(/https?:\/\/\S+/gu, (whole) => (whole.includes(but) ? whole : "there"));

/** Replaces every separate occurrence of the name by one mark. */
function markPerson(words: string, name: string): string | undefined {
  let text = words.replaceAll(person, " ");
  let at = standsAt(text, name);
  if (at < 0) return undefined;
  while (at >= 0) {
    text = `${text.slice(0, at)}${person}${text.slice(at + name.length)}`;
    at = standsAt(text, name);
  }
  return text;
}

/** Agreement to a proposal: short, and without anything else in it. */
const assent =
  /^(?:(?:ok(?:ay)?|yes|yep|yeah|sure|fine|good|great|perfect|please|do it|go ahead|send it|send that|send|that'?s it|looks good|lgtm|approved?|confirmed?|right|correct|thanks|thank you|now|then|and|it|this|that|to (?:her|him|them)|exactly|ja|oui|sí|si|vale|d'accord|mach das|好的?|可以|行|对|是的?|没问题|发吧|发送吧?|就这样|发给(?:他|她|他们)吧?|谢谢)[\s,.!，。！]*)+$/iu;
const onlyThanks =
  /^(?:(?:ok(?:ay)?|good|great|perfect|thanks|thank you|谢谢|好的?)[\s,.!，。！]*)*(?:thanks|thank you|谢谢)[\s,.!，。！]*$/iu;

export const isAssent = (words: string): boolean => {
  const trimmed = words.trim();
  return trimmed.length > 0 && trimmed.length <= 80 && assent.test(trimmed) && !onlyThanks.test(trimmed);
};

const short = 120;
const bareAnswer = new RegExp(
  `${start}(?:reply|respond|answer|write\\s+back|get\\s+back|accept|decline|say\\s+(?:yes|no|thanks))\\b`,
  "u",
);

/** Refers to a person named before, and asks to tell them something. */
export function pointsBack(words: string): boolean {
  if (words.trim().length > short) return false;
  const said = plainLines(words);
  const marked = said.replaceAll(/(?<![\p{L}\p{N}])(?:her|him|them)(?![\p{L}\p{N}])|[他她](?:们)?/gu, person);
  return asked(marked).length > 0 || bareAnswer.test(said);
}
