/** A long answer with code and a list, in the parts that a host sends: each with its fences closed and opened again. */
const code = Array.from(
  { length: 90 },
  (_, index) => `const value${index} = items.filter((item) => item < ${index} && item > 0);`,
);
const prose =
  "Here is **what** was found, with [a link](https://example.org/?a=1&b=2) and `code < here`. ".repeat(30);

export const splitForTest: string[] = [
  prose,
  `\`\`\`ts\n${code.slice(0, 45).join("\n")}\n\`\`\``,
  `\`\`\`ts\n${code.slice(45).join("\n")}\n\`\`\``,
  Array.from({ length: 80 }, (_, index) => `${index + 1}. point **${index}** & more`).join("\n"),
];
