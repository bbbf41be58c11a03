/** The page as somebody sees it who opens the sign-in link for the first time. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { chromium, type Browser, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasProgram } from "../scripts/system-programs.ts";
import { makeHome, startGateway, type RunningGateway, type TestHome } from "./run-pincer.ts";

const isSkipped = !hasProgram("chromium");
let home: TestHome;
let gateway: RunningGateway;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  if (isSkipped) return;
  home = makeHome();
  gateway = await startGateway(home);
  browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
  page = await browser.newPage();
}, 60_000);

afterAll(async () => {
  if (isSkipped) return;
  await browser?.close();
  gateway?.process.kill("SIGKILL");
  home?.remove();
});

const link = async (): Promise<string> => {
  const { out } = await home.run(["access", "code", "--json"]);
  return (JSON.parse(out) as { link: string }).link;
};

describe.skipIf(isSkipped)("the page", () => {
  it("signs in by the link, which is gone from the address bar, and answers", async () => {
    await page.goto(await link());
    await page.locator("#words").fill('tool:tools_echo {"text":"hello from the page"}');
    await page.locator("#send").click();
    await page.locator("#said .theirs", { hasText: "hello from the page" }).waitFor();
    expect(page.url()).not.toContain("code");
  });

  it("shows what was said when it is opened again", async () => {
    await page.reload();
    await page.locator("#said .theirs", { hasText: "hello from the page" }).waitFor();
    expect(await page.locator("#said .mine").count()).toBe(1);
  });

  it("keeps nothing on the screen for whoever comes after signing out", async () => {
    await page.locator("#sign-out").click();
    await page.locator("#sign-in").waitFor();
    expect(await page.locator("#said li").count()).toBe(0);
    await page.reload();
    await page.locator("#sign-in").waitFor();
    expect(await page.locator("#said li").count()).toBe(0);
  });

  it("signs in by a link that is opened where the page is open already", async () => {
    await page.goto(await link());
    await page.locator("#words").waitFor();
    expect(page.url()).not.toContain("code");
    await page.locator("#sign-out").click();
    await page.locator("#sign-in").waitFor();
  });

  it("a link that was used says what to do", async () => {
    const used = await link();
    const code = new URLSearchParams(new URL(used).hash.slice(1)).get("code");
    const record = readFileSync(join(home.path, "service", "gateway-service.json"), "utf8");
    const { address } = JSON.parse(record) as { address: string };
    const answer = await fetch(`${address}/api/sign-in`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ code }),
    });
    expect(answer.status).toBe(200);
    await page.goto(used);
    await page.locator("#state", { hasText: "pincer access code" }).waitFor();
    expect(await page.locator("#words").isVisible()).toBe(false);
  });
});
