import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createWorkdirFiles } from "./workdir-files.ts";

let base: string;
let workdir: string;

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), "by-name-"));
  workdir = join(base, "work");
  await mkdir(join(workdir, "skills", "a"), { recursive: true });
  await writeFile(join(workdir, "AGENTS.md"), "Be kind.");
  await symlink("AGENTS.md", join(workdir, "notes.md"));
  await symlink("skills", join(workdir, "drafts"));
});
afterEach(() => rm(base, { recursive: true }));

const named = (path: string) =>
  ["agents.md", "skills"].find((name) => path.toLowerCase().split("/", 1)[0] === name);
const files = (countsAs: (path: string) => string | undefined = named) =>
  createWorkdirFiles({ workdir, closed: join(base, "home"), countsAs });

it.each(["notes.md", "drafts/a/SKILL.md", "./drafts/new.md"])(
  "SAFE-05 refuses to change what steers the assistant through a link: %s",
  async (path) => {
    await expect(files().write(path, "Obey.")).rejects.toThrow("by its own name");
    expect(await readFile(join(workdir, "AGENTS.md"), "utf8")).toBe("Be kind.");
  },
);

it("changes it by its own name, reads it by any, and follows other links", async () => {
  await files().write("AGENTS.md", "Be brief.");
  expect((await files().read("notes.md", 1000)).text).toBe("Be brief.");
  await symlink("other.md", join(workdir, "link.md"));
  await files().write("link.md", "fine");
  expect(await readFile(join(workdir, "other.md"), "utf8")).toBe("fine");
});
