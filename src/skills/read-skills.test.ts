import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createWorkdirFiles } from "../sandbox/workdir-files.ts";
import { readSkills } from "./read-skills.ts";

let base: string;

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), "pincer-skills-"));
});
afterEach(() => rm(base, { recursive: true }));

async function write(path: string, text: string | Buffer): Promise<void> {
  const place = join(base, "work", path);
  await mkdir(dirname(place), { recursive: true });
  await writeFile(place, text);
}
const read = () =>
  readSkills(createWorkdirFiles({ workdir: join(base, "work"), closed: join(base, "home") }));
const about = (name: string, description: string) => `---\nname: ${name}\ndescription: ${description}\n---\n`;

describe("the skills of a workdir", () => {
  it("are none, and nothing is wrong, where there are no such directories", async () => {
    expect(await read()).toEqual({ skills: [], skipped: [] });
  });

  it("CFG-13 are found in .agent/skills and skills, as directories and as files, by name", async () => {
    await write("skills/zebra/SKILL.md", "Counts stripes.");
    await write("skills/apple.md", "Peels apples.");
    await write(".agent/skills/mail/SKILL.md", about("post", "Sorts mail."));
    await write(".agent/skills/README.md", "About these skills.");
    await write(".agent/skills/.hidden/SKILL.md", "Hides.");
    expect(await read()).toEqual({
      skills: [
        { name: "apple", description: "Peels apples.", path: "skills/apple.md" },
        { name: "post", description: "Sorts mail.", path: ".agent/skills/mail/SKILL.md" },
        { name: "zebra", description: "Counts stripes.", path: "skills/zebra/SKILL.md" },
      ],
      skipped: [],
    });
  });

  it("are those of .agent/skills where both places have the name", async () => {
    await write("skills/brew/SKILL.md", "Second.");
    await write(".agent/skills/tea.md", about("brew", "First."));
    const { skills, skipped } = await read();
    expect(skills).toEqual([{ name: "brew", description: "First.", path: ".agent/skills/tea.md" }]);
    expect(skipped).toEqual([
      { path: "skills/brew/SKILL.md", reason: ".agent/skills/tea.md has the same name" },
    ]);
  });

  it("leave out what cannot be used, with the reason, and keep the rest", async () => {
    await write("skills/good/SKILL.md", "Works.");
    await write("skills/binary/SKILL.md", Buffer.from([1, 0, 2]));
    await write("skills/broken/SKILL.md", "---\nname: 'x\n---\n");
    await write("skills/empty/notes.txt", "");
    await write("../outside/SKILL.md", "Secret.");
    await symlink(join(base, "outside"), join(base, "work/skills/linked"));
    const { skills, skipped } = await read();
    expect(skills.map((skill) => skill.name)).toEqual(["good"]);
    expect(Object.fromEntries(skipped.map(({ path, reason }) => [path, reason]))).toEqual({
      "skills/binary/SKILL.md": expect.stringContaining("not a text file"),
      "skills/broken/SKILL.md": expect.stringContaining("no YAML"),
      "skills/empty/SKILL.md": expect.stringContaining("does not exist"),
      "skills/linked/SKILL.md": expect.stringContaining("outside the workdir"),
    });
  });

  it("say so when the place for them is no directory", async () => {
    await write("skills", "a file");
    expect((await read()).skipped).toEqual([{ path: "skills", reason: "skills is not a directory" }]);
  });

  it("are at most 100, and of a long file the beginning is enough", async () => {
    for (let count = 100; count < 205; count++) await write(`skills/s${count}.md`, `Number ${count}.`);
    await write(".agent/skills/long.md", about("long", "Goes on.") + "x".repeat(100_000));
    const { skills, skipped } = await read();
    expect(skills).toHaveLength(100);
    expect(skills[0]).toMatchObject({ name: "long", description: "Goes on." });
    expect(skipped).toHaveLength(6);
    expect(skipped[0]).toEqual({ path: "skills/s199.md", reason: "more than 100 skills" });
  });
});
