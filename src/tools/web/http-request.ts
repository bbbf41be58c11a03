import { defineTool, type Tool } from "@pincer/sdk";
import { Type } from "typebox";
import { firstPart } from "../../infra/cut-text.ts";
import type { Egress, EgressResponse } from "../../sandbox/egress/egress.ts";
import { decodeText } from "./decode-text.ts";
import { ofTheInside } from "./web-fetch.ts";
import { labelUntrusted } from "./untrusted-text.ts";
import { visibleCharacters } from "./visible-characters.ts";

export interface HttpRequestParts {
  egress: Pick<Egress, "request" | "check">;
}

/** The default size of a text body; callers may ask for more. */
const usualBytes = 50_000;

/** Visible outside with any method: the address alone can leak data. */
export const createHttpRequestTool = ({ egress }: HttpRequestParts): Tool =>
  defineTool({
    name: "http_request",
    aliases: ["http.request", "http"],
    effect: "act",
    controls: { url: "url" },
    leaves: ["url", "method", "headers", "body"],
    askedBy: [
      "request",
      "requests",
      "post",
      "put",
      "patch",
      "delete",
      "submit",
      "upload",
      "api",
      "webhook",
      "endpoint",
      "curl",
      "order",
      "book",
      "reserve",
      "register",
      "sign up",
      "预订",
      "预约",
      "报名",
      "下单",
      "提交",
      "上传",
      "接口",
      "请求",
    ],
    resultOrigin: "web",
    description: "Send an HTTP request; see the answer as it is.",
    input: Type.Object({
      url: Type.String(),
      method: Type.Optional(Type.String()),
      headers: Type.Optional(Type.Record(Type.String(), Type.String())),
      body: Type.Optional(Type.String()),
      maxBytes: Type.Optional(Type.Integer({ minimum: 1 })),
    }),
    effectOf: ({ method = "GET", headers = {}, body }) =>
      /^(?:get|head)$/i.test(method) && !body && Object.entries(headers).every(isPlainHeader)
        ? "read"
        : "act",
    async describe({ url, method = "GET", headers = {}, body = "" }) {
      // Nobody is asked about what is refused anyway.
      await egress.check?.(url);
      const head = Object.entries(headers).map((each) => each.join(": "));
      return {
        shown: [`${method.toUpperCase()} ${url}`, ...head, body].filter(Boolean).join("\n"),
        exact: JSON.stringify([method.toUpperCase(), url, Object.entries(headers), body]),
        ...(URL.canParse(url) && { recipient: new URL(url).host }),
      };
    },
    async run({ url, method, headers, body, maxBytes = usualBytes }, { signal }) {
      const answer = await egress.request({
        url,
        ...(method === undefined ? {} : { method }),
        ...(headers === undefined ? {} : { headers }),
        ...(body === undefined ? {} : { body }),
        signal,
        limits: { maxBytes },
      });
      const from = new URL(answer.url).host;
      const text = [headOf(answer), "", bodyOf(answer)].join("\n").trimEnd();
      const { status, truncated } = answer;
      return {
        from,
        text: labelUntrusted({ from, text }),
        details: { status, url: answer.url, bytes: answer.body.length, truncated },
        ...(answer.isInside && { label: ofTheInside("http_request") }),
      };
    },
  });

/** Headers that only say which answer is wanted; any other could leak data. */
const isPlainHeader = ([name, value]: [string, string]): boolean =>
  /^(?:accept|accept-language|accept-encoding|range|cache-control|pragma)$/i.test(name) &&
  value.length <= 100 &&
  /^[\w\s/*.,;=+-]*$/.test(value);

/** Headers about the content, or about what to do next. */
const telling = [
  "content-type",
  "location",
  "retry-after",
  "link",
  "etag",
  "last-modified",
  "www-authenticate",
  "allow",
  "x-total-count",
  "x-ratelimit-remaining",
  "x-ratelimit-reset",
  "x-request-id",
];

function headOf({ status, url, headers }: EgressResponse): string {
  const told = telling.flatMap((name) =>
    headers[name] === undefined ? [] : [`${name}: ${firstPart(headers[name], 500)}`],
  );
  return [`HTTP ${status} ${firstPart(url, 500)}`, ...told].join("\n");
}

function bodyOf({ body, headers, truncated }: EgressResponse): string {
  const type = headers["content-type"] ?? "";
  const end = truncated ? `\n[cut at ${body.length} bytes]` : "";
  if (body.length === 0) return "(no body)";
  if (isBinary(body, type)) return `(binary: ${type || "of no type"}, ${body.length} bytes)${end}`;
  return visibleCharacters(decodeText(body, type)) + end;
}

const isBinary = (body: Uint8Array, type: string): boolean =>
  /^(image|audio|video|font)\//i.test(type) ||
  /^application\/(pdf|zip|gzip)/i.test(type) ||
  body.subarray(0, 4096).includes(0);
