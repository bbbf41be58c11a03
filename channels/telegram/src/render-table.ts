/** A table in letters of one width, which is the only kind that Telegram shows. */
import { escapeHtml } from "./html-text.ts";

/** Wider than this no phone shows it in one line; then its cells are not put under each other. */
const widest = 60;

export function renderTable(rows: string[][]): string {
  const cells = rows.map((row) => row.map((cell) => cell.replaceAll(/\s*\n\s*/g, " ").trim()));
  const widths: number[] = [];
  for (const row of cells)
    row.forEach((cell, column) => (widths[column] = Math.max(widths[column] ?? 0, widthOf(cell))));
  const isNarrow = widths.reduce((sum, width) => sum + width + 3, 0) <= widest;
  const lines = cells.map((row) =>
    row
      .map((cell, column) => (isNarrow ? cell + " ".repeat((widths[column] ?? 0) - widthOf(cell)) : cell))
      .join(" | ")
      .trimEnd(),
  );
  const shown = lines.join("\n");
  return shown.trim() === "" ? "" : `<pre>${escapeHtml(shown)}</pre>`;
}

/** Letters of Chinese, Japanese and Korean, and pictures, take two places. */
function widthOf(text: string): number {
  let width = 0;
  for (const letter of text)
    width +=
      /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}]/u.test(
        letter,
      )
        ? 2
        : 1;
  return width;
}
