/**
 * Recognises an owner's message that sets a standing rule by itself: "never … until I say", and the same in Chinese. Only a whole
 * message counts, and only one that says both what is forbidden and that it holds until a word of the owner; everything else is for
 * the model.
 */
import { withoutEmphasis, withoutOwnerClause } from "../policy/rules/strip-asides.ts";

const longest = 300;

/** What nobody forbids with these words: they tell how things are ("don't know"), or ask for something to be done ("don't forget"). */
const noDeeds =
  "ever mind|mind|fear|worry|know|forget|think|have|had|need|want|care|believe|feel|see|understand|remember(?!\\s+anything)|expect|hesitate|be|been|seem|like|get|got|stop|wait|leave|give up|quit|go|move on|say|bother|panic|you|sure|possible|yet|really know|quite";
const english = new RegExp(
  "^(?:(?:please|ok|okay|from now on|from this moment on|remember)[,:\\s]+)*" +
    "(?:(?:you\\s+)?(?:must|should|may|are to|will|shall)\\s+(?:never|not)|never(?:[,\\s]+ever)?|do not(?:\\s+ever)?|don't(?:\\s+ever)?|dont)\\s+" +
    `(?!(?:${noDeeds})\\b)[a-z]`,
  "iu",
);
const chinese = new RegExp(
  "^(?:(?:从现在起|从现在开始|从今以后|从此|以后|今后|请|记住|你|您|永远|绝对|千万|一定|都)[,:\\s]*)*" +
    "(?:不要|不许|不准|不允许|不得|不能|不可以|不可(?![能思避否])|禁止|严禁|绝不|决不|别|切勿)" +
    "(?!忘|担心|停|紧|走|急|怕|以为|客气|介意|管)[^。!]",
  "u",
);

/** One of these is in everything that is recognised as a rule. */
const prohibition = /never|not|don'?t|[不禁别勿]/iu;

const greeting =
  /^(?:(?:hi|hello|hey|good (?:morning|afternoon|evening|day))(?:\s+there)?|[你您]好[啊呀]?|嗨|早上好|下午好|晚上好)[\s,.!，。！~～]+/iu;

/** The rule, in the words of the message, without a greeting; undefined where it sets none. */
export function ruleIn(text: string): string | undefined {
  const rule = text.trim().replace(greeting, "");
  const words = rule.normalize("NFKC").replaceAll("’", "'");
  // Nearly all messages forbid nothing, and what follows takes a millisecond.
  if (!prohibition.test(words) || [...words].length > longest) return undefined;
  // Several sentences, a question or somebody else's words are more than a rule.
  if (/[?\n]|[.!。;]\s*(?=\s\S)|。(?=\S)|^["“「『]|[吗呢][。.!]*$/u.test(words)) return undefined;
  const strong = withoutEmphasis(words);
  const forbidden = withoutOwnerClause(strong);
  const isRule = forbidden !== strong && (english.test(forbidden) || chinese.test(forbidden));
  return isRule ? rule : undefined;
}
