/** Words that say how something is asked, not what about. */

export function isStopWord(word: string): boolean {
  return english.has(word);
}

/** Chinese has no spaces between words: what only asks is taken out of the text, so that no pair of characters is made with it. */
export function withoutChineseStops(text: string): string {
  return text.replaceAll(chinese, " ");
}

/**
 * Words that apply to any day and anybody: a question with nothing else asks for everything about that day or person.
 */
export function isAskingWord(word: string): boolean {
  return asking.has(word) || Array.from(word).every((character) => askingCharacters.includes(character));
}

const asking = new Set([
  "happen",
  "happened",
  "happening",
  "say",
  "tell",
  "talk",
  "talked",
  "chat",
  "chatted",
  "discuss",
  "discussed",
  "mention",
  "mentioned",
  "explain",
  "describe",
  "think",
  "know",
  "help",
]);
const askingCharacters = "发生發聊说說谈談讲講做干幹事情我们們你了过過都有在";

/** Behind an apostrophe nothing is left: `don` is what becomes of `don't`. */
const english = new Set(
  `
  a an the this that these those
  i me my mine myself we us our ours ourselves you your yours yourself he him his himself she her hers herself it its itself
  they them their theirs themselves one
  and or but if of at by for with about into to from in on off out up down as than then so too very just also not no nor
  am is are was were be been being do does did doing done have has had having will would shall should can could may might must
  what which who whom whose when where why how there here
  s t d ll re ve m don didn doesn isn aren wasn weren hasn haven hadn won wouldn couldn shouldn ain
  any some all each both more most other such only own same again once during before after while because until between through
  over under something anything someone anyone
  `
    .trim()
    .split(/\s+/u),
);

const chinese =
  /什么时候|為什麼|为什么|什么|什麼|甚么|怎么样|怎麼樣|怎么|怎麼|怎样|怎樣|如何|哪里|哪裡|哪儿|哪些|哪个|哪個|哪|谁|誰|多少|是否|有没有|有沒有|请问|請問|吗|嗎|呢/gu;
