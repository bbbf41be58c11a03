import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { startTestServer } from "../testing/test-server.ts";
import { docsRoutes } from "./docs-routes.ts";

let directory = "";

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "pincer-docs-"));
  for (const folder of ["architecture", "assets", "images"]) mkdirSync(join(directory, folder));
  writeFileSync(join(directory, "index.html"), "start");
  writeFileSync(join(directory, "models.html"), "models");
  writeFileSync(join(directory, "not-found.html"), "<p>nothing here</p>");
  writeFileSync(join(directory, "architecture/01-overview.html"), "overview");
  writeFileSync(join(directory, "assets/docs.css"), "css");
  writeFileSync(join(directory, "images/flow.svg"), "<svg/>");
  writeFileSync(join(directory, "images/notes.txt"), "SECRET");
  onTestFinished(() => rmSync(directory, { recursive: true }));
});

const serve = () => startTestServer({ routes: docsRoutes({ directory }) });

describe("the documentation over HTTP", () => {
  it.each([
    ["/docs", "start"],
    ["/docs/", "start"],
    ["/docs/models", "models"],
    ["/docs/models/", "models"],
    ["/docs/guides/models.md", "models"],
    ["/docs/architecture/01-overview", "overview"],
    ["/docs/assets/docs.css", "css"],
    ["/docs/images/flow.svg", "<svg/>"],
  ])("is open to anybody at %s, under a strict policy", async (path, expected) => {
    const server = await serve();
    const { status, text, headers } = await server.ask(path, { headers: {} });
    expect([status, text]).toEqual([200, expected]);
    expect(headers["content-security-policy"]).toContain("script-src 'self'");
    expect(headers["content-security-policy"]).not.toContain("unsafe");
    expect(headers["x-content-type-options"]).toBe("nosniff");
  });

  it("is not sent again to a browser that has it", async () => {
    const server = await serve();
    const { headers } = await server.ask("/docs/models");
    const again = await server.ask("/docs/models", {
      headers: { "if-none-match": headers["etag"] ?? "" },
    });
    expect([again.status, again.text]).toEqual([304, ""]);
  });

  it.each(["text/html,application/xhtml+xml,*/*;q=0.8", "*/*", "image/avif,image/webp", undefined])(
    "shows a dedicated page for unknown paths, to clients that accept %s",
    async (accept) => {
      const server = await serve();
      for (const path of ["/docs/none", "/docs/images/none.png", "/docs/not-found", "/docs/assets/%2e%2e"]) {
        const { status, text, headers } = await server.ask(path, { headers: accept ? { accept } : {} });
        expect([path, status, text]).toEqual([path, 404, "<p>nothing here</p>"]);
        expect(headers["content-type"]).toContain("text/html");
        expect(headers["content-security-policy"]).toContain("default-src 'none'");
        expect(headers["cache-control"]).toBe("no-store");
      }
    },
  );

  it("says it in JSON to programs that ask for that, and where the documentation was never built", async () => {
    const server = await serve();
    const asked = await server.ask("/docs/none", { headers: { accept: "application/json" } });
    expect([asked.status, JSON.parse(asked.text)]).toMatchObject([404, { error: { code: "NOT_FOUND" } }]);
    rmSync(join(directory, "not-found.html"));
    const bare = await server.ask("/docs/none", { headers: { accept: "text/html" } });
    expect([bare.status, bare.text]).toEqual([404, expect.stringContaining("npm run build")]);
  });

  it.each([
    "/docs/none",
    "/docs/architecture",
    "/docs/models.html",
    "/docs/images/notes.txt",
    "/docs/assets/../index.html",
    "/docs/assets/..%2findex.html",
    "/docs/..%2f..%2fetc%2fpasswd",
    "/docs/models%00",
    "/docs//etc/passwd",
    `/docs/${"a/".repeat(2000)}b`,
  ])("has nothing else: %.60s", async (path) => {
    const server = await serve();
    const { status, text } = await server.ask(path);
    expect(status).toBe(404);
    expect(text).not.toContain("SECRET");
  });
});
