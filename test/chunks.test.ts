import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { linesOf, makeHome, startGateway, type TestHome } from "./run-pincer.ts";

let home: TestHome;
beforeEach(() => (home = makeHome()));
afterEach(() => home.remove());

const dist = fileURLToPath(new URL("../dist/", import.meta.url));

/** Has the process write down which files it loads. */
const watched = (file: string) => {
  const script = `
    import { registerHooks } from "node:module";
    import { appendFileSync } from "node:fs";
    registerHooks({ load(url, context, next) {
      if (url.startsWith("file:")) appendFileSync(${JSON.stringify(file)}, JSON.stringify({ url }) + "\\n");
      return next(url, context);
    } });`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` };
};

const chunksIn = (file: string) =>
  linesOf(file)
    .map(({ url }) => fileURLToPath(String(url)))
    .filter((path) => path.startsWith(dist));

const bytesOf = (files: readonly string[]) => files.reduce((sum, path) => sum + readFileSync(path).length, 0);

it("a command and a gateway load what they need and leave the rest on the disk", async () => {
  const loaded = `${home.path}/loaded`;
  expect((await home.run(["--version"], { environment: watched(`${loaded}-version`) })).status).toBe(0);
  expect(chunksIn(`${loaded}-version`).length).toBeLessThanOrEqual(3);
  expect((await home.run(["status"], { environment: watched(`${loaded}-status`) })).status).toBe(0);
  expect(bytesOf(chunksIn(`${loaded}-status`))).toBeLessThan(1_000_000);

  const gateway = await startGateway(home, [], watched(`${loaded}-gateway`));
  await gateway.stop();
  const files = chunksIn(`${loaded}-gateway`);
  expect(files.length).toBeGreaterThan(5);
  expect(bytesOf(files)).toBeLessThan(2_000_000);
});

it("what `pincer prove` breaks the product with is shipped, and loaded by that command alone", async () => {
  const names = readFileSync(`${dist}.files`, "utf8").split("\n");
  // Words of the prover, its network, its failpoints, its tracer and its power losses.
  const words = ["pincer-prove-", "sync:before", "--seccomp-bpf", "fdatasync,fsync,unlink"];
  const prover = names.filter((name) => {
    const text = readFileSync(`${dist}${name}`, "utf8");
    return words.some((word) => text.includes(word));
  });
  expect(prover).not.toEqual([]);
  const loaded = `${home.path}/loaded`;
  await home.run(["--help"], { environment: watched(`${loaded}-help`) });
  await home.run(["prove", "--help"], { environment: watched(`${loaded}-help`) });
  const gateway = await startGateway(home, [], watched(`${loaded}-gateway`));
  await gateway.stop();
  for (const file of [`${loaded}-help`, `${loaded}-gateway`]) {
    const chunks = chunksIn(file);
    expect(chunks).not.toEqual([]);
    expect(chunks.filter((path) => prover.some((name) => path.endsWith(`/${name}`)))).toEqual([]);
  }
});
