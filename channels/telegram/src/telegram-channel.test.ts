import { execFile } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { inspect, promisify } from "node:util";
import { SendError } from "@pincer/sdk";
import { createRecordingHost } from "@pincer/sdk/testing";
import { Check } from "typebox/value";
import { describe, expect, it } from "vitest";
import { telegramChannel } from "./index.ts";
import { createFakeBotApi } from "./testing/fake-bot-api.ts";

const run = promisify(execFile);

describe("the Telegram channel", () => {
  it("CHAN-01 a channel that is configured and not connected loads neither the library nor a second HTTP client", async () => {
    const index = fileURLToPath(new URL("./index.ts", import.meta.url));
    const script = `
      const { createRequire } = await import("node:module");
      await import(${JSON.stringify(index)});
      const loaded = [...Object.keys(createRequire("/").cache), ...process.moduleLoadList];
      console.log(JSON.stringify(loaded.filter((name) => /grammy|node-fetch|undici\\/undici|NativeModule https$/.test(name))));`;
    const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", script]);
    expect(JSON.parse(stdout)).toEqual([]);
  }, 60_000);

  it("CHAN-01 one that is connected brings no second HTTP client either, and lets go of everything when it closes", async () => {
    const fake = await createFakeBotApi();
    fake.people.person(1001, "Ann");
    const program = fileURLToPath(new URL("./testing/connect-process.ts", import.meta.url));
    const { stdout } = await run(process.execPath, [program, fake.apiRoot, fake.token], { timeout: 50_000 });
    expect(JSON.parse(stdout)).toEqual([]);
    expect(fake.people.seen(1001)).toEqual(["hello"]);
    await fake.close();
  }, 60_000);

  it("CHAN-01 its keys are checked before anything is tried, and each is described", () => {
    const good = {
      botToken: "1:abc",
      apiRoot: "https://api.telegram.org",
      mode: "polling",
      webhookHost: "::1",
      webhookPort: 1,
      linkPreviews: true,
    };
    expect(Check(telegramChannel.config, good)).toBe(true);
    for (const bad of [
      { botToken: "" },
      { botToken: "no colon" },
      { botToken: "1:a/../b" },
      { apiRoot: "ftp://x" },
      { mode: "both" },
      { webhookSecret: "short" },
      { webhookSecret: "with spaces in the secret" },
      { webhookPort: 70_000 },
    ])
      expect(Check(telegramChannel.config, { ...good, ...bad })).toBe(false);
    const described = Object.values(telegramChannel.config.properties).map(
      (key) => (key as { description?: string }).description,
    );
    expect(described.every((words) => (words?.length ?? 0) > 10)).toBe(true);
  });

  it("CLI-27 a token is tried when it is set up: whose it is, or what to do", async () => {
    const fake = await createFakeBotApi();
    const parts = { fetch: globalThis.fetch, signal: new AbortController().signal };
    const config = { botToken: fake.token, apiRoot: fake.apiRoot };
    expect(await telegramChannel.setUp?.test?.(config, parts)).toEqual({
      ok: true,
      name: "@pincer_test_bot",
      id: "123456",
    });
    const wrong = await telegramChannel.setUp?.test?.({ ...config, botToken: "1:wrong" }, parts);
    expect(wrong).toMatchObject({ ok: false, problem: expect.stringContaining("@BotFather") });
    await fake.close();
    expect(await telegramChannel.setUp?.test?.(config, parts)).toMatchObject({
      ok: false,
      problem: expect.stringContaining("ECONNREFUSED"),
    });
  });

  it("CHAN-01 Telegram is reached by a proxy where one is named", async () => {
    const fake = await createFakeBotApi();
    const config = { botToken: fake.token, apiRoot: "http://telegram.invalid", proxy: fake.apiRoot };
    const parts = { fetch: globalThis.fetch, signal: new AbortController().signal };
    expect(await telegramChannel.setUp?.test?.(config, parts)).toMatchObject({ ok: true });
    await fake.close();
  });

  it.each([
    ["no address", () => "http://user:canary@", "proxy is not an address"],
    ["one that refuses", (port: number) => `http://user:canary@127.0.0.1:${port}`, "the proxy refuses it"],
    ["one that is not there", () => "http://user:canary@127.0.0.1:9", "ECONNREFUSED"],
  ])(
    "CHAN-01 a proxy that is %s is told without its password and without the token",
    async (_, proxyAt, words) => {
      const proxy = createServer().on("connect", (_request, socket) => {
        socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
      });
      await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
      const { port } = proxy.address() as AddressInfo;
      const config = {
        botToken: "1:canary-token",
        apiRoot: "https://telegram.invalid",
        proxy: proxyAt(port),
      };
      const parts = { fetch: globalThis.fetch, signal: new AbortController().signal };
      const tried = await telegramChannel.setUp?.test?.(config, parts);
      expect(tried).toMatchObject({ ok: false, problem: expect.stringContaining(words) });
      expect(inspect(tried, { depth: 9 })).not.toContain("canary");
      const connecting = telegramChannel.connect({ ...config, mode: "polling" }, createRecordingHost());
      const error = await connecting.catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(SendError);
      expect(inspect(error, { depth: 9 })).not.toContain("canary");
      proxy.closeAllConnections();
      proxy.close();
    },
  );

  it("CHAN-01 the owner is claimed by a link that says the code to the bot", () => {
    const link = telegramChannel.setUp?.claimLink?.({ name: "@pincer_test_bot" }, "K7Q2-9XWM");
    expect(link).toBe("https://t.me/pincer_test_bot?start=K7Q2-9XWM");
  });
});
