import { appendFile, mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { connectTo } from "../../client/testing/connect-to.ts";
import { createTemporaryHome } from "../../config/testing/temporary-home.ts";
import { expect, it, onTestFinished } from "vitest";
import { startGatewayInHome } from "../../app/testing/gateway-in-home.ts";

const line = (msg: string) => `${JSON.stringify({ level: "info", time: "2026-01-01T00:00:00.000Z", msg })}\n`;

async function stage() {
  const home = await createTemporaryHome();
  await mkdir(dirname(home.gatewayLogFile), { recursive: true });
  await writeFile(home.gatewayLogFile, line("one") + line("two"));
  const gateway = await startGatewayInHome(home.environment);
  const client = await connectTo(home.gatewaySocket);
  onTestFinished(async () => {
    client.close();
    await gateway.stop();
  });
  return { home, client };
}

it("GW-10 answers with the last lines, and tells of new ones while somebody follows", async () => {
  const { home, client } = await stage();
  const { lines } = await client.request("logs.tail", { lines: 1 });
  expect(lines).toMatchObject([{ message: "two", level: "info" }]);
  const heard: unknown[] = [];
  const stop = new AbortController();
  const following = client.request(
    "logs.tail",
    { lines: 1, follow: true },
    { signal: stop.signal, onEvent: (event, payload) => heard.push([event, payload]) },
  );
  following.catch(() => undefined);
  await expect.poll(() => heard).toHaveLength(1);
  await appendFile(home.gatewayLogFile, line("three"));
  await expect.poll(() => heard).toHaveLength(2);
  expect(heard.at(-1)).toMatchObject(["logs.line", { message: "three" }]);
  stop.abort(new Error("enough"));
  await expect(following).rejects.toThrow("enough");
});

it("refuses more lines than are good for anybody, and a level that is none", async () => {
  const { client } = await stage();
  await expect(client.request("logs.tail", { lines: 10_001 })).rejects.toThrow("lines");
  await expect(client.request("logs.tail", { level: "loud" as "info" })).rejects.toThrow("level");
});
