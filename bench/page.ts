/**
 * The page in Chromium over a home with a long past, beside the same page over a home with hardly any: how long the list of sessions and a conversation take
 * to be there after their address is opened anew, and how evenly they scroll.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { chromium, type Browser, type Page } from "playwright-core";
import { makeHome, startGateway } from "../test/run-pincer.ts";
import { fillHome } from "./fill-home.ts";

export interface PageFigure {
  what: string;
  small: number;
  large: number;
  unit: "ms";
}

interface Measured {
  sessionsOpenMs: number;
  conversationOpenMs: number;
  sessionsFrameMs: number;
  conversationFrameMs: number;
}

const rounds = 5;

export async function measurePage(): Promise<PageFigure[]> {
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
  try {
    const small = await measureHome(browser, { sessions: 10, calls: 10, longest: 20 });
    const large = await measureHome(browser, { sessions: 10_000, calls: 5000, longest: 20_000 });
    const figure = (what: string, name: keyof Measured): PageFigure => ({
      what,
      small: small[name],
      large: large[name],
      unit: "ms",
    });
    return [
      figure("open the list of sessions", "sessionsOpenMs"),
      figure("open a conversation", "conversationOpenMs"),
      figure("a frame while the list scrolls, 95 %", "sessionsFrameMs"),
      figure("a frame while the conversation scrolls, 95 %", "conversationFrameMs"),
    ];
  } finally {
    await browser.close();
  }
}

async function measureHome(browser: Browser, wishes: Parameters<typeof fillHome>[1]): Promise<Measured> {
  const home = makeHome();
  writeFileSync(join(home.path, "config.json5"), "{}", { mode: 0o600 });
  const key = await fillHome(home.path, wishes);
  const gateway = await startGateway(home);
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  try {
    const { link } = JSON.parse((await home.run(["access", "code", "--json"])).out) as { link: string };
    await page.goto(link);
    await page.locator(".shell").waitFor();
    const base = new URL("/", link).href;
    const sessions = { address: `${base}#/sessions`, row: ".session-row", scroller: ".shell-content" };
    const chat = {
      address: `${base}#/chat/${encodeURIComponent(key)}`,
      row: ".chat-row",
      scroller: ".chat-scroll",
    };
    return {
      sessionsOpenMs: await openMs(page, sessions),
      sessionsFrameMs: await frameMs(page, sessions.scroller, 1),
      conversationOpenMs: await openMs(page, chat),
      conversationFrameMs: await frameMs(page, chat.scroller, -1),
    };
  } finally {
    await page.close();
    await gateway.kill();
    home.remove();
  }
}

interface Place {
  address: string;
  row: string;
  scroller: string;
}

/** The median of loading the whole page anew until the first row is to be seen. */
async function openMs(page: Page, { address, row }: Place): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    await page.goto("about:blank");
    const begun = performance.now();
    await page.goto(address);
    await page.locator(row).first().waitFor();
    times.push(performance.now() - begun);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0;
}

/** Half a window with each frame, for three hundred of them. */
async function frameMs(page: Page, scroller: string, direction: 1 | -1): Promise<number> {
  return page.evaluate(
    `new Promise((resolve) => {
      const box = document.querySelector(${JSON.stringify(scroller)});
      const times = [];
      let last = performance.now();
      const step = (now) => {
        times.push(now - last);
        last = now;
        box.scrollTop += ${direction * 400};
        if (times.length < 300) requestAnimationFrame(step);
        else resolve(times.sort((a, b) => a - b)[285]);
      };
      requestAnimationFrame(step);
    })`,
  );
}

export function printPage(figures: PageFigure[]): void {
  console.log("\nThe page, over 10 sessions and 20 messages | over 10,000 and 20,000");
  for (const { what, small, large } of figures)
    console.log(
      `  ${what.padEnd(46)} ${small.toFixed(0).padStart(6)} ms ${large.toFixed(0).padStart(6)} ms  ${(large / small).toFixed(2)} ×`,
    );
}
