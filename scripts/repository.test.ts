/** What the repository promises about itself. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { commands } from "../src/cli/commands.ts";
import { readTestFile } from "./read-test-file.ts";
import { references } from "./write-reference.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string) => readFileSync(join(root, path), "utf8");
const filesIn = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => !name.includes("node_modules"))
    .map((name) => join(folder, name));
const testFilesIn = (folders: string[]) =>
  folders.flatMap(filesIn).filter((name) => name.endsWith(".test.ts"));
const testsIn = (folders: string[]) => testFilesIn(folders).flatMap((name) => readTestFile(name, read).names);
const codeIn = (folders: string[]) =>
  folders
    .flatMap(filesIn)
    .filter((name) => /^(?!.*\.test\.ts$).*\.ts$/.test(name) && !name.includes("/testing/"))
    .map((path) => ({ path, text: read(path) }));
/** What a network with a scripted model behind it is tried with. */
const onAChannel = /\b(openTalkStage|createTelegramLife)\b/;

describe("the repository", () => {
  it("ARCH-09 has its borders as workspaces and its domains as folders, each with contracts or code of its own", () => {
    expect(JSON.parse(read("package.json")).workspaces).toEqual(["packages/*", "channels/*", "web"]);
    for (const face of ["packages/sdk", "packages/prove", "packages/memory-bench", "channels/local"])
      expect(existsSync(join(root, face, "src/index.ts"))).toBe(true);
    for (const folder of [
      "cli",
      "app",
      "gateway",
      "channels",
      "routing",
      "agent",
      "models",
      "tools",
      "policy",
      "storage",
      "sandbox",
      "config",
      "infra",
    ]) {
      expect(filesIn(`src/${folder}`).some((name) => name.endsWith(".ts"))).toBe(true);
    }
    // The contracts for outsiders, and each connector in a workspace that knows the product by these alone.
    for (const contract of ["channel.ts", "tool.ts", "model.ts", "memory-store.ts", "protocol/methods.ts"])
      expect(existsSync(join(root, "packages/sdk/src", contract))).toBe(true);
    for (const channel of readdirSync(join(root, "channels"))) {
      expect(JSON.parse(read(`channels/${channel}/package.json`)).name).toBe(`@pincer/channel-${channel}`);
      expect(
        codeIn([`channels/${channel}/src`]).filter(({ text }) => /from "[./]*\/src\//.test(text)),
      ).toEqual([]);
    }
  });

  it("ARCH-06 ARCH-07 speaks to providers by pi, in one folder, and nowhere else", () => {
    const users = codeIn(["src", "channels", "packages"]).filter(({ text }) =>
      /from "@earendil-works\/pi/.test(text),
    );
    expect(users.length).toBeGreaterThan(0);
    expect(users.filter(({ path }) => !path.startsWith("src/models/pi/"))).toEqual([]);
    const packages = JSON.parse(read("package.json")) as Record<string, Record<string, string>>;
    const used = Object.keys({ ...packages["dependencies"], ...packages["devDependencies"] });
    expect(used.filter((name) => name.startsWith("@earendil-works/"))).toEqual(["@earendil-works/pi-ai"]);
  });

  it("ARCH-10 has a test beside the code in every folder of the product", () => {
    const folders = readdirSync(join(root, "src"));
    const without = folders.filter(
      (folder) => !filesIn(`src/${folder}`).some((name) => name.endsWith(".test.ts")),
    );
    expect(without).toEqual([]);
  });

  it("ARCH-10 hands parts in: no test has to put something else in the place of a module", () => {
    const mocking = testFilesIn(["src", "packages", "channels"]).filter((name) =>
      /\bvi\.(do)?[mM]ock\(/.test(read(name)),
    );
    expect(mocking).toEqual([]);
  });

  it("shows contributors the steps that there are, and no others", () => {
    const table = read("CONTRIBUTING.md").split("## The staircase")[1]?.split("\n## ")[0] ?? "";
    const rows = table.split("\n").filter((line) => line.startsWith("| `"));
    const named = rows.flatMap((row) =>
      [...(row.split("|")[1] ?? "").matchAll(/`(\w+)`/g)].map(([, name]) => name),
    );
    expect(named.sort()).toEqual(readdirSync(join(root, "src")).sort());
  });

  it("DOC-01 describes every command and every config key in docs that are made from the code", async () => {
    const pages = await references();
    for (const [path, text] of Object.entries(pages)) expect(read(path)).toBe(text);
    for (const name of commands.keys())
      expect(pages["docs/commands.md"]).toMatch(new RegExp(`\`(pincer )?${name}\``));
  });

  it("DOC-01 keeps dated decisions apart from the living docs", () => {
    const decisions = readdirSync(join(root, "docs/decisions")).filter((name) => name !== "README.md");
    expect(decisions.length).toBeGreaterThan(0);
    for (const name of decisions) {
      expect(name).toMatch(/^\d{4}-[a-z0-9-]+\.md$/);
      expect(read(join("docs/decisions", name))).toMatch(/\d{4}-\d\d-\d\d/);
    }
  });

  it("DOC-03 has at least 177 unit tests, 10 of the built command line, and 18 on a channel with a scripted model", () => {
    expect(testsIn(["src", "packages"]).length).toBeGreaterThanOrEqual(177);
    const names = (uses: RegExp) =>
      testFilesIn(["src", "test"])
        .filter((name) => uses.test(read(name)))
        .flatMap((name) => readTestFile(name, read).names);
    expect(names(/\bmakeHome\b/).length).toBeGreaterThanOrEqual(10);
    expect(names(onAChannel).length).toBeGreaterThanOrEqual(18);
  }, 30_000);

  it("tells users what changed in every version, the newest first", () => {
    const { version } = JSON.parse(read("package.json")) as { version: string };
    const headings = [...read("CHANGELOG.md").matchAll(/^## (.*)$/gm)].map(([, heading = ""]) => heading);
    expect(headings[0]).toBe("[Unreleased]");
    expect(headings[1]).toContain(`[${version}]`);
    for (const heading of headings.slice(1)) expect(heading).toMatch(/^\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d$/);
  });

  it("pins every dependency to one version and names no registry in the lockfile", () => {
    const { devDependencies, dependencies = {} } = JSON.parse(read("package.json")) as Record<
      string,
      Record<string, string>
    >;
    for (const version of Object.values({ ...devDependencies, ...dependencies }))
      expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(read("package-lock.json")).not.toMatch(/"resolved": "https?:/);
  });
});
