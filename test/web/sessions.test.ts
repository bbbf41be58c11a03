import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Entry } from "@pincer/sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { encodeLine } from "../../src/storage/transcript/line-codec.ts";
import { hasBrowser } from "../browser.ts";
import { createStage, expectNoFaults, findBarriers, type Stage } from "./stage.ts";

let stage: Stage;

beforeAll(async () => {
  if (!hasBrowser) return;
  stage = await createStage();
  for (const name of ["travel", "garden", "work"])
    await stage.home.run(["ask", "--session", name, `Let us talk about ${name}`]);
}, 120_000);

afterAll(() => stage?.close());

describe.skipIf(!hasBrowser)("the sessions of the page", () => {
  it("UI-01 are listed by their first words, found, given a name, and the name is found again", async () => {
    const opened = await stage.open({ path: "/sessions" });
    const { page } = opened;
    const rows = page.locator(".session-row");
    await rows.filter({ hasText: "Let us talk about work" }).waitFor();
    await expect.poll(() => rows.count()).toBe(3);

    await page.getByRole("searchbox").fill("GARD");
    await page.getByText("1 session", { exact: true }).waitFor();
    await page.getByRole("button", { name: "More for Let us talk about garden" }).click();
    await page.getByRole("menuitem", { name: "Rename…" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Tulips & <b>roses</b>");
    await page.getByRole("button", { name: "Save" }).click();
    await rows.filter({ hasText: "Tulips & <b>roses</b>" }).waitFor();

    await page.getByRole("searchbox").fill("tulips");
    await rows.filter({ hasText: "Tulips" }).waitFor();
    const { out } = await stage.home.run(["sessions", "list", "--search", "roses", "--json"]);
    expect(JSON.parse(out).sessions).toMatchObject([{ label: "Tulips & <b>roses</b>" }]);
    const renamed = await stage.home.run(["sessions", "rename", "garden", "--json"]);
    expect(JSON.parse(renamed.out)).toMatchObject({ label: null });
    await page.getByText("No session matches.").waitFor();
    expectNoFaults(opened);
    await opened.close();
  });

  it("UI-01 shows one with its costs, what its next request holds and why, and takes it along", async () => {
    const opened = await stage.open({ path: "/sessions" });
    const { page } = opened;
    await page.getByRole("link", { name: "Let us talk about travel", exact: false }).first().click();
    await page.getByRole("heading", { level: 1, name: "Let us talk about travel" }).waitFor();
    await page.getByText("$0.000090").waitFor();
    await page.getByRole("button", { name: "Show the next request" }).click();
    await page.getByText(/of .* tokens \(/).waitFor();
    await page.getByRole("button", { name: "Read identity" }).click();
    await page.locator(".context-text").filter({ hasText: "You are" }).waitFor();
    expect(await findBarriers(page)).toEqual([]);

    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export as Markdown" }).click();
    const file = join(stage.home.path, "travel.md");
    await (await download).saveAs(file);
    expect(readFileSync(file, "utf8")).toContain("Let us talk about travel");
    expect((await download).suggestedFilename()).toMatch(/^s_\w+\.md$/);
    expectNoFaults(opened);
    await opened.close();
  });

  it("UI-01 does not call one gone that could not be read for a moment", async () => {
    const opened = await stage.open();
    const { page } = opened;
    let refusals = 0;
    await page.routeWebSocket(/\/ws$/, (socket) => {
      const server = socket.connectToServer();
      socket.onMessage((text) => {
        const { id, method } = JSON.parse(String(text)) as { id: string; method: string };
        if (method !== "sessions.find" || refusals > 0) return server.send(text);
        refusals += 1;
        const error = { code: "INTERNAL_ERROR", message: "Not now." };
        socket.send(JSON.stringify({ type: "res", id, ok: false, error }));
      });
    });
    const { out } = await stage.home.run(["sessions", "list", "--search", "travel", "--json"]);
    const [{ sessionId }] = JSON.parse(out).sessions;
    await page.goto(`${await stage.address()}/#/sessions/${sessionId}`);
    await page.reload();
    await page.getByText("Not now.").waitFor();
    await stage.home.run(["sessions", "rename", "travel", "The journey"]);
    await page.getByRole("heading", { level: 1, name: "The journey" }).waitFor();
    expect(refusals).toBe(1);
    await stage.home.run(["sessions", "rename", "travel"]);
    await opened.close();
  });

  it("UI-01 is summed up, begun afresh and deleted, the last only after a question", async () => {
    const opened = await stage.open({ path: "/sessions" });
    const { page } = opened;
    await stage.home.run(["ask", "--session", "old", "Something to forget"]);
    await page.getByRole("link", { name: "Something to forget" }).first().click();
    await page.getByRole("button", { name: "Summarise" }).click();
    await page
      .locator(".toast")
      .filter({ hasText: /Summarised|nothing to summarise/ })
      .waitFor();

    await page.getByRole("button", { name: "Start over…" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Continue" }).click();
    await page.locator(".toast").filter({ hasText: "A new session has started." }).waitFor();
    await page.getByRole("link", { name: "← All sessions" }).click();
    const ended = page.locator(".session-row").filter({ hasText: "Something to forget" });
    await ended.locator(".badge").filter({ hasText: "Ended" }).waitFor();

    await ended.getByRole("button", { name: /^More for/ }).click();
    await page.getByRole("menuitem", { name: "Delete…" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Cancel" }).click();
    await ended.getByRole("button", { name: /^More for/ }).click();
    await page.getByRole("menuitem", { name: "Delete…" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
    await ended.waitFor({ state: "detached" });
    expect((await stage.home.run(["sessions", "list", "--json"])).out).not.toContain('"state": "ended"');
    expectNoFaults(opened);
    await opened.close();
  });

  it("UI-01 keeps only what is seen in the page, however many there are", async () => {
    const folder = join(stage.home.path, "many");
    mkdirSync(folder);
    for (let count = 0; count < 96; count++)
      writeFileSync(join(folder, `s_many${count}.jsonl`), transcript(count));
    expect(await stage.home.run(["sessions", "import", folder])).toMatchObject({ status: 0 });
    const opened = await stage.open({ path: "/sessions", size: "phone" });
    const { page } = opened;
    await page.locator(".session-row").first().waitFor();
    await page.evaluate("document.querySelector('.shell-content').scrollTop = 1e9");
    await page.getByText(/^\s*\d+ sessions\s*$/).waitFor();
    await page.evaluate("document.querySelector('.shell-content').scrollTop = 1e9");
    await page.locator(".session-row").filter({ hasText: "Thing 0 of many" }).waitFor();
    expect(await page.locator(".session-row").count()).toBeLessThan(60);
    expectNoFaults(opened);
    await opened.close();
  }, 120_000);
});

/** Long ago, one after the other. */
function transcript(count: number): string {
  const time = `2025-01-01T12:${String(Math.floor(count / 60)).padStart(2, "0")}:${String(count % 60).padStart(2, "0")}.000Z`;
  const header: Entry = {
    type: "session",
    id: `s_many${count}`,
    cwd: "/",
    tenantId: "t_default",
    workspaceId: "w_default",
    agentId: "main",
    sessionKey: `agent:main:named:many-${count}`,
    origin: { channel: "irc" },
    version: 1,
    seq: 1,
    time,
  };
  const content = [{ type: "text" as const, text: `Thing ${count} of many` }];
  const said: Entry = { type: "message", message: { role: "user", content }, seq: 2, time };
  return [header, said].map((entry) => `${encodeLine(entry)}\n`).join("");
}
