/**
 * Makes foreign text safe for a terminal: control characters, which could retitle the window, move the cursor or hide
 * text, become visible symbols. Line breaks and tabs stay.
 */
export function plainText(text: string): string {
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  return text.replace(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g, (sign) => {
    const code = sign.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x24_00 + code);
    return code === 0x7f ? "\u2421" : "\uFFFD";
  });
}
