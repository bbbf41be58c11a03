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

it("what is started often is loaded from a few files, none of them for what it does not need", async () => {
  const loaded = `${home.path}/loaded`;
  expect((await home.run(["--version"], { environment: watched(`${loaded}-version`) })).status).toBe(0);
  expect(chunksIn(`${loaded}-version`).length).toBeLessThanOrEqual(3);
  expect((await home.run(["status"], { environment: watched(`${loaded}-status`) })).status).toBe(0);
  const status = chunksIn(`${loaded}-status`);
  const bytes = status.reduce((sum, path) => sum + readFileSync(path).length, 0);
  expect(status.length).toBeLessThan(35);
  expect(bytes).toBeLessThan(1_000_000);

  const gateway = await startGateway(home, [], watched(`${loaded}-gateway`));
  await gateway.stop();
  expect(chunksIn(`${loaded}-gateway`).length).toBeLessThan(60);
});

it("nothing that is loaded reads all the names of Node's own modules, or has characters that double its size", async () => {
  const loaded = `${home.path}/loaded`;
  const gateway = await startGateway(home, [], watched(loaded));
  await gateway.stop();
  const texts = chunksIn(loaded).map((path) => readFileSync(path, "utf8"));
  expect(texts.length).toBeGreaterThan(5);
  expect(texts.filter((text) => /(^|[;}])import[^;]{0,200}from ?["'`]node:/m.test(text)).length).toBe(0);
  expect(texts.filter((text) => /[\u0080-\uffff]/.test(text)).length).toBe(0);
});

it("the vendors' clients do not write down every request for a log that nobody hears", () => {
  // The build before this one may still lie beside it.
  const names = readFileSync(`${dist}.files`, "utf8").split("\n");
  const holding = (words: RegExp) =>
    names.filter((name) => words.test(readFileSync(`${dist}${name}`, "utf8")));
  expect(holding(/sending request/)).not.toEqual([]);
  expect(holding(/\.retryOf ?= ?/)).toEqual([]);
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
