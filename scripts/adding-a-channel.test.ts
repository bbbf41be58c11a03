import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import type { Channel } from "@pincer/sdk";
import { Check } from "typebox/value";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseConfig } from "../src/config/parse-config.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const guide = await readFile(join(root, "docs/guides/adding-a-channel.md"), "utf8");

interface Block {
  kind: string;
  text: string;
  /** The file that the words before it name. */
  path: string | undefined;
}

const blocks: Block[] = Array.from(
  guide.matchAll(/^```(\w+)\n(.*?)^```$/gms),
  ({ index, 1: kind = "", 2: text = "" }) => {
    const before =
      guide
        .slice(0, index)
        .trimEnd()
        .split(/\n\n|\n```\n/)
        .at(-1) ?? "";
    return { kind, text, path: Array.from(before.matchAll(/`((?:channels|src)\/[^`*]+\.\w+)`/g)).at(0)?.[1] };
  },
);
const isWhole = ({ path }: Block): boolean => path?.startsWith("channels/") === true;

describe("the guide to adding a channel", { timeout: 120_000 }, () => {
  let copy: string;
  beforeAll(async () => {
    copy = await mkdtemp(join(tmpdir(), "guide-"));
    await writeFile(join(copy, "package.json"), '{ "type": "module" }');
    await symlink(join(root, "node_modules"), join(copy, "node_modules"));
    for (const block of blocks.filter((each) => isWhole(each))) {
      const place = join(copy, block.path ?? "");
      await mkdir(dirname(place), { recursive: true });
      await writeFile(place, block.text);
    }
  });
  afterAll(() => rm(copy, { recursive: true }));
  const run = (program: string, ...args: string[]) =>
    promisify(execFile)(join(root, "node_modules/.bin", program), args, { cwd: copy }).then(
      ({ stdout }) => stdout,
      (error: { stdout: string; stderr: string }) => {
        throw new Error(`${error.stdout}${error.stderr}`);
      },
    );

  it("PLUG-09 shows every file of the folder that it describes", () => {
    const tree = blocks.find(({ kind }) => kind === "text")?.text ?? "";
    const [folder = "", ...names] = tree.split("\n").flatMap((line) => line.trim().split(/\s{2,}/)[0] || []);
    const shown = blocks.map(({ path }) => path).filter((path) => path?.startsWith(folder));
    expect(shown.toSorted()).toEqual(names.map((name) => `${folder}${name}`).toSorted());
  });

  it("PLUG-09 has no code that is neither compiled nor run", () => {
    const code = blocks.filter(({ kind }) => kind === "ts" || kind === "json");
    expect(code.filter((block) => !isWhole(block)).map(({ path }) => path)).toEqual([
      "src/app/connectors.ts",
    ]);
  });

  it("PLUG-09 compiles under the rules of this repository", async () => {
    const config = { extends: join(root, "tsconfig.json"), include: ["channels"], exclude: ["node_modules"] };
    await writeFile(join(copy, "tsconfig.json"), JSON.stringify(config));
    expect(await run("tsc", "--noEmit", "-p", copy)).toBe("");
  });

  it("PLUG-09 keeps the promises of a connector, by its own test", async () => {
    const report = join(copy, "report.json");
    await run("vitest", "run", "--root", copy, "--reporter=json", `--outputFile=${report}`);
    const told = JSON.parse(await readFile(report, "utf8")) as Record<string, number>;
    const { numPassedTests, numFailedTests } = told;
    expect(numFailedTests).toBe(0);
    expect(numPassedTests).toBeGreaterThan(12);
  });

  it.each(["irc", "webhook"])("PLUG-09 is enough for %s, which has fewer than 350 lines", async (name) => {
    const folder = join(root, "channels", name, "src");
    const files = (await readdir(folder)).filter((file) => !file.endsWith(".test.ts"));
    const texts = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
    const lines = texts.reduce((sum, text) => sum + text.trimEnd().split("\n").length, 0);
    expect(files.length).toBeGreaterThan(3);
    expect(lines).toBeLessThan(350);
  });

  it("PLUG-09 puts a connector in with the one line that the product has for each", async () => {
    const line = blocks.find(({ path }) => path?.startsWith("src/"))?.text ?? "";
    const wiring = await readFile(join(root, "src/app/connectors.ts"), "utf8");
    for (const name of ["irc", "webhook"]) expect(wiring).toContain(line.replaceAll("pigeon", name));
  });

  it("PLUG-09 shows a config that the connector takes", async () => {
    const { pigeonChannel } = (await import(
      pathToFileURL(join(copy, "channels/pigeon/src/index.ts")).href
    )) as { pigeonChannel: Channel };
    const text = blocks.find(({ kind }) => kind === "json5")?.text ?? "";
    const { value } = parseConfig(text) as { value: { channels: Record<string, unknown> } };
    expect(Check(pigeonChannel.config, value.channels["pigeon"])).toBe(true);
    expect(pigeonChannel.id).toBe("pigeon");
  });
});
