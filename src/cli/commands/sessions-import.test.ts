import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createCommandHome } from "../testing/command-home.ts";
import * as sessions from "./sessions.ts";

it("SESS-05 SESS-15 takes in a plain transcript, and says what of it is missing and why", async () => {
  const home = await createCommandHome();
  const lines = [
    '{"type":"session","id":"old-1","cwd":"/work"}',
    '{"type":"message","message":{"role":"user","content":"hello"}}',
    '{"type":"message","mess',
  ];
  await writeFile(join(home.root, "old.jsonl"), `${lines.join("\n")}\n`);
  const imported = await home.run(sessions, "sessions", "import", "old.jsonl");
  expect(imported.status).toBe(0);
  expect(imported.out).toContain("agent:main:named:old-1 (2 entries)");
  expect(imported.out).toMatch(/1 lines could not be read and are not in it \(line 3: /);
  expect((await home.run(sessions, "sessions", "show", "old-1")).out).toContain("hello");
});
