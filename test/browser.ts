/** Debian's Chromium, one for all files that a worker runs: starting it takes longer than most of what is done in it. */
import { chromium, type Browser } from "playwright-core";
import { hasProgram } from "../scripts/system-programs.ts";

export const hasBrowser = hasProgram("chromium");

let running: Promise<Browser> | undefined;

/** Nobody closes it: it ends with the worker. What a test opens in it, the test closes. */
export async function sharedBrowser(): Promise<Browser> {
  const browser = await (running ??= launch());
  if (browser.isConnected()) return browser;
  // It crashed; the tests that were in it have failed.
  running = undefined;
  return sharedBrowser();
}

const launch = (): Promise<Browser> =>
  chromium.launch({
    executablePath: "/usr/bin/chromium",
    // Names under .example are sites of this machine, for tests that need more than one.
    args: ["--no-sandbox", "--host-resolver-rules=MAP *.example 127.0.0.1, MAP localhost 127.0.0.1"],
  });
