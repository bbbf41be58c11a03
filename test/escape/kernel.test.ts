/** The kernel: its switches, its devices, its namespaces, its keys, other processes. */
import { readlink } from "node:fs/promises";
import { expect, it } from "vitest";
import { bubblewrapHere } from "./cell.ts";
import { kernelTricks } from "./tricks.ts";
import { tryTricks } from "./try-tricks.ts";

await tryTricks({
  kind: "bubblewrap",
  row: "SAFE-04",
  build: bubblewrapHere,
  tricks: kernelTricks,
  more(cell) {
    it.each(["user", "pid", "net", "ipc", "uts", "mnt", "cgroup"])(
      "has a namespace of its own: %s",
      async (name) => {
        const ours = await readlink(`/proc/self/ns/${name}`);
        const { text } = await cell.run(`readlink /proc/self/ns/${name}`);
        expect(text).toMatch(new RegExp(`^${name}:`));
        expect(text.trim()).not.toBe(ours);
      },
    );
  },
});
