import { mkdtempSync, rmSync, writeFileSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { startTestServer } from "../testing/test-server.ts";
import { pageRoutes } from "./page-routes.ts";

let directory = "";

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "pincer-page-"));
  mkdirSync(join(directory, "assets"));
  writeFileSync(join(directory, "index.html"), "<p>page</p>");
  writeFileSync(join(directory, "assets", "a-1.js"), "let a;");
  writeFileSync(join(directory, "assets", "a-1.js.gz"), gzipSync("let a;"));
  writeFileSync(join(directory, "assets", "a-1.sh"), "rm");
  writeFileSync(join(directory, "assets", ".hidden.js"), "SECRET");
  writeFileSync(join(directory, "secret.js"), "SECRET");
  onTestFinished(() => rmSync(directory, { recursive: true }));
});

const serve = () => startTestServer({ routes: pageRoutes({ directory }) });

describe("the files of the page", () => {
  it("UI-01 are open to anybody, with a policy that lets nothing else in", async () => {
    const server = await serve();
    const { status, text, headers } = await server.ask("/", { headers: {} });
    expect([status, text]).toEqual([200, "<p>page</p>"]);
    expect(headers["content-security-policy"]).toContain("default-src 'none'");
    expect(headers["content-security-policy"]).not.toMatch(/unsafe|\*/);
    expect(headers["content-security-policy"]).toContain("img-src 'self' data: blob:;");
    expect(headers["x-dns-prefetch-control"]).toBe("off");
    expect(headers["cache-control"]).toBe("no-cache");
  });

  it("come to an address that has asked for too much, which else is told to wait", async () => {
    const server = await startTestServer({ routes: pageRoutes({ directory }), takeRate: () => 12 });
    expect((await server.ask("/")).status).toBe(200);
    expect((await server.ask("/nowhere")).status).toBe(429);
  });

  it("are not sent again to a browser that has them", async () => {
    const server = await serve();
    const first = await server.ask("/");
    const again = await server.ask("/", { headers: { "if-none-match": first.headers["etag"] ?? "" } });
    expect([again.status, again.text]).toEqual([304, ""]);
  });

  it("come compressed to those who can read it, and are kept for good where their name tells their content", async () => {
    const server = await serve();
    const path = "/assets/a-1.js";
    const plain = await server.ask(path);
    const packed = await server.ask(path, { headers: { "accept-encoding": "br, gzip" } });
    const refused = await server.ask(path, { headers: { "accept-encoding": "gzip;q=0" } });
    expect(plain.headers["cache-control"]).toContain("immutable");
    expect(plain.headers["content-encoding"]).toBeUndefined();
    expect(packed.headers["content-encoding"]).toBe("gzip");
    expect(refused.headers["content-encoding"]).toBeUndefined();
    expect(plain.text).toBe("let a;");
  });

  it.each([
    "/assets/..%2fsecret.js",
    "/assets/%2e%2e%2fsecret.js",
    "/assets/.hidden.js",
    "/assets/a-1.sh",
    "/assets/a-1.js.gz",
    "/assets/none.js",
    "/assets/..%5csecret.js",
    "/assets/a%00.js",
  ])("never lead out of their folder, or to what is not of the page: %s", async (path) => {
    const server = await serve();
    const { status, text } = await server.ask(path);
    expect(status).toBe(404);
    expect(text).not.toContain("SECRET");
  });

  it("say how they are made where they are missing", async () => {
    rmSync(join(directory, "index.html"));
    const server = await serve();
    const { status, text } = await server.ask("/");
    expect([status, text]).toEqual([404, expect.stringContaining("npm run build")]);
  });
});
