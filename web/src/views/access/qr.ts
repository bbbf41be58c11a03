/** A QR code as one path: what is dark, a module each, row by row. */
import { encode } from "uqr";

export interface QrDrawing {
  /** Modules on each side, the quiet border included. */
  size: number;
  path: string;
}

export function drawQr(text: string): QrDrawing {
  const { data, size } = encode(text, { ecc: "M", border: 2 });
  const path = data
    .flatMap((row, y) => runsOf(row).map(([x, length]) => `M${x} ${y}h${length}v1h-${length}z`))
    .join("");
  return { size, path };
}

/** Where dark ones begin, and how many there are. */
function runsOf(row: readonly boolean[]): Array<[start: number, length: number]> {
  const runs: Array<[number, number]> = [];
  for (const [x, isDark] of row.entries()) {
    const last = runs.at(-1);
    if (!isDark) continue;
    if (last && last[0] + last[1] === x) last[1]++;
    else runs.push([x, 1]);
  }
  return runs;
}
