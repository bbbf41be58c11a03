/** How long programs live, what they leave behind and how much they may take. */
import { spawn } from "node:child_process";
import { afterAll, expect, it } from "vitest";
import { becomes, bubblewrapHere, createCell, endAllWith, processesWith, users } from "./cell.ts";
import { tryTricks } from "./try-tricks.ts";

/** What daemons are known by; where one was left behind it is ended here. */
const words: string[] = [];
function newWord(seconds: number): string {
  const word = `${seconds}.${Date.now() % 1_000_000}`;
  words.push(word);
  return word;
}
afterAll(() => endAllWith(words));

await tryTricks({
  kind: "bubblewrap",
  row: "SAFE-04",
  build: bubblewrapHere,
  tricks: [],
  more(cell, user) {
    it("leaves no daemon behind", async () => {
      const word = newWord(4017);
      const { text } = await cell.run(
        `setsid sleep ${word} > /dev/null 2>&1 & nohup sleep ${word} > /dev/null 2>&1 & (setsid sh -c 'setsid sleep ${word} &' > /dev/null 2>&1 &); sleep 0.2; echo over`,
      );
      expect(text).toContain("over");
      expect(await becomes(async () => (await processesWith(word)).length === 0)).toBe(true);
    });

    it("ends with the process that was started for it", async () => {
      const word = newWord(4018);
      const child = cell.start(`setsid sleep ${word} & sleep ${word}`);
      expect(await becomes(async () => (await processesWith(word)).length === 2)).toBe(true);
      child.kill("SIGKILL");
      expect(await becomes(async () => (await processesWith(word)).length === 0)).toBe(true);
    });

    it("ends with the gateway, however that ends", async () => {
      const word = newWord(4019);
      const { file, args, environment } = cell.enclosed(`setsid sleep ${word} & sleep ${word}`);
      const gatewayText = `const { file, args, environment } = JSON.parse(process.argv[1]); require("node:child_process").spawn(file, args, { env: environment, detached: true, stdio: "ignore" }); setInterval(() => {}, 1000)`;
      const gateway = spawn(process.execPath, [
        "-e",
        gatewayText,
        JSON.stringify({ file, args, environment }),
      ]);
      expect(await becomes(async () => (await processesWith(word)).length === 2)).toBe(true);
      gateway.kill("SIGKILL");
      expect(await becomes(async () => (await processesWith(word)).length === 0)).toBe(true);
    });

    it("does not fill the machine's memory with files", async () => {
      // One stream, since two of them arrive in any order.
      const { text } = await cell.run(
        `{ head -c 700000000 /dev/zero > /tmp/big; stat -c %s /tmp/big; } 2>&1`,
      );
      expect(Number(text.trim().split("\n").at(-1))).toBeLessThanOrEqual(512 * 1024 * 1024);
    });

    it("has a home and a /tmp of its own, gone with it", async () => {
      expect((await cell.run(`echo x > ~/left && echo x > /tmp/left && cat ~/left /tmp/left`)).text).toBe(
        "x\nx\n",
      );
      expect((await cell.run(`cat ~/left /tmp/left; ls -A ~ /tmp/left`)).status).not.toBe(0);
    });

    it("tells its own exit status", async () => {
      expect((await cell.run("exit 7")).status).toBe(7);
      expect((await cell.run("kill -9 $$")).status).toBe(137);
    });

    it.skipIf(user === "root")("cannot fork without end", async () => {
      const { text } = await cell.run(
        `perl -e 'my $n = 0; for (1 .. 700) { my $p = fork; last unless defined $p; if (!$p) { sleep 3; exit } $n++ } print $n'`,
      );
      expect(Number(text)).toBeLessThan(520);
      expect(Number(text)).toBeGreaterThan(100);
    });
  },
});

const small = await createCell(users[0] ?? "oneself", bubblewrapHere, { memoryBytes: 512 * 1024 * 1024 });
afterAll(() => small?.remove());

it.skipIf(small === undefined)("SAFE-04 one process may have half of the memory", async () => {
  // One stream, since two of them arrive in any order.
  const said = await small?.run(`perl -e 'my $x = "a" x 400_000_000; print "ESCAPED"' 2>&1; echo tried`);
  expect(said?.text).toMatch(/tried\n$/);
  expect(said?.text).not.toContain("ESCAPED");
});
