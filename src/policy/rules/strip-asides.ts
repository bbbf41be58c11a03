/**
 * Strips what a rule says besides its prohibition: emphasis, and the condition that would end it ("until I say so",
 * "without my permission", 除非我同意). A rule holds until it is removed, so neither adds anything. Expects NFKC with
 * straight quotes.
 */

/** "never ever, under any circumstances, delete files" → "never ever delete files". */
export const withoutEmphasis = (text: string): string =>
  text.replace(emphasis, " ").replace(chineseEmphasis, "").trim();

/** The text without such a condition at its beginning or end. */
export const withoutOwnerClause = (text: string): string =>
  text
    .replace(leading, "$1")
    .replace(chineseLeading, "$1")
    .replace(trailing, "")
    .replace(chineseTrailing, "");

const strongly = "(?:under any circumstances?|absolutely|no matter what(?: happens)?(?=,|[.!\\s]*$))";
const emphasis = new RegExp(`,\\s*${strongly}\\s*,|^${strongly}\\b,?|\\s+${strongly}(?![\\w'])`, "giu");
const chineseEmphasis = /(?:在?任何(?:情况下|时候)|无论如何|不管怎样|无论怎样)[,\s]*/gu;

const permission = "(?:permission|approval|consent|agreement|say-so|go-ahead|okay|ok)";
// Sentences about telling or giving something to others are not matched.
const saying = [
  "say|said|allow(?:ed)?|permit(?:ted)?|approved?|agreed?|consent(?:ed)?|confirm(?:ed)?",
  "(?:tell|told)(?!\\s+(?!you\\b))",
  `giv(?:e|en)(?=(?:\\s+[\\w']+){0,3}\\s+${permission})`,
].join("|");
const untilSaid = `(?:until|till|unless)\\s+i(?:\\s+have|'ve)?\\s+(?:${saying})`;
const withoutConsent = `without\\s+my\\s+(?:(?:explicit|express|prior)\\s+)?${permission}`;
const more = "(?:\\s+(?!(?:and|or|but|if|when|with)\\b)[\\w'-]+){0,5}";
const openings = "(?:(?:please|ok|okay|from now on|from this moment on|remember)[,:\\s]+)*";
const leading = new RegExp(
  `^(${openings})(?:${untilSaid}(?:${more}\\s*,|\\s+(?:so|otherwise)(?=\\s))|${withoutConsent}(?=[,\\s]),?)\\s*`,
  "iu",
);
const trailing = new RegExp(`[,\\s]*\\b(?:${untilSaid}${more}|${withoutConsent})[.!\\s]*$`, "iu");

/** Not 我说的…: that refers to something the owner said. */
const says = "我(?:说|同意|允许|批准|告诉你|通知你?|确认|发话)[^,。!的他她它]{0,8}(?:的话)?";
const mine = "我(?:本人)?的?(?:明确|事先)?(?:允许|同意|许可|批准|授权)";
const before = "(?:之前|以前|前)";
const consent = [
  `在?(?:(?:没有?|未)(?:经过?|得到|获得|征得)?|不经过?)${mine}(?:${before}|的情况下|的话)?`,
  `在?[你您]?(?:得到|获得|征得)${mine}${before}`,
].join("|");
const chineseOpenings = "(?:(?:从现在起|从现在开始|从今以后|从此|以后|今后|请|记住|你|您)[,:\\s]*)*";
const chineseLeading = new RegExp(
  `^(${chineseOpenings})(?:(?:在|等到|直到)?${says}${before}|除非${says}(?:,?\\s*(?:否则|不然))?|${consent})[,\\s]*`,
  "u",
);
const chineseTrailing = new RegExp(
  `[,\\s]*(?:直到|等到|除非)${says}(?=[。.!\\s]*$|,\\s*也?(?:不|禁|严|别))`,
  "gu",
);
