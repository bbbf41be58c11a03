/** The page that a sign-in link opens: it signs the browser in, says how the gateway is, and lets its owner talk to it. */
import type { HttpCall, HttpReply, HttpRoute } from "../http/http-route.ts";

/** Nothing comes from anywhere else, nothing is inline, and no other page may frame it. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

export function pageRoutes(): HttpRoute[] {
  const file = (path: string, type: string, load: () => Promise<string>): HttpRoute => ({
    method: "GET",
    path,
    access: { type: "open" },
    async handle(_call: HttpCall, reply: HttpReply) {
      reply.text(200, await load(), {
        "content-type": `${type}; charset=utf-8`,
        "content-security-policy": policy,
        "cache-control": "no-cache",
      });
    },
  });
  return [
    file("/", "text/html", async () => (await import("./page.ts")).pageHtml),
    file("/page.css", "text/css", async () => (await import("./page.ts")).pageCss),
    file("/page.js", "text/javascript", async () => (await import("./page-script.ts")).pageScript),
  ];
}
