/** The documentation as somebody reads it in the browser: signed in or not, on a desktop and a phone, light and dark. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildDocsIfNeeded } from "../scripts/docs/build-docs.ts";
import { renderDocs } from "../scripts/docs/render-docs.ts";
import { root } from "../scripts/docs/files-in.ts";
import { makeHome, startGateway, type RunningGateway, type TestHome } from "./run-pincer.ts";
import { hasBrowser, sharedBrowser } from "./browser.ts";
import { expectNoFaults, findBarriers, sizes } from "./web/stage.ts";

let home: TestHome;
let gateway: RunningGateway;
let browser: Browser;
const contexts: BrowserContext[] = [];
let address = "";

beforeAll(async () => {
  await buildDocsIfNeeded(join(root, "dist/docs"));
  home = makeHome();
  gateway = await startGateway(home);
  const record = readFileSync(join(home.path, "service", "gateway-service.json"), "utf8");
  address = (JSON.parse(record) as { address: string }).address;
  if (hasBrowser) browser = await sharedBrowser();
});

afterAll(async () => {
  await Promise.all(contexts.map((context) => context.close()));
  gateway?.process.kill("SIGKILL");
  home?.remove();
});

interface Reader {
  page: Page;
  faults: string[];
}

async function read(
  path: string,
  { size = "desktop", theme = "light" }: { size?: keyof typeof sizes; theme?: "light" | "dark" } = {},
): Promise<Reader> {
  const context = await browser.newContext({
    viewport: sizes[size],
    colorScheme: theme,
    hasTouch: size === "phone",
    permissions: ["clipboard-read", "clipboard-write"],
  });
  contexts.push(context);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") faults.push(message.text());
  });
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("request", (request) => {
    if (new URL(request.url()).origin !== new URL(address).origin) faults.push(request.url());
  });
  await page.goto(`${address}${path}`);
  return { page, faults };
}

describe("the documentation over HTTP", () => {
  it("DOC-02 serves every page and picture to anybody, compressed and under a policy without inline code", async () => {
    const { pages } = renderDocs(join(root, "docs"));
    const images = pages.flatMap(({ html }) =>
      Array.from(html.matchAll(/<img src="([^"]+)"/g), ([, src = ""]) => src),
    );
    for (const path of new Set([...pages.map((page) => page.address), ...images])) {
      const answer = await fetch(`${address}${path}`);
      expect([path, answer.status]).toEqual([path, 200]);
      await answer.arrayBuffer();
    }
    const { headers } = await fetch(`${address}/docs`);
    expect(headers.get("content-encoding")).toMatch(/^(br|gzip)$/);
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(headers.get("content-security-policy")).not.toMatch(/unsafe|\*/);
    const again = await fetch(`${address}/docs`, { headers: { "if-none-match": headers.get("etag") ?? "" } });
    expect(again.status).toBe(304);
  });

  it("has nothing inline in any page", () => {
    const { pages } = renderDocs(join(root, "docs"));
    for (const { html } of pages) expect(html).not.toMatch(/<script|<style|\sstyle=|\son\w+=/);
  });
});

describe.skipIf(!hasBrowser)("the documentation in a browser", () => {
  it("leads from its start to a guide, to what comes next, and back", async () => {
    const { page, faults } = await read("/docs");
    await page.locator("article").getByRole("link", { name: "Telegram", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Telegram" }).waitFor();
    expect(await page.locator(".pages [aria-current=page]").textContent()).toBe("Telegram");
    await page.locator(".contents").getByRole("link", { name: "When it fails" }).click();
    await page.locator(".contents [aria-current=true]", { hasText: "When it fails" }).waitFor();
    await page.locator(".neighbours a[rel=prev]").click();
    await page.getByRole("heading", { level: 1, name: "Channels" }).waitFor();
    expectNoFaults({ faults });
  });

  it("finds pages by English and Chinese words, with the keyboard alone", async () => {
    const { page, faults } = await read("/docs");
    await page.keyboard.press("/");
    await page.keyboard.type("backup restore");
    await page.locator("#hits a", { hasText: "Backup and restore" }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.keyboard.press("ArrowDown");
    expect(await page.locator("#query").getAttribute("aria-activedescendant")).toBe("hit-0");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/docs/operations#backup-and-restore");
    await page.locator("#query").fill("沙箱");
    await page.locator("#hits a", { hasText: "The sandbox" }).first().waitFor();
    await page.locator("#query").fill("zzzzqqqq");
    await page.locator("#hits p", { hasText: "Nothing about" }).waitFor();
    await page.keyboard.press("Escape");
    expect(await page.locator("#hits").isVisible()).toBe(false);
    expectNoFaults({ faults });
  });

  it("copies code", async () => {
    const { page, faults } = await read("/docs/telegram");
    const block = page.locator(".code").first();
    await block.hover();
    await block.getByRole("button", { name: "Copy" }).click();
    await block.getByRole("button", { name: "Copied" }).waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe("pincer channels add telegram");
    expectNoFaults({ faults });
  });

  it("is read on a phone: nothing is wider than the screen, and the menu leads everywhere", async () => {
    const { page, faults } = await read("/docs/commands", { size: "phone" });
    for (const path of [
      "/docs/commands",
      "/docs/protocol",
      "/docs/requirements",
      "/docs/architecture",
      "/docs/configuration",
    ]) {
      await page.goto(`${address}${path}`);
      const wide = await page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth",
      );
      expect([path, wide]).toEqual([path, 0]);
    }
    const menu = page.getByRole("button", { name: "Menu" });
    await menu.click();
    expect(await menu.getAttribute("aria-expanded")).toBe("true");
    await page.locator(".pages summary", { hasText: "Models" }).click();
    await page.locator(".pages").getByRole("link", { name: "Models", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Models" }).waitFor();
    await page.locator(".contents-small summary").click();
    await page.locator(".contents-small a").first().waitFor();
    expectNoFaults({ faults });
  });

  it("is light or dark as the system says, and as somebody chose before", async () => {
    const { page, faults } = await read("/docs", { theme: "dark" });
    const ground = () => page.evaluate("getComputedStyle(document.documentElement).backgroundColor");
    const dark = await ground();
    await page.getByRole("button", { name: "Light or dark" }).click();
    const light = await ground();
    expect(light).not.toBe(dark);
    await page.reload();
    expect(await ground()).toBe(light);
    expectNoFaults({ faults });
  });

  it.each([
    ["/docs", "desktop", "light"],
    ["/docs/quick-start", "phone", "dark"],
    ["/docs/architecture/02-message-flow", "desktop", "dark"],
    ["/docs/adding-a-channel", "phone", "light"],
    ["/docs/media", "desktop", "light"],
  ] as const)("puts no serious barrier in anybody's way: %s, %s, %s", async (path, size, theme) => {
    const { page, faults } = await read(path, { size, theme });
    expect(await findBarriers(page)).toEqual([]);
    expectNoFaults({ faults });
  });

  it("prints the words and nothing around them", async () => {
    const { page } = await read("/docs/telegram");
    await page.emulateMedia({ media: "print" });
    for (const gone of [".top", ".pages", ".contents", ".neighbours"])
      expect(await page.locator(gone).isVisible()).toBe(false);
    expect(await page.locator("article").isVisible()).toBe(true);
  });
});
