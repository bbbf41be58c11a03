import { readFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { createServer as createSecure } from "node:https";
import { describe, expect, it, onTestFinished } from "vitest";
import { probeAddress } from "./probe-address.ts";

const fixture = (name: string) =>
  readFileSync(new URL(`../../models/wire/fixtures/self-signed-${name}.pem`, import.meta.url), "utf8");
const cert = fixture("certificate");

async function serve(answer: RequestListener): Promise<string> {
  const server = createSecure({ cert, key: fixture("key") }, answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return `https://localhost:${typeof address === "object" && address ? address.port : 0}`;
}

describe("an address", () => {
  it("leads here where the gateway of that name answers", async () => {
    const asked: string[] = [];
    const address = await serve((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      response.end(JSON.stringify({ challenge: "x", gatewayId: "g_1" }));
    });
    expect(await probeAddress(address, "g_1", cert)).toBe("here");
    expect(await probeAddress(address, "g_2", cert)).toBe("elsewhere");
    expect(asked[0]).toBe("POST /api/sign-in/options");
  });

  it.each([
    ["something that is no gateway", "<html>hello</html>"],
    ["something that never stops", `{"gatewayId":"g_1","more":"${"x".repeat(10_000)}"}`],
    ["a list", "[]"],
  ])("leads elsewhere where %s answers", async (_what, text) => {
    const address = await serve((_request, response) => response.end(text));
    expect(["elsewhere", "unreachable"]).toContain(await probeAddress(address, "g_1", cert));
  });

  it("is not believed with a certificate that nobody knows", async () => {
    const address = await serve((_request, response) => response.end('{"gatewayId":"g_1"}'));
    expect(await probeAddress(address, "g_1")).toBe("untrusted");
  });

  it("where nothing speaks https leads nowhere", async () => {
    const server = createServer((_request, response) => response.end("hello"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const url = `https://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
    expect(await probeAddress(url, "g_1")).toBe("unreachable");
    await new Promise((resolve) => server.close(resolve));
    expect(await probeAddress(url, "g_1")).toBe("unreachable");
  });
});
