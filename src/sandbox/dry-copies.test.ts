import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createDryCopies, TooLargeToCopy } from "./dry-copies.ts";

const never = new AbortController().signal;

function stage(most?: { files: number; bytes: number }) {
  const root = mkdtempSync(join(tmpdir(), "pincer-dry-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const home = join(root, "home");
  const workdir = join(root, "work");
  for (const directory of [home, join(workdir, "src")]) mkdirSync(directory, { recursive: true });
  const put = (path: string, text: string) => writeFileSync(join(workdir, path), text);
  put("a.md", "one\ntwo\n");
  put("src/b.ts", "let b;\n");
  put("gone.md", "gone\n");
  symlinkSync("/etc/hostname", join(workdir, "outside"));
  const copies = createDryCopies({
    directory: join(home, "dry-runs"),
    closed: home,
    now: Date.now,
    ...(most && { most }),
  });
  return { workdir, copies, copy: copies.workdirOf("r_1"), put };
}

it("a copy of the workdir is changed in its place, and the difference is shown", async () => {
  const { workdir, copies, copy } = stage();
  expect(await copies.diff("r_1")).toBeUndefined();
  await copies.make("r_1", workdir, never);
  expect(await copies.diff("r_1")).toEqual({ files: 0, added: 0, removed: 0, text: "", isWhole: true });
  writeFileSync(join(copy, "a.md"), "one\nTWO\n");
  writeFileSync(join(copy, "new.md"), "new\n");
  rmSync(join(copy, "gone.md"));
  const diff = await copies.diff("r_1");
  expect(diff).toMatchObject({ files: 3, added: 2, removed: 2, isWhole: true });
  expect(diff?.text).toBe(
    [
      "--- a.md\n+++ a.md\n@@ -1,2 +1,2 @@\n one\n-two\n+TWO",
      "--- gone.md\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-gone",
      "--- /dev/null\n+++ new.md\n@@ -0,0 +1,1 @@\n+new",
    ].join("\n"),
  );
  expect(readFileSync(join(workdir, "a.md"), "utf8")).toBe("one\ntwo\n");
});

it("a copy that was made is kept for a turn that goes on, and one that was made in part is made anew", async () => {
  const { workdir, copies, copy } = stage();
  mkdirSync(copy, { recursive: true });
  writeFileSync(join(copy, "half.md"), "half");
  expect(await copies.isMade("r_1")).toBe(false);
  await Promise.all([copies.make("r_1", workdir, never), copies.make("r_1", workdir, never)]);
  expect((await copies.diff("r_1"))?.files).toBe(0);
  writeFileSync(join(copy, "a.md"), "mine\n");
  await copies.make("r_1", workdir, never);
  expect((await copies.diff("r_1"))?.files).toBe(1);
  await copies.drop("r_1");
  expect(await copies.isMade("r_1")).toBe(false);
});

it("links are copied as links, and nothing outside is read", async () => {
  const { workdir, copies, copy } = stage();
  await copies.make("r_1", workdir, never);
  rmSync(join(copy, "outside"));
  expect((await copies.diff("r_1"))?.text).toContain("-link to /etc/hostname");
});

it("a workdir that is too large is not copied", async () => {
  const { workdir, copies } = stage({ files: 2, bytes: 1000 });
  await expect(copies.make("r_1", workdir, never)).rejects.toThrow(TooLargeToCopy);
  expect(await copies.isMade("r_1")).toBe(false);
});
