import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { createCommandHome } from "../testing/command-home.ts";
import { startWholeGateway } from "../testing/model-home.ts";
import * as ask from "./ask.ts";

vi.setConfig({ testTimeout: 30_000 });

describe.each(["by itself", "by the gateway"])("pincer ask --dry-run, %s", (where) => {
  async function stage() {
    const home = await createCommandHome();
    const notes = join(home.root, "home", "workspace", "notes.md");
    await mkdir(join(home.root, "home", "workspace"), { recursive: true, mode: 0o700 });
    await writeFile(notes, "one\n");
    if (where === "by the gateway") await startWholeGateway(home);
    const run = (...words: string[]) => home.run(ask, "ask", "--dry-run", ...words);
    return { ...home, run, notes };
  }

  it("shows what would change, and changes nothing", async () => {
    const { run, runInChinese, notes } = await stage();
    const line = 'tool:write {"path":"notes.md","content":"two\\n"}';
    const { out, status } = await run(line);
    expect(status).toBe(0);
    expect(out).toContain(
      "Dry run: nothing of this was done.\n· would change files: 1 (+1 −1)\n  │ --- notes.md",
    );
    expect(await readFile(notes, "utf8")).toBe("one\n");
    expect((await runInChinese(ask, "ask", "--dry-run", line)).out).toContain("试运行：以下均未执行。");
  });

  it("lists an effect that it does not have, also as JSON", async () => {
    const { run } = await stage();
    const line = 'tool:http_request {"method":"POST","url":"https://api.example.com/x","body":"hi"}';
    const { out } = await run(line);
    expect(out).toContain("· would do: http_request\n  │ POST https://api.example.com/x\n  │ hi\n");
    expect((await run(line, "--json")).json()).toMatchObject({
      result: "not done: dry run (it would be done)",
      dryRun: { effects: [{ tool: "http_request", would: "run", recipient: "api.example.com" }] },
    });
  });

  it("runs no command, and goes on with no turn", async () => {
    const { run } = await stage();
    expect((await run("/new")).out).toContain("A command has no dry run.");
    expect(await run("--continue")).toMatchObject({ status: 2, out: "" });
  });
});
