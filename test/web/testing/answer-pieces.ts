/** Random answers of a model: Markdown mixed with HTML, whole and broken. Each piece names the words that a reader must find. */
import * as fc from "fast-check";

export interface Piece {
  text: string;
  words: string[];
}

/** No word begins another one: each ends in a letter that stands nowhere else in it. */
const word = fc
  .tuple(fc.integer({ min: 10_000, max: 99_999 }), fc.constantFrom(["w", "z"], ["网", "关"], ["é", "ß"]))
  .map(([number, [begin, end]]) => `${begin}${number}${end}`);
const two = fc.tuple(word, word);
const piece = (of: fc.Arbitrary<string>, write: (word: string) => string): fc.Arbitrary<Piece> =>
  of.map((one) => ({ text: write(one), words: [one] }));
const pair = (write: (some: string, other: string) => string): fc.Arbitrary<Piece> =>
  two.map(([some, other]) => ({ text: write(some, other), words: [some, other] }));

const tagNames =
  "div p b a pre code kbd script style textarea title button details summary table td li svg math template iframe noscript select String T";
const tagName = fc.constantFrom(...tagNames.split(" "));

const html = fc.oneof(
  fc.tuple(tagName, word).map(([tag, one]) => ({ text: `<${tag}>${one}</${tag}>`, words: [one] })),
  fc.tuple(tagName, two).map(([tag, [name, one]]) => ({
    text: `<${tag} ${name}="1" onclick=hurt()>\n${one}\n</${tag}>`,
    words: [name, one],
  })),
  fc.tuple(tagName, word).map(([tag, one]) => ({ text: `<${tag} class="${one}`, words: [one] })),
  fc.tuple(tagName, word).map(([tag, one]) => ({ text: `</${tag}>${one}<${tag}>`, words: [one] })),
  piece(word, (one) => `<${one}>`),
  pair((some, other) => `Map<${some}, List<${other}>>`),
  pair((some, other) => `<!-- ${some} --> ${other}`),
  piece(word, (one) => `<!-- ${one}`),
  piece(word, (one) => `<![CDATA[${one}]]>`),
  piece(word, (one) => `<?php ${one} ?>`),
  piece(word, (one) => `<!DOCTYPE ${one}>`),
  pair((some, other) => `<script>${some}\n\n${other}</script>`),
  pair((some, other) => `<details>\n<summary>${some}</summary>\n\n**${other}**\n\n</details>`),
  pair((some, other) => `&lt;${some}&gt; &amp;${other}; &copy; &#60;`),
  pair((some, other) => `&nbsp;${some}&#8203;&shy;${other}&unknown;`),
  pair((some, other) => `Promise<Array<${some}>> & Record<string, ${other}>`),
  pair((some, other) => `<details open>\n<summary>\n\n- ${some}\n\n</summary>\n${other}\n</details>`),
);

const markdown = fc.oneof(
  piece(word, (one) => one),
  piece(word, (one) => `**${one}**`),
  piece(word, (one) => `_${one}`),
  piece(word, (one) => `~~${one}~~`),
  piece(word, (one) => `\`<${one}>\``),
  piece(word, (one) => `[${one}](https://example.com)`),
  piece(word, (one) => `[${one}](javascript:hurt())`),
  piece(word, (one) => `![${one}](https://example.com/x.png)`),
  piece(word, (one) => `![${one}](/own.png)`),
  piece(word, (one) => `<https://${one}.example>`),
  piece(word, (one) => `# ${one}`),
  pair((some, other) => `${some}\n===\n${other}`),
  pair((some, other) => `- ${some}\n  - ${other}\n    1. [x] <b>`),
  pair((some, other) => `7. ${some}\n\n   <div>${other}</div>`),
  pair((some, other) => `> ${some}\n> > ${other}`),
  pair((some, other) => `\`\`\`ts ${some}\n</code></pre>${other}\n`),
  pair((some, other) => `~~~\n${some}\n~~~\n    ${other}`),
  pair((some, other) => `| a | b |\n|---|:-:|\n| ${some}<br>x | \`|\` | ${other} |`),
  pair((some, other) => `|${some}|\n|-|\n|<td>${other}|`),
  pair((some, other) => `| ${some} |\n|---|---|\n| ${other}`),
  pair((some, other) => `| a | b |\n|---|---|\n| ${some} |\n| 1 | 2 | 3 | \\| ${other} |`),
  pair((some, other) => `a | b\n-|-\n\`${some}|x\` | ${other} | <b>`),
  pair((some, other) => `> | ${some} |\n> |---|\n> | 1 | ${other} |`),
  pair((some, other) => `- a | b\n  -|-\n  1 | 2 | ${some} | ${other}`),
  pair((some, other) => `[${some}](https://example.com "${other}")`),
  pair((some, other) => `[${some}](<https://example.com/a b> '${other} & <b>')`),
  pair((some, other) => `![${some}](https://example.com/x.png "${other}")`),
  pair((some, other) => `![${some}](/own.png "${other}")`),
  pair((some, other) => `[${some}][ref]\n\n[ref]: https://example.com "${other}"`),
  pair((some, other) => `[a](javascript:hurt() "${some}") ${other}@example.com`),
  pair((some, other) => `[1]: ${some}\n[1]: ${other}`),
  pair((some, other) => `${some}[^1]\n\n[^1]: ${other}\n    more`),
  pair((some, other) => `**${some}**中文_${other}_，***a** b*`),
  pair((some, other) => `\`\`\`\`\n\`\`\`\n${some}\n\`\`\`\n\`\`\`\`\n${other}`),
  pair((some, other) => `1. ~~~js {${some}}\n   ${other}\n   ~~~`),
  pair((some, other) => `${some}  \n${other}\\\n***\n`),
  pair((some, other) => `- [ ] ${some}\n- [X] ${other}\n+ \n`),
  pair((some, other) => `[^1]: ${some} ${other}`),
  pair((some, other) => `$${some} \\< ${other}$ \\\\`),
);

const gap = fc.constantFrom(
  "",
  " ",
  "\n",
  "\n\n",
  "\n\n\n",
  "\r\n",
  "\t",
  "  \n",
  "\n    ",
  "\n> ",
  "\n- ",
  "|",
  "*",
  "`",
  "<",
  "&",
  "[",
  "](",
  "~~~\n",
);

export const answerInPieces: fc.Arbitrary<Piece[]> = fc.array(
  fc.oneof(
    html,
    markdown,
    gap.map((text) => ({ text, words: [] })),
  ),
  { maxLength: 12 },
);
