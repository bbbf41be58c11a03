import { characters } from "../infra/characters.ts";

/** Rows as aligned columns. Chinese and other wide characters take two places. */
export function table(rows: ReadonlyArray<readonly string[]>): string {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, index) => (widths[index] = Math.max(widths[index] ?? 0, displayWidth(cell))));
  }
  const lines = rows.map((row) =>
    row
      .map((cell, index) => cell + " ".repeat((widths[index] ?? 0) - displayWidth(cell)))
      .join("  ")
      .trimEnd(),
  );
  return lines.map((line) => `${line}\n`).join("");
}

const wide =
  /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Extended_Pictographic}\u3000-\u303F\uFF01-\uFF60]/u;

/** How many places a terminal needs for the text. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const { segment } of characters().segment(text)) width += wide.test(segment) ? 2 : 1;
  return width;
}
