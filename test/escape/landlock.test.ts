/** The same ways out where no namespace may be made, as far as Landlock says that it holds them. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { becomes, endAllWith, landlockHere, processesWith } from "./cell.ts";
import { disguises, fileTricks, kernelTricks, lendingTricks, networkTricks } from "./tricks.ts";
import { tryTricks } from "./try-tricks.ts";

await tryTricks({
  kind: "landlock",
  row: "X29",
  build: landlockHere,
  tricks: [...fileTricks, ...lendingTricks, ...kernelTricks, ...networkTricks, ...disguises],
  more(cell) {
    it("works in its workdir, with a home and a temporary directory that are gone with it", async () => {
      await writeFile(join(cell.workdir, "run.sh"), "#!/bin/sh\necho ran > made; cat made\n", {
        mode: 0o755,
      });
      const { text, status } = await cell.run(
        `./run.sh; echo x > ~/left; cat "$TMPDIR/left"; echo "$TMPDIR"; exit 6`,
      );
      const [ran, left, temporary = ""] = text.split("\n");
      expect({ ran, left, status }).toEqual({ ran: "ran", left: "x", status: 6 });
      await expect(readFile(join(temporary, "left"))).rejects.toMatchObject({ code: "ENOENT" });
    });

    it("leaves no daemon behind", async () => {
      const word = `4020.${Date.now() % 1_000_000}`;
      const { text } = await cell.run(
        `setsid sleep ${word} > /dev/null 2>&1 & (setsid sh -c 'setsid sleep ${word} &' > /dev/null 2>&1 &); sleep 0.2; echo over`,
      );
      expect(text).toContain("over");
      const isGone = await becomes(async () => (await processesWith(word)).length === 0);
      await endAllWith([word]);
      expect(isGone).toBe(true);
    });

    it("passes on the end by a signal", async () => {
      expect((await cell.run("kill -KILL $$")).status).not.toBe(0);
    });
  },
});
