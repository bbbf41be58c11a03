import { execFileSync, spawnSync } from "node:child_process";
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { commands } from "../src/cli/commands.ts";
import { makeHome, pincerBin, type TestHome } from "./run-pincer.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
/** Other names of commands. */
const aliased: Readonly<Record<string, string>> = { repl: "chat", setup: "onboard" };
let home: TestHome;
beforeEach(() => (home = makeHome()));
afterEach(() => home.remove());

/** The subcommands that a help text names. */
const subcommandsIn = (help: string) =>
  [...(help.split(/^(?:Commands|Every day):$/m)[1] ?? "").matchAll(/^ {2}(\w+)/gm)]
    .map((match) => match[1] ?? "")
    .filter((name) => name !== "help");

describe("the command line", () => {
  it("CLI-01 is the package's executable and works through a link from anywhere", () => {
    const { bin } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
      bin: { pincer: string };
    };
    expect(join(root, bin.pincer)).toBe(pincerBin);
    expect(statSync(pincerBin).mode & 0o111).toBe(0o111);
    const place = mkdtempSync(join(tmpdir(), "pincer-link-"));
    try {
      symlinkSync(pincerBin, join(place, "pincer"));
      const path = `${dirname(process.execPath)}:${process.env["PATH"]}`;
      const out = execFileSync(join(place, "pincer"), ["--version"], {
        cwd: "/",
        env: { ...process.env, PATH: path },
        encoding: "utf8",
      });
      expect(out.trim()).toBe(
        (JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string }).version,
      );
    } finally {
      rmSync(place, { recursive: true });
    }
  });

  it("CLI-01 starts from one small file and keeps every command in a chunk of its own", () => {
    // What is read before anything is decided: the start-up file and what it imports outright.
    const read = (name: string): string[] => {
      const text = readFileSync(join(root, "dist", name), "utf8");
      const imports = [...text.matchAll(/(?:^|;)import[^(][^;]*?from"\.\/([^"]+)"/g)].map(
        (match) => match[1] ?? "",
      );
      return [text, ...imports.flatMap(read)];
    };
    expect(read("pincer.mjs").join("").length).toBeLessThan(4000);
    const chunks = readdirSync(join(root, "dist"));
    for (const name of [
      "ask",
      "chat",
      "sessions",
      "tools",
      "config",
      "secrets",
      "backup",
      "status",
      "doctor",
    ]) {
      expect(chunks.some((chunk) => chunk.startsWith(`${name}-`))).toBe(true);
    }
  });

  it("CLI-02 lists every command in its help, the same whether asked with --help, -h or help", async () => {
    const { status, out, err } = await home.run(["--help"]);
    expect({ status, err }).toEqual({ status: 0, err: "" });
    const primary = [...commands.keys()].filter((name) => !Object.hasOwn(aliased, name));
    expect(subcommandsIn(out)).toEqual(primary);
    expect((await home.run(["-h"])).out).toBe(out);
    expect((await home.run(["help"])).out).toBe(out);
  });

  it.runIf(existsSync("/dev/full"))("says in one line that its output cannot be written", () => {
    for (const args of [["--help"], ["--version"], ["config", "show"]]) {
      const full = openSync("/dev/full", "w");
      const { status, stderr } = spawnSync(process.execPath, [pincerBin, ...args], {
        env: { HOME: home.path, PINCER_HOME: home.path },
        stdio: ["ignore", full, "pipe"],
        encoding: "utf8",
      });
      closeSync(full);
      expect({ args, status, lines: stderr.trimEnd().split("\n").length }).toEqual({
        args,
        status: 1,
        lines: 1,
      });
      expect(stderr).toContain("no space left on device");
    }
  });

  it("CLI-02 prints the same help from the texts of the build as from the commands themselves", async () => {
    for (const args of [
      ["--help"],
      ["ask", "--help"],
      ["repl", "-h"],
      ["sessions", "list", "--help"],
      ["help", "config"],
    ]) {
      const built = await home.run(args);
      const source = await home.run(args, { environment: { PINCER_FROM_SOURCE: "1" } });
      expect({ args, out: built.out }).toEqual({ args, out: source.out });
      expect(built.out).toContain("Usage: pincer");
    }
  });

  it("CLI-02 explains every command and subcommand, with its flags, in English and Chinese", async () => {
    for (const name of commands.keys()) {
      const { status, out } = await home.run([name, "--help"]);
      expect({ name, status }).toEqual({ name, status: 0 });
      expect(out).toContain(`Usage: pincer ${aliased[name] ?? name}`);
      for (const subcommand of subcommandsIn(out)) {
        const detail = await home.run([name, subcommand, "--help"]);
        expect({ name, subcommand, status: detail.status }).toEqual({ name, subcommand, status: 0 });
        expect(detail.out).toContain(`Usage: pincer ${name} ${subcommand}`);
      }
    }
    const chinese = await home.run(["ask", "--help"], { environment: { PINCER_LANG: "zh" } });
    expect(chinese.out).toContain("用法：");
    expect(chinese.out).toContain("最多几轮工具调用");
    expect((await home.run(["--help"], { environment: { PINCER_LANG: "zh" } })).out).toContain(
      "什么都不会丢",
    );
  }, 600_000);

  it.each([
    [["nonsense"]],
    [["--nonsense"]],
    [["sessions", "nonsense"]],
    [["config", "get"]],
    [["tools", "info"]],
  ])("ends %j with status 2, a message on stderr and nothing on stdout", async (args) => {
    const { status, out, err } = await home.run(args);
    expect({ status, out }).toEqual({ status: 2, out: "" });
    expect(err).toMatch(/error: /);
    expect(err).toContain("Usage: pincer");
  });

  it("shows the help when nothing was asked", async () => {
    const { status, out, err } = await home.run([]);
    expect(status).toBe(0);
    expect(out + err).toContain("Usage: pincer");
  });

  it("CFG-01 keeps everything in the home, for the owner alone, and leaves nothing elsewhere", async () => {
    const user = mkdtempSync(join(tmpdir(), "pincer-user-"));
    const environment = { PINCER_HOME: "", HOME: user };
    try {
      for (const args of [
        ["ask", "hi"],
        ["config", "set", "tools.deny", "[]"],
        ["secrets", "set", "x", "--value", "yyyyyyyy"],
        ["backup", "create"],
      ]) {
        expect(await home.run(args, { environment })).toMatchObject({ status: 0 });
      }
      expect(readdirSync(user)).toEqual([".pincer"]);
      const entries = readdirSync(join(user, ".pincer"), { recursive: true, withFileTypes: true });
      // The code cache is Node's own: closed by its parent, and nothing in it is private.
      const own = entries.filter((entry) => !`${entry.parentPath}/`.includes("/.pincer/cache/"));
      for (const entry of own) {
        const mode = statSync(join(entry.parentPath, entry.name)).mode & 0o777;
        expect({ name: entry.name, mode }).toEqual({
          name: entry.name,
          mode: entry.isDirectory() ? 0o700 : 0o600,
        });
      }
      expect(statSync(join(user, ".pincer")).mode & 0o777).toBe(0o700);
    } finally {
      rmSync(user, { recursive: true });
    }
  });

  it("says what to do when the home cannot be created", async () => {
    writeFileSync(join(home.path, "file"), "");
    const { status, err } = await home.run(["ask", "hi"], {
      environment: { PINCER_HOME: join(home.path, "file", "home") },
    });
    expect(status).toBe(1);
    expect(err).toContain("cannot be created");
    expect(err).toContain("PINCER_HOME");
  });

  describe("started by an old Node", () => {
    // The check is of the version number alone, so a number that is too old stands in for an old Node.
    let place: string;
    beforeEach(() => {
      place = mkdtempSync(join(tmpdir(), "pincer old # %20-"));
      mkdirSync(join(place, "bin"));
      writeFileSync(join(place, "bin", "pincer.mjs"), readFileSync(pincerBin));
      writeFileSync(
        join(place, "old.mjs"),
        'if (!process.env.NEW) Object.defineProperty(process.versions, "node", { value: "18.20.0" });',
      );
    });
    afterEach(() => rmSync(place, { recursive: true }));

    const start = (environment: Record<string, string>) =>
      spawnSync(
        process.execPath,
        [
          "--import",
          pathToFileURL(join(place, "old.mjs")).href,
          join(place, "bin", "pincer.mjs"),
          "--version",
        ],
        {
          encoding: "utf8",
          env: { PATH: process.env["PATH"] ?? "", ...environment },
        },
      );

    it("says which one it needs when there is no newer beside it", () => {
      const { status, stderr } = start({});
      expect(status).toBe(1);
      expect(stderr).toContain("Node 24 or newer is needed, and this is 18.20.0");
      expect(stderr).toContain("npm ci");
    });

    it.each([
      ["the one that npm installed", "node_modules/node/bin/node", {}],
      ["the one that PINCER_NODE names", "my-node", { PINCER_NODE: true }],
    ])(
      "hands over to %s and passes on its end",
      (_name, path, { PINCER_NODE }: { PINCER_NODE?: boolean }) => {
        mkdirSync(join(place, "dist"));
        writeFileSync(
          join(place, "dist", "pincer.mjs"),
          "process.stdout.write(`new ${process.argv[2]}`); process.exitCode = 7;",
        );
        mkdirSync(dirname(join(place, path)), { recursive: true });
        if (!PINCER_NODE) writeFileSync(join(place, "node_modules/node/package.json"), '{ "name": "node" }');
        symlinkSync(process.execPath, join(place, path));
        const { status, stdout } = start(PINCER_NODE ? { PINCER_NODE: join(place, path) } : {});
        expect({ status, stdout }).toEqual({ status: 7, stdout: "new --version" });
      },
    );
  });
});

