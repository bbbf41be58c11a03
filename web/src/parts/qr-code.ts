/** A text as a QR code, drawn as one path: dark on light in every theme, so that cameras read it. */
import { html, svg, type TemplateResult } from "lit";
import { encode } from "uqr";

export function qrCode(text: string, label: string): TemplateResult {
  const { size, path } = drawQr(text);
  return html`<svg
    class="qr"
    role="img"
    aria-label=${label}
    viewBox="0 0 ${size} ${size}"
    shape-rendering="crispEdges"
  >
    ${svg`<rect width=${size} height=${size} fill="#fff" /><path d=${path} fill="#000" />`}
  </svg>`;
}

export interface QrDrawing {
  /** Modules on each side, the quiet border included. */
  size: number;
  /** What is dark, row by row. */
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
