/**
 * Whether a message is about the last answer, which is then shown again without a request. Opening it taints the turn:
 * the patterns here only take away. A wrong "nothing" costs one call of `recall`, a wrong "answer" at most a question.
 */

/** results: what tools gave back in that turn, too. */
export type Opens = "nothing" | "answer" | "results";

/** `words`: what the owner typed; `contacts`: the names that the owner gave to people. Pure. */
export function opensLast(words: string, contacts: readonly string[]): Opens {
  const text = plain(words.slice(0, mostRead));
  if (text === "" || isCourtesy.test(text)) return "nothing";
  const wantsEffect = effects.some((pattern) => pattern.test(text));
  // "No, to Anna!" is an order, too.
  if (refersBack(text, contacts))
    return wantsEffect || (isShort(text) && namesSomebody(text, contacts)) ? "answer" : "results";
  const own = ownContent(text, contacts);
  if (wantsEffect || namesSomebody(text, contacts)) return own > 0 ? "nothing" : "answer";
  return own < fewWords || isShort(text) ? "answer" : "nothing";
}

/** A message that says more than this says what it is about itself. */
const mostRead = 1000;

const plain = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/^[\s¿¡]+/u, "")
    .trimEnd();

/** Asks for nothing. */
const isCourtesy =
  /^(?:hi|hello|hey|good (?:morning|evening|night)|thanks?(?: you| a lot| so much)?|thx|great|perfect|danke|merci|gracias|谢谢|多谢|你好|晚安|早上好)[\s!.,。！~]*$/u;

/** Words that a message of its own has at least. */
const fewWords = 2;
const shortWords = 5;
const shortChinese = 8;

const isShort = (text: string): boolean => {
  const chinese = countOf(text, /\p{Script=Han}/gu);
  return chinese > 0 ? chinese <= shortChinese : wordsIn(text).length <= shortWords;
};

const wordsIn = (text: string): string[] => text.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}'’.:-]*/gu) ?? [];

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

