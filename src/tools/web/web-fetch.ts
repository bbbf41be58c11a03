import { defineTool, type Tool } from "@pincer/sdk";
import { Type } from "typebox";
import { firstPart } from "../../infra/cut-text.ts";
import type { Egress, EgressResponse } from "../../sandbox/egress/egress.ts";
import type { PageReader } from "./page-reader.ts";
import { labelUntrusted } from "./untrusted-text.ts";

export interface WebFetchParts {
  egress: Pick<Egress, "request">;
  pages: Pick<PageReader, "readPage">;
  /** tools.web.fetch.maxChars */
  maxChars: number;
}

const limits = { maxRedirects: 5, timeoutMs: 60_000 };
/** Some servers answer only those who say what they are. */
const headers = {
  accept:
    "text/html, application/xhtml+xml, text/markdown, text/plain, application/pdf, application/json, */*;q=0.5",
  "user-agent": "Mozilla/5.0 (compatible; Pincer)",
};

export const createWebFetchTool = ({ egress, pages, maxChars: mostChars }: WebFetchParts): Tool =>
  defineTool({
    name: "web_fetch",
    aliases: ["web.fetch", "fetch"],
    effect: "read",
    controlArguments: ["url"],
    description: "Read a web page or PDF as text.",
    input: Type.Object({
      url: Type.String(),
      format: Type.Optional(Type.Union([Type.Literal("markdown"), Type.Literal("text")])),
      maxChars: Type.Optional(Type.Integer({ minimum: 100 })),
    }),
    async run({ url, format = "markdown", maxChars = mostChars }, { signal }) {
      const answer = await egress.request({ url, headers, signal, limits });
      const { host } = new URL(answer.url);
      if (answer.status >= 400) throw new Error(`${host} answered with HTTP ${answer.status}`);
      const source = { bytes: answer.body, contentType: answer.headers["content-type"] ?? "" };
      const page = await pages.readPage({ ...source, url: answer.url, format }, signal);
      const text = firstPart(page.text, Math.min(maxChars, mostChars));
      const words = [page.title && `# ${page.title}`, text || "(no text)", endOf(page.text, text, answer)];
      return {
        text: labelUntrusted({ from: `${host} (${answer.url})`, text: words.filter(Boolean).join("\n\n") }),
        details: { url: answer.url, kind: page.kind, chars: page.text.length, shown: text.length },
      };
    },
  });

function endOf(whole: string, shown: string, { truncated, body }: EgressResponse): string {
  if (shown.length < whole.length) return `[cut after ${shown.length} of ${whole.length} characters]`;
  return truncated ? `[cut: the page is larger than ${body.length} bytes]` : "";
}
