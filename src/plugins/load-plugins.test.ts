import { chmod, chown, cp, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { systemClock, type Clock } from "../infra/clock.ts";
import { createSay } from "../infra/texts.ts";
import { loadPlugins, type PluginParts } from "./load-plugins.ts";

const fixtures = join(import.meta.dirname, "../../test/fixtures/plugins");

async function stage() {
  const root = await realpath(await mkdtemp(join(tmpdir(), "pincer-plugins-")));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const said: string[] = [];
  const say = (message: string) => void said.push(message);
  const load = (paths: string[], over: Partial<PluginParts> = {}) =>
    loadPlugins({
      paths,
      workspaces: [join(root, "workspace")],
      userId: process.getuid?.(),
      taken: { channels: ["local"], tools: ["read", "read_file"] },
      clock: systemClock,
      say: createSay("en"),
      log: { debug: say, info: say, warn: say, error: say },
      ...over,
    });
  const write = async (name: string, source: string) => {
    const file = join(root, name);
    await mkdir(join(file, ".."), { recursive: true });
    await writeFile(file, source, { mode: 0o600 });
    return file;
  };
  return { root, said, load, write };
}

const tool = (name: string) =>
  `{ name: "${name}", effect: "read", description: "d", input: { type: "object", properties: {} }, run: async () => ({ text: "" }) }`;
const channel = (id: string) =>
  `{ id: "${id}", config: {}, traits: { textLimit: 100, idempotentSend: false }, connect: async () => ({}) }`;

/** Of everything that is waited for, the time is over for the one with this number, at once, and for nothing else. */
function overAt(wait: number): Clock {
  let waits = 0;
  return {
    ...systemClock,
    sleep: async () => (++waits === wait ? undefined : new Promise(() => {})),
  };
}

describe("plugins", () => {
  it("GW-14 the example is loaded from its folder, started, and let go with the gateway", async () => {
    const { root, said, load } = await stage();
    await cp(join(fixtures, "dice"), join(root, "dice"), { recursive: true });
    await chmod(join(root, "dice"), 0o700);
    await chmod(join(root, "dice/dice.ts"), 0o600);
    const { tools, report, close } = await load([join(root, "dice")]);
    expect(report).toEqual([
      {
        path: join(root, "dice"),
        state: "loaded",
        id: "dice",
        version: "1.0.0",
        brings: { channels: [], tools: ["roll_dice"] },
        problem: null,
      },
    ]);
    expect(tools.map(({ name, resultOrigin }) => [name, resultOrigin])).toEqual([["roll_dice", "tool"]]);
    expect(said).toEqual(["the dice are here"]);
    await close();
    await close();
    expect(said).toEqual(["the dice are here", "the dice are gone"]);
  });

  it("brings channels, and what a tool does not say of itself is on the safe side", async () => {
    const { load, write } = await stage();
    const file = await write(
      "p.mjs",
      `export default { id: "p", channels: [${channel("pigeon")}], tools: [{ ...${tool("fly")}, effect: "act", input: { type: "object", properties: { to: {} } } }] }`,
    );
    const { channels, tools } = await load([file]);
    expect(channels.map(({ id }) => id)).toEqual(["pigeon"]);
    expect(tools).toMatchObject([{ idempotent: false, controls: { to: "value" }, leaves: ["to"] }]);
  });

  it.each([
    ["is missing", undefined, "the path does not exist"],
    ["throws", "throw new Error('boom')", "boom"],
    ["cannot be read", "export default {{", "it is not a plugin"],
    ["exports nothing", "export const a = 1", "not a plugin"],
    ["has no id", "export default {}", "its id"],
    ["has a strange id", "export default { id: '../x' }", "its id"],
    ["throws when it is made", "export default () => { throw new Error('boom') }", "boom"],
    [
      "fails to start",
      "export default { id: 'p', start: async () => { throw new Error('no network') } }",
      "no network",
    ],
    ["brings no tools but words", "export default { id: 'p', tools: 'read' }", "no list"],
    [
      "brings a tool that cannot run",
      "export default { id: 'p', tools: [{ name: 'a', effect: 'read' }] }",
      "lacks",
    ],
    ["brings a tool of no effect", "export default { id: 'p', tools: [{ name: 'a' }] }", "effect"],
    ["brings a channel that cannot connect", "export default { id: 'p', channels: [{ id: 'a' }] }", "lacks"],
    [
      "brings a tool that is there",
      `export default { id: 'p', tools: [${tool("read_file")}] }`,
      "tool read_file",
    ],
    [
      "brings a channel that is there",
      `export default { id: 'p', channels: [${channel("local")}] }`,
      "channel local",
    ],
    [
      "would speak as the terminal",
      `export default { id: 'p', channels: [${channel("cli")}] }`,
      "channel cli",
    ],
    [
      "would speak as the product",
      `export default { id: 'p', channels: [${channel("system")}] }`,
      "channel system",
    ],
    ["brings the same twice", `export default { id: 'p', tools: [${tool("a")}, ${tool("a")}] }`, "tool a"],
  ])(
    "GW-14 one that %s is reported and left out, and the next one is loaded",
    async (_how, source, problem) => {
      const { root, said, load, write } = await stage();
      const bad = source === undefined ? join(root, "none.mjs") : await write("bad.mjs", source);
      const good = await write("good.mjs", "export default { id: 'good' }");
      const { report, tools, channels } = await load([bad, good]);
      expect(report).toMatchObject([
        { path: bad, state: "left-out", problem: expect.stringContaining(problem) },
        { id: "good", state: "loaded" },
      ]);
      expect([tools, channels]).toEqual([[], []]);
      expect(said).toEqual([expect.stringContaining(problem)]);
    },
  );

  it("a second one of the same id is left out", async () => {
    const { load, write } = await stage();
    const files = [
      await write("a.mjs", "export default { id: 'p' }"),
      await write("b.mjs", "export default { id: 'p' }"),
    ];
    const { report } = await load(files);
    expect(report.map(({ state }) => state)).toEqual(["loaded", "left-out"]);
  });

  it.each([
    ["to be read", "await new Promise(() => {}); export default { id: 'p' }", 1, "it is not a plugin"],
    ["to start", "export default { id: 'p', start: () => new Promise(() => {}) }", 2, "it failed"],
  ])("GW-14 one that takes too long %s is left out", async (_what, source, wait, how) => {
    const { load, write } = await stage();
    const { report } = await load([await write("slow.mjs", source)], { clock: overAt(wait) });
    expect(report).toMatchObject([{ state: "left-out", problem: expect.stringContaining(how) }]);
    expect(report[0]?.problem).toContain("more than 5 seconds");
  });

  it("one that starts too late is let go again", async () => {
    const { said, load, write } = await stage();
    const file = await write(
      "late.mjs",
      "export default { id: 'p', start: async ({ log }) => { await new Promise(setImmediate); return async () => log.info('let go'); } }",
    );
    await load([file], { clock: overAt(2) });
    await expect.poll(() => said).toContain("let go");
  });

  it("what fails to end does not keep the others from it", async () => {
    const { said, load, write } = await stage();
    const ending = (id: string, end: string) =>
      `export default { id: '${id}', start: async ({ log }) => async () => { ${end} } }`;
    const files = [
      await write("a.mjs", ending("a", "log.info('a ended')")),
      await write("b.mjs", ending("b", "throw new Error('b will not')")),
    ];
    await (await load(files)).close();
    expect(said).toEqual(["b: b will not", "a ended"]);
  });
});

describe("a plugin is not loaded from", () => {
  const source = "export default { id: 'p' }";
  const problemOf = ({ report }: Awaited<ReturnType<typeof loadPlugins>>) => report[0]?.problem;

  it("a path that depends on where one stands", async () => {
    const { load } = await stage();
    expect(problemOf(await load(["./p.mjs"]))).toContain("not absolute");
  });

  it("GW-14 a workspace, where the agent could have written it, nor through a link into one", async () => {
    const { root, load, write } = await stage();
    const inside = await write("workspace/p.mjs", source);
    expect(problemOf(await load([inside]))).toContain("where the assistant itself may write");
    await symlink(inside, join(root, "link.mjs"));
    expect(problemOf(await load([join(root, "link.mjs")]))).toContain("where the assistant itself may write");
    await symlink(join(root, "workspace"), join(root, "folder"));
    await write("workspace/index.js", source);
    expect(problemOf(await load([join(root, "folder")]))).toContain("where the assistant itself may write");
  });

  it("a file or a folder that others may change", async () => {
    const { root, load, write } = await stage();
    const file = await write("shared/p.mjs", source);
    await chmod(file, 0o602);
    expect(problemOf(await load([file]))).toContain("other users of this machine can change");
    await chmod(file, 0o600);
    await chmod(join(root, "shared"), 0o777);
    expect(problemOf(await load([file]))).toContain("other users of this machine can change");
    await chmod(join(root, "shared"), 0o700);
    expect(problemOf(await load([file]))).toBeNull();
  });

  it("a file of somebody else", async () => {
    const { load, write } = await stage();
    const file = await write("p.mjs", source);
    const mine = process.getuid?.() ?? 0;
    // Root's files are everybody's: root gives it away first.
    if (mine === 0) await chown(file, 4242, 4242);
    const problem = problemOf(await load([file], { userId: mine === 0 ? 0 : mine + 1 }));
    expect(problem).toContain("belongs to somebody else");
  });

  it("outside of the folder that was named, and not without an entry", async () => {
    const { root, load, write } = await stage();
    await write("elsewhere.mjs", source);
    await write("folder/package.json", '{ "pincer": { "entry": "../elsewhere.mjs" } }');
    expect(problemOf(await load([join(root, "folder")]))).toContain("outside of its folder");
    await write("empty/package.json", "{}");
    expect(problemOf(await load([join(root, "empty")]))).toContain("names no entry");
    await write("usual/package.json", '{ "type": "module" }');
    await write("usual/index.js", source);
    expect(problemOf(await load([join(root, "usual")], { clock: systemClock }))).toBeNull();
  });
});

describe("closing", () => {
  it("does not wait for what never ends", async () => {
    const { load, write } = await stage();
    const file = await write(
      "p.mjs",
      "export default { id: 'p', start: async () => () => new Promise(() => {}) }",
    );
    const { close, report } = await load([file], { clock: overAt(3) });
    expect(report[0]?.state).toBe("loaded");
    await close();
  });
});
