/** A text as a QR code, drawn as one path: dark on light in every theme, so that cameras read it. */
import { html, svg, type TemplateResult } from "lit";
import { encode } from "uqr";

export function qrCode(text: string, label: string): TemplateResult {
  const { data, size } = encode(text, { ecc: "M", border: 2 });
  const path = data
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join("");
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