describe("pincer tools", () => {
  it("CLI-13 lists and explains the tools, by name or alias", async () => {
    const list = JSON.parse((await home.run(["tools", "list", "--json"])).out) as Array<{
      name: string;
      aliases: string[];
    }>;
    expect(list.map((tool) => tool.name)).toEqual([
      "time_now",
      "tools_echo",
      "shell_pwd",
      "list",
      "read",
      "write",
      "edit",
      "apply_patch",
      "search",
      "result_read",
      "recall",
      "memory_append",
      "memory_search",
      "memory_get",
      "sessions_list",
      "sessions_history",
      "sessions_send",
      "session_status",
      "message",
      "exec",
      "process",
      "http_request",
      "web_fetch",
      "web_search",
      "research",
    ]);
    for (const alias of ["time.now", "tools.echo", "shell.pwd", "fs.list_dir", "fs.read_file"]) {
      const info = JSON.parse((await home.run(["tools", "info", alias, "--json"])).out) as {
        aliases: string[];
        input: { type: string };
      };
      expect(info.aliases).toContain(alias);
      expect(info.input.type).toBe("object");
    }
    expect((await home.run(["tools", "info", "read"])).out).toContain("Relative to the workdir");
  });

  it("CLI-13 runs a tool and gives each of the three errors its code and status 1", async () => {
    const invoke = async (...args: string[]) => {
      const { status, out } = await home.run(["tools", "invoke", ...args, "--json"]);
      return { status, ...(JSON.parse(out) as { ok: boolean; error?: { code: string }; data?: unknown }) };
    };
    expect(await invoke("tools.echo", "--args", '{"text":"hi"}')).toMatchObject({
      status: 0,
      ok: true,
      data: { text: "hi" },
    });
    expect(await invoke("nope")).toMatchObject({ status: 1, error: { code: "tool_not_found" } });
    expect(await invoke("read", "--args", "{}")).toMatchObject({
      status: 1,
      error: { code: "invalid_args" },
    });
    expect(await invoke("read", "--args", "[]")).toMatchObject({
      status: 1,
      error: { code: "invalid_args" },
    });
    expect(await invoke("read", "--args", '{"path":"gone"}')).toMatchObject({
      status: 1,
      error: { code: "execution_error" },
    });
    expect((await home.run(["tools", "invoke", "read", "--args", "{oops"])).status).toBe(2);
    expect((await home.run(["tools", "info", "nope"])).err).toContain("There is no tool nope");
  });

  it("does not run what the config denies", async () => {
    await home.run(["config", "set", "tools.deny", '["fs.read_file"]']);
    const { status, err } = await home.run(["tools", "invoke", "read", "--args", '{"path":"x"}']);
    expect(status).toBe(1);
    expect(err).toContain("denied by tools.deny");
    expect((await home.run(["ask", "--json", 'tool:read {"path":"x"}'])).out).toContain(
      "denied by tools.deny",
    );
  });
});

