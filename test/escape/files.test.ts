/** Files: what is outside, what is closed, what is the system's. */
import { existsSync } from "node:fs";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { bubblewrapHere } from "./cell.ts";
import { disguises, fileTricks, lendingTricks } from "./tricks.ts";
import { tryTricks } from "./try-tricks.ts";

await tryTricks({
  kind: "bubblewrap",
  row: "SAFE-04",
  build: bubblewrapHere,
  tricks: [...fileTricks, ...lendingTricks, ...disguises],
  more(cell) {
    it("works in its workdir, at its own path", async () => {
      const { text, status } = await cell.run(`pwd; echo made > "$WORK/made"; mkdir -p a/b; cat made`);
      expect({ text, status }).toEqual({ text: `${cell.workdir}\nmade\n`, status: 0 });
      expect(await readFile(join(cell.workdir, "made"), "utf8")).toBe("made\n");
    });

    it("reads what was made readable, but not what is closed inside it", async () => {
      const { text } = await cell.run(`cat "$PINCER/../harmless.txt"; ls "$PINCER"`);
      expect(text).toBe("harmlesswork\n");
    });

    it("writes nothing beside what is readable", async () => {
      await cell.run(`: > "$PINCER/../planted"; : > "$PINCER/planted"`);
      expect(existsSync(join(cell.home, "..", "planted"))).toBe(false);
      expect(existsSync(join(cell.home, "planted"))).toBe(false);
    });

    it("cannot rename the way to what is closed in its workdir, for the next one to find it elsewhere", async () => {
      const whole = dirname(cell.outside);
      const change = { enclosure: { workdir: whole, readable: [] } };
      await cell.run(`mv shown moved && mkdir -p shown/home`, change);
      const hasMoved = existsSync(join(whole, "moved"));
      if (hasMoved) {
        await rm(join(whole, "shown"), { recursive: true });
        await rename(join(whole, "moved"), join(whole, "shown"));
      }
      const { text } = await cell.run(
        `ls -A shown; ls -A shown/home; echo x > shown/new; cat shown/new`,
        change,
      );
      await rm(join(whole, "shown", "new"), { force: true });
      expect({ hasMoved, text }).toEqual({ hasMoved: false, text: "harmless.txt\nhome\nx\n" });
    });

    it("runs what a guard of patterns refused: addresses, /dev/null, absolute paths in the workdir, scripts beside it", async () => {
      await writeFile(join(cell.workdir, "run.sh"), "#!/bin/sh\necho ran $1\n", { mode: 0o755 });
      const { text, status } = await cell.run(
        `echo https://example.org/a/../b?c=/etc/passwd; echo gone > /dev/null; cat "$WORK/run.sh" > /dev/null 2>&1; ./run.sh one; "$WORK/run.sh" two; sh run.sh three; git --version > /dev/null 2>&1; :`,
      );
      expect({ text, status }).toEqual({
        text: "https://example.org/a/../b?c=/etc/passwd\nran one\nran two\nran three\n",
        status: 0,
      });
    });
  },
});
