/** Somebody who has just cloned the repository, with nothing but Node and npm: the README's one command, the link that it prints, and a first answer. */
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { hasBrowser, sharedBrowser } from "../browser.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

describe.skipIf(!hasBrowser)("a newcomer", () => {
  it("UI-01 DEP-01 comes from a clone to a first answer in the browser with one command and no question", async () => {
    const folder = mkdtempSync(join(tmpdir(), "pincer-newcomer-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    execFileSync("git", ["clone", "-q", root, join(folder, "pincer")]);
    const child = spawn("sh", ["-c", "npm ci && exec npm start"], {
      cwd: join(folder, "pincer"),
      // Whatever Node the machine has: the project brings its own.
      env: {
        PATH: "/usr/local/bin:/usr/bin:/bin",
        HOME: folder,
        PINCER_HOME: join(folder, "home"),
        PINCER_PORT: "0",
      },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    onTestFinished(() => void process.kill(-(child.pid ?? 0), "SIGKILL"));
    const link = await new Promise<string>((resolve, reject) => {
      let said = "";
      const hear = (data: Buffer): void => {
        said += data.toString();
        const found = /http:\/\/localhost:\d+\/#code=\S+/.exec(said);
        if (found) resolve(found[0]);
      };
      child.stdout.on("data", hear);
      child.stderr.on("data", hear);
      child.once("exit", (status) => reject(new Error(`ended with ${status}: ${said}`)));
    });
    const page = await (await sharedBrowser()).newPage();
    onTestFinished(() => page.close());
    await page.goto(link);
    await page.getByPlaceholder("Write a message").fill("tool:time_now");
    await page.keyboard.press("Enter");
    await page.locator("view-chat", { hasText: new Date().getUTCFullYear().toString() }).waitFor();
    await page.getByText("No model is connected yet").waitFor();
    expect(page.url()).not.toContain("code=");
  }, 900_000);
});
