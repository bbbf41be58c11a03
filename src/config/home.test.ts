import { spawnSync } from "node:child_process";
import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { ensureDir } from "./home.ts";
import { createTemporaryHome } from "./testing/temporary-home.ts";

it("makes every level for its owner alone, and may be called again", async () => {
  const { root } = await createTemporaryHome();
  const path = join(root, "a", "b", "c");
  ensureDir(path);
  ensureDir(path);
  for (const level of [path, join(root, "a", "b"), join(root, "a")])
    expect((await stat(level)).mode & 0o777).toBe(0o700);
});

it("refuses where a file stands in the way", async () => {
  const { root } = await createTemporaryHome();
  await writeFile(join(root, "file"), "");
  expect(() => ensureDir(join(root, "file"))).toThrow("EEXIST");
  expect(() => ensureDir(join(root, "file", "below"))).toThrow("EEXIST");
});

it.skipIf(process.platform !== "linux")(
  "comes back at once where nothing can be made",
  () => {
    const door = fileURLToPath(new URL("home.ts", import.meta.url));
    const script = `const { ensureDir } = await import(${JSON.stringify(door)}); ensureDir("/proc/nope/below");`;
    // In a process of its own: one that does not come back could not be stopped from inside.
    const { signal, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
      encoding: "utf8",
      timeout: 20_000,
      killSignal: "SIGKILL",
    });
    expect({ signal, said: /ENOENT/.test(stderr) }).toEqual({ signal: null, said: true });
  },
  30_000,
);
