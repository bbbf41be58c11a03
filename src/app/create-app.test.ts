import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createRedactor } from "../infra/redactor.ts";
import { createSay } from "../infra/texts.ts";
import { createApp } from "./create-app.ts";

let home: string;
beforeEach(() => (home = mkdtempSync(join(tmpdir(), "pincer-app-"))));
afterEach(() => rmSync(home, { recursive: true }));

it("leaves nothing open when it is refused its workdir", async () => {
  const parts = {
    environment: { PINCER_HOME: home },
    redactor: createRedactor(),
    say: createSay("en"),
    notify: () => {},
    cwd: home,
  };
  await expect(createApp(parts, { workdir: "typo" })).rejects.toMatchObject({ code: "usage/bad-argument" });
  // The log of a database lies beside it for as long as somebody has it open.
  expect(readdirSync(home)).toContain("core.db");
  expect(readdirSync(home)).not.toContain("core.db-wal");
});
