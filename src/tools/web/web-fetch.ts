import { defineTool, type Label, type Tool } from "@pincer/sdk";
import { Type } from "typebox";
import { firstPart } from "../../infra/cut-text.ts";
import type { Egress, EgressResponse } from "../../sandbox/egress/egress.ts";
import type { PageReader } from "./page-reader.ts";
import { fieldsSchema, readFields } from "./read-fields.ts";
import { labelUntrusted } from "./untrusted-text.ts";

export interface WebFetchParts {
  egress: Pick<Egress, "request" | "check">;
  pages: Pick<PageReader, "readPage">;
  /** tools.web.fetch.maxChars */
  maxChars: number;
}

const limits = { maxRedirects: 5, timeoutMs: 60_000 };
/** Some servers answer only clients that identify themselves. */
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
    controls: { url: "url" },
    leaves: ["url"],
    resultOrigin: "web",
    description: "Read a web page or PDF as text.",
    input: Type.Object({
      url: Type.String(),
      format: Type.Optional(Type.Union([Type.Literal("markdown"), Type.Literal("text")])),
      maxChars: Type.Optional(Type.Integer({ minimum: 100 })),
      fields: Type.Optional(
        Type.Record(Type.String(), Type.String(), { description: "name: what; only these come back" }),
      ),
    }),
    async describe({ url }) {
      // Nobody is asked about what is refused anyway.
      await egress.check?.(url);
      return { shown: url, exact: url, ...(URL.canParse(url) && { recipient: new URL(url).host }) };
    },
    async run({ url, format = "markdown", maxChars = mostChars, fields }, call) {
      const { signal } = call;
      const wanted = fields && fieldsSchema(fields);
      const answer = await egress.request({ url, headers, signal, limits });
      const { host } = new URL(answer.url);
      if (answer.status >= 400) throw new Error(`${host} answered with HTTP ${answer.status}`);
      const source = { bytes: answer.body, contentType: answer.headers["content-type"] ?? "" };
      const page = await pages.readPage({ ...source, url: answer.url, format }, signal);
      const place = `${host} (${answer.url})`;
      const label = answer.isInside ? { label: ofTheInside("web_fetch") } : {};
      if (wanted)
        return { ...(await readFields({ page, place, host, url: answer.url, wanted }, call)), ...label };
      const text = firstPart(page.text, Math.min(maxChars, mostChars));
      const words = [page.title && `# ${page.title}`, text || "(no text)", endOf(page.text, text, answer)];
      return {
        from: host,
        text: labelUntrusted({ from: place, text: words.filter(Boolean).join("\n\n") }),
        details: { url: answer.url, kind: page.kind, chars: page.text.length, shown: text.length },
        ...label,
      };
    },
  });

/** A page of the owner's own network is private, and strangers may have written in it. */
export const ofTheInside = (tool: string): Label => ({ untrusted: true, sources: [`tool:${tool}`] });

function endOf(whole: string, shown: string, { truncated, body }: EgressResponse): string {
  if (shown.length < whole.length) return `[cut after ${shown.length} of ${whole.length} characters]`;
  return truncated ? `[cut: the page is larger than ${body.length} bytes]` : "";
}
