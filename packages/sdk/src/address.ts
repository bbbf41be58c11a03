/** For networks where people address somebody by name: whether a text does, and the text without the name. */

/** Whether one of the names stands in it as a word of its own, in either case. `inName` is the class of characters that names are made of. */
export const isNamed = (text: string, names: readonly string[], inName = "[\\p{L}\\p{N}_-]"): boolean =>
  new RegExp(`(?<!${inName})(?:${oneOf(names)})(?!${inName})`, "iu").test(text);

/** "pincer: hello" says hello, so that commands work in groups too. A text that says nothing else stays as it is. */
export const withoutAddress = (text: string, names: readonly string[]): string =>
  text.replace(new RegExp(`^@?(?:${oneOf(names)})[:,]\\s*(?=\\S)`, "iu"), "");

/** Where names are the same in either case. */
export const isSameName = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

const oneOf = (names: readonly string[]): string => names.map((name) => RegExp.escape(name)).join("|");
