/** Text and Telegram's HTML. */
export const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

export const escapeAttribute = (text: string): string =>
  escapeHtml(text).replaceAll('"', "&quot;").replaceAll(/\s/g, "%20");

/** What people see of HTML that was made here. */
export const plainText = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");

export const plainLength = (html: string): number => plainText(html).trim().length;
