/** Channels as somebody sees them who is not the owner: what only the owner can finish is not begun. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { createFakeBotApi, type FakeBotApi } from "../../channels/telegram/src/testing/fake-bot-api.ts";
import { hasBrowser } from "../browser.ts";
import { createStage, expectNoFaults, findBarriers, type Stage } from "./stage.ts";

let stage: Stage;
let api: FakeBotApi;

beforeAll(async () => {
  if (!hasBrowser) return;
  api = await createFakeBotApi();
  stage = await createStage();
});

afterAll(async () => {
  await stage?.close();
  await api?.close();
});

/** A browser that the owner let in as an admin, at the channels. */
async function openAsAdmin(language: "en" | "zh" = "en") {
  const opened = await stage.open({ isStranger: true, language });
  opened.page.setDefaultTimeout(15_000);
  const { out } = await stage.home.run(["access", "code", "--role", "admin", "--json"]);
  const { link } = JSON.parse(out) as { link: string };
  // From elsewhere, so that the page begins anew with the code.
  await opened.page.goto("about:blank");
  await opened.page.goto(link);
  await opened.page.locator(".shell").waitFor();
  await opened.page.goto(`${new URL("/", link).href}#/channels`);
  await opened.page.locator("add-channel").waitFor();
  return opened;
}

const choose = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

const field = (page: Page, name: string) => page.locator(`add-channel input[name="${name}"]`);

/** The address of a network is the owner's to say: what this page says is sent on with that of the stand-in. */
async function pointAtStandIn(page: Page): Promise<void> {
  await page.routeWebSocket(/\/ws$/, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((text) => {
      const frame = JSON.parse(String(text)) as { params?: { keys?: Record<string, unknown> } };
      if (frame.params?.keys) frame.params.keys["apiRoot"] = api.apiRoot;
      server.send(JSON.stringify(frame));
    });
    server.onMessage((text) => {
      const frame = JSON.parse(String(text)) as { id?: string; payload?: { caller?: { role: string } } };
      if (frame.id === "connect" && frame.payload?.caller) frame.payload.caller.role = "admin";
      socket.send(JSON.stringify(frame));
    });
  });
}

describe.skipIf(!hasBrowser)("channels for an admin", () => {
  it("UI-01 say of IRC and webhooks that only the owner can connect them, and how, instead of asking for what would be refused", async () => {
    const opened = await openAsAdmin();
    const { page } = opened;
    for (const [name, channel, keys] of [
      ["IRC", "irc", "server, nick"],
      ["Webhook", "webhook", "secret"],
    ] as const) {
      await choose(page, name);
      const note = page.locator("add-channel .note", {
        hasText: `Only the owner can connect ${name}, because ${keys} decides`,
      });
      await note.waitFor();
      await expect.poll(() => note.locator("code").innerText()).toBe(`pincer channels add ${channel}`);
      expect(await page.locator("add-channel form").count()).toBe(0);
      expect(await findBarriers(page)).toEqual([]);
    }
    await choose(page, "Telegram");
    await page.getByLabel("Bot token").waitFor();
    expect(await page.getByLabel("apiRoot").count()).toBe(0);
    await page.getByText(/Only the owner can set: apiRoot,/).waitFor();
    expectNoFaults(opened);
    await opened.close();
  });

  it("UI-01 say so in Chinese, too", async () => {
    const opened = await openAsAdmin("zh");
    await choose(opened.page, "IRC");
    await opened.page.getByText("只有所有者可以连接 IRC").waitFor();
    expectNoFaults(opened);
    await opened.close();
  });

  it("UI-01 ask the owner for all of it", async () => {
    const opened = await stage.open({ path: "/channels" });
    const { page } = opened;
    await choose(page, "IRC");
    await field(page, "server").waitFor();
    await choose(page, "Webhook");
    await field(page, "secret").waitFor();
    expect(await page.getByText("Only the owner").count()).toBe(0);
    expectNoFaults(opened);
    await opened.close();
  });

  it("UI-01 say to an admin who has connected one that only the owner can claim it", async () => {
    const opened = await stage.open();
    const { page } = opened;
    await pointAtStandIn(page);
    await page.goto(`${page.url()}#/channels`);
    await page.reload();
    await page.getByLabel("Bot token").fill(api.token);
    await page.getByRole("button", { name: "Test and connect" }).click();
    await page.getByText("Only the owner can do this").waitFor();
    expect(await page.locator("claim-owner .big-code").count()).toBe(0);
    expectNoFaults(opened);
    await opened.close();
  });
});
