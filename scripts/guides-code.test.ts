/** The code that the guides show is code: every block of TypeScript compiles under the rules of this repository, and configs are taken. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadPlugins } from "../src/plugins/load-plugins.ts";
import { systemClock } from "../src/infra/clock.ts";
import { createSay } from "../src/infra/texts.ts";
import { parseSkill } from "../src/skills/parse-skill.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const guides = [
  "docs/extending.md",
  "docs/guides/adding-a-tool.md",
  "docs/guides/adding-a-provider.md",
  "docs/guides/adding-a-plugin.md",
];

interface Block {
  guide: string;
  kind: string;
  text: string;
  /** The file that the block is, by its first line, or by the words before it. */
  path: string | undefined;
}

const blocks: Block[] = (await Promise.all(guides.map(blocksOf))).flat();
const code = blocks.filter(({ kind }) => kind === "ts");

async function blocksOf(guide: string): Promise<Block[]> {
  const page = await readFile(join(root, guide), "utf8");
  return Array.from(page.matchAll(/^```(\w+)\n(.*?)^```$/gms), ({ index, 1: kind = "", 2: text = "" }) => {
    const before = page.slice(0, index).trimEnd().split("\n\n").at(-1) ?? "";
    const named = /^\/\/ (\S+\.ts)\n/.exec(text)?.[1] ?? /`\/?((?:src|home)\/[^`\s]+\.ts)`/.exec(before)?.[1];
    return { guide, kind, text, path: named };
  });
}

describe("the guides to extending", { timeout: 120_000 }, () => {
  let copy = "";
  beforeAll(async () => {
    copy = await mkdtemp(join(tmpdir(), "guides-"));
    await writeFile(join(copy, "package.json"), '{ "type": "module" }');
    await symlink(join(root, "node_modules"), join(copy, "node_modules"));
    for (const { guide, path = "", text } of code) {
      const place = placeOf(guide, path);
      await mkdir(dirname(place), { recursive: true });
      await writeFile(place, text);
    }
  });
  afterAll(() => rm(copy, { recursive: true }));
  /** Each guide has a folder of its own, since two may use the same name. */
  const placeOf = (guide: string, path: string) => join(copy, guide.replace(/\.md$/, ""), path);

  it("DOC-05 say of every block of code which file it is", () => {
    expect(
      code.filter(({ path }) => path === undefined).map(({ guide, text }) => `${guide}: ${text}`),
    ).toEqual([]);
    expect(code.length).toBeGreaterThanOrEqual(9);
  });

  it("DOC-05 show a tool, a channel, a provider and a plugin that compile under the rules of this repository", async () => {
    const folders = guides.map((guide) => guide.replace(/\.md$/, ""));
    const config = {
      extends: join(root, "tsconfig.json"),
      // What lies beside a file in the repository lies beside its example.
      compilerOptions: { rootDirs: [root, ...folders.map((folder) => join(copy, folder))] },
      include: ["docs"],
      exclude: ["node_modules"],
    };
    await writeFile(join(copy, "tsconfig.json"), JSON.stringify(config));
    const tsc = join(root, "node_modules/.bin/tsc");
    const told = await promisify(execFile)(tsc, ["--noEmit", "-p", copy]).then(
      ({ stdout }) => stdout,
      (error: { stdout: string }) => error.stdout,
    );
    expect(told).toBe("");
  });

  it("DOC-05 show the one place of each kind, which is there", async () => {
    const page = await readFile(join(root, "docs/extending.md"), "utf8");
    for (const place of ["src/agent/built-in-tools.ts", "src/app/connectors.ts"]) {
      expect(page).toContain(place);
      expect(await readFile(join(root, place), "utf8")).not.toBe("");
    }
  });

  it.each(["docs/extending.md", "docs/guides/adding-a-plugin.md"])(
    "DOC-05 show a plugin that the gateway loads: %s",
    async (guide) => {
      const block = code.find((each) => each.guide === guide && each.text.includes("PluginKit"));
      const folder = dirname(placeOf(guide, block?.path ?? ""));
      const loaded = await loadPlugins({
        paths: [folder],
        taken: { channels: [], tools: [] },
        workspaces: [],
        userId: process.getuid?.(),
        clock: systemClock,
        say: createSay("en"),
        log: { debug() {}, info() {}, warn() {}, error() {} },
      });
      expect(loaded.report).toMatchObject([{ state: "loaded" }]);
      expect(loaded.tools).toHaveLength(1);
      await loaded.close();
    },
  );

  it("DOC-05 show a tool and a channel that do what they say", async () => {
    const load = async (path: string) =>
      (await import(pathToFileURL(placeOf("docs/extending.md", path)).href)) as Record<string, never>;
    const { createCoinTool } = (await load("src/tools/coin.ts")) as unknown as {
      createCoinTool(random: () => number): { run(input: object): Promise<{ text: string }> };
    };
    expect((await createCoinTool(() => 0.9).run({})).text).toBe("tails");
    const { shoutChannel } = await load("channels/shout/src/shout-channel.ts");
    expect(shoutChannel).toMatchObject({ id: "shout" });
  });

  it("DOC-05 show a skill that is understood", async () => {
    const text = blocks.find(({ kind }) => kind === "markdown")?.text ?? "";
    expect(await parseSkill(text, "?")).toEqual({
      name: "trains",
      description: "How to look up trains, and which ones I take.",
    });
  });
});