const wordOf = (words: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${words})(?![\\p{L}\\p{N}])`, "u");

/** Of what was said before, wherever in a message. */
const strong: readonly RegExp[] = [
  wordOf(
    "above|earlier|previous(?:ly)?|again|continue|go on|the rest|instead|i meant?|not that|actually|just now",
  ),
  wordOf(
    "you (?:just )?(?:said|found|wrote|told|read|listed|mentioned|sent|gave|showed|made|did|drafted|suggested)",
  ),
  wordOf("(?:your|the|that|this|my) (?:last|first|second|third|fourth|fifth|other|next|same|whole|new|old)"),
  /^(?:and|but|or|so|then|why|no|yes|ok(?:ay)?|sure|really|wrong|too|also|und|aber|oder|et|mais|y|pero|warum|pourquoi|por qué)(?![\p{L}\p{N}])/u,
  wordOf("vorhin|vorige[nrs]?|nochmal|oben|précédente?|encore|anterior|otra vez"),
  /上面|上述|以上|刚才|剛才|刚刚|剛剛|之前|前面|继续|繼續|接着|重新|还有|還有|为什么|為什麼|不对|改成|换成|呢[？?]?$/u,
];

/** The same, unless the message has said before what it is about. */
const weak: readonly RegExp[] = [
  wordOf(
    "it|its|this|these|those|they|them|their|he|him|his|she|her|such|same|both|either|neither|none|there",
  ),
  // "Remember that the key is …" refers to nothing.
  wordOf("that(?! (?:i|you|he|she|we|they|it|there|my|your|his|her|our|their|the|an?|all)(?![\\p{L}]))"),
  wordOf(
    "more|less|else|others?|another|too|also|last|before|first|second|third|fourth|fifth|sixth|\\d+(?:st|nd|rd|th)",
  ),
  wordOf(
    "ones?|number \\d+|option \\w+|shorter|longer|simpler|better|briefer|clearer|cheaper|nicer|larger|smaller",
  ),
  wordOf("translate|shorten|summari[sz]e|rephrase|reword|rewrite|expand|explain|elaborate|convert"),
  wordOf(
    "the (?:summary|list|table|text|draft|results?|answer|page|article|posts?|e-?mails?|mails?|message|files?|document|version|details|numbers?|figures?|links?|prices?|dates?|changes?|reply|plan|report|notes?|invoice|translation|error|output|code|author|sender)",
  ),
  wordOf("das|dies(?:e[smnr]?)?|es|ihn|ihm|ihnen|davon|dazu|wieso|weiter|kürzer|länger|letzte[nrs]?"),
  wordOf("ça|cela|ceci|plus court|plus long|dernière?|eso|esto|esta|más corto|más largo|continúa"),
  /它|他|她|这|這|那|其|此|再|更|短一点|长一点|简短|怎么会|第[一二三四五六七八九十两\d]+|不是|翻译|总结|概括|解释|同样|另外/u,
];

/** After so many words of its own a message speaks of what it has said itself. */
const mostBefore = 3;

const refersBack = (text: string, contacts: readonly string[]): boolean =>
  strong.some((pattern) => pattern.test(text)) ||
  weak.some((pattern) => {
    const at = text.search(pattern);
    return at >= 0 && ownContent(text.slice(0, at), contacts) < mostBefore;
  });

/** What an order to do something begins with or asks for. */
const effects: readonly RegExp[] = [
  wordOf(
    "send|tell|mail|e-?mail|write (?:to|back)|reply|answer (?:him|her|them)|respond|post|publish|share|forward",
  ),
  wordOf(
    "msg|message|text|ping|let \\w+ know|inform|notify|invite|call|ask \\w+ (?:to|if|whether)|have \\w+ \\w+ me",
  ),
  wordOf("book|order|buy|pay|transfer|reserve|cancel|reschedule|schedule|submit|sign up|subscribe"),
  wordOf(
    "remind|calendar|appointment|add (?:\\S+ ){0,6}to|put (?:\\S+ ){0,6}(?:in|into|on)|set (?:an? )?(?:alarm|timer)",
  ),
  wordOf(
    "sende?|schicke?|sag|schreib(?:e|en)?|antworte|leite|erinnere|buche?|bestelle?|überweise?|envoie|dis|réponds|envía|manda|dile|responde",
  ),
  /发|發|告诉|告訴|回复|回覆|转发|轉發|通知|提醒|预订|預訂|预约|订|付|支付|转账|添加|加到|加进|日历|写信|邮件给|打电话/u,
];

/** Says nothing of what it is about. */
const small = new Set(
  "a an the and or but to of in on at by for from with as is are was were be been do does did can could will would should shall may might have has had i me my mine we us our you your please pls thanks thank hi hello hey ok okay yes no not what which who whom whose when where how much many long far old send tell mail email e-mail write reply answer post share forward msg message text ping let know inform notify call book order pay remind add put calendar now today just so if then here there".split(
    " ",
  ),
);

/** How much of it is new: words that say something, without names of people. */
function ownContent(text: string, contacts: readonly string[]): number {
  const names = new Set(contacts.flatMap((name) => wordsIn(plain(name))));
  const without = text.replaceAll(marks, " ");
  const words = wordsIn(without.replaceAll(/\p{Script=Han}/gu, " "));
  const own = words.filter((word) => !small.has(word) && !names.has(word)).length;
  const chinese = countOf(withoutNames(without, contacts).replaceAll(smallChinese, ""), /\p{Script=Han}/gu);
  return own + Math.floor(chinese / charactersOfWord);
}

const charactersOfWord = 2;
const smallChinese =
  /请|帮我|给我|给|发送|发|告诉|回复|转发|提醒|通知|我|你|们|的|了|吗|吧|是|在|把|和|一下|什么|谁|哪|怎么/gu;

const withoutNames = (text: string, contacts: readonly string[]): string =>
  contacts.reduce((left, name) => left.replaceAll(plain(name) || "\0", " "), text);

/** `@bob`, `bob@work.example`. */
const marks = /[\p{L}\p{N}._%+-]*@[\p{L}\p{N}._-]+/gu;

function namesSomebody(text: string, contacts: readonly string[]): boolean {
  if (text.match(marks)) return true;
  const words = new Set(wordsIn(text));
  return contacts.some((name) => {
    const known = plain(name);
    if (/\p{Script=Han}/u.test(known)) return text.includes(known);
    const parts = wordsIn(known);
    return parts.length > 0 && parts.every((word) => words.has(word));
  });
}