describe("a broken config", () => {
  const corrupt = "{\n  agents: { defaults: { toolMaxSteps: 5 } },\n  oops oops\n";

  it("CFG-04 lets ask and its JSON work, and names the file and line", async () => {
    const file = join(home.path, "config.json5");
    writeFileSync(file, corrupt);
    const asked = await home.run(["ask", "--json"], { input: "tool:time.now" });
    expect(asked.status).toBe(0);
    expect(JSON.parse(asked.out)).toMatchObject({ stage: "done" });
    expect(asked.err).toContain(`${file}:3:`);
    const empty = await home.run(["ask", ""]);
    expect({ status: empty.status, out: empty.out }).toEqual({ status: 2, out: "" });
  });

  it("goes on with the last good one", async () => {
    await home.run(["config", "set", "tools.deny", '["read"]']);
    await home.run(["ask", "hi"]);
    writeFileSync(join(home.path, "config.json5"), corrupt);
    expect((await home.run(["ask", "tool:read {}"])).err).toContain("denied by tools.deny");
    const status = JSON.parse((await home.run(["status", "--json"])).out) as { config: { mode: string } };
    expect(status.config.mode).toBe("safe");
    expect((await home.run(["config", "revert"])).status).toBe(0);
    expect((await home.run(["config", "validate"])).status).toBe(0);
  });
});
