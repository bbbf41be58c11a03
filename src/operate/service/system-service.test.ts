import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { launchAgent } from "./launch-agent.ts";
import type { ProgramOutcome } from "./run-program.ts";
import { runProgram } from "./run-program.ts";
import { install, planInstall, restartUnit, uninstall, type SystemParts } from "./system-service.ts";
import { systemdUnit } from "./systemd-unit.ts";

let directory: string;
let ran: string[];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "pincer-system-"));
  ran = [];
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const done: ProgramOutcome = { type: "ended", status: 0, said: "" };

function system(
  platform: NodeJS.Platform,
  answer: (line: string) => ProgramOutcome = () => done,
): SystemParts {
  return {
    platform,
    environment: { HOME: directory, PATH: "/secret-path", OPENAI_API_KEY: "sk-canary" },
    program: { node: process.execPath, pincer: "/opt/pin cer/bin/pincer.mjs" },
    userId: 501,
    async run(program, args) {
      const line = [program, ...args].join(" ");
      ran.push(line);
      return answer(line);
    },
  };
}

const request = { home: "/home/ada/.pincer", arguments: ["--channel=local"] };

it("CLI-18 writes a unit for the user and has systemd start it now and at each login", async () => {
  const parts = system("linux");
  const plan = planInstall(parts, request);
  expect(await install(parts, plan)).toEqual({ type: "installed" });
  const file = join(directory, ".config", "systemd", "user", "pincer.service");
  expect(plan.file).toBe(file);
  expect(readFileSync(file, "utf8")).toBe(plan.content);
  expect(ran).toEqual(["systemctl --user daemon-reload", "systemctl --user enable --now pincer.service"]);
  expect(await uninstall(parts)).toBe(true);
  expect(existsSync(file)).toBe(false);
  expect(ran.slice(2)).toEqual([
    "systemctl --user disable --now pincer.service",
    "systemctl --user daemon-reload",
  ]);
  expect(await uninstall(parts)).toBe(false);
});

it("CLI-18 starts the recorded node and file with the flags, again after a crash, and not after a clean end", () => {
  const unit = systemdUnit({ ...system("linux").program, ...request });
  expect(unit).toContain(
    `ExecStart="${process.execPath}" "/opt/pin cer/bin/pincer.mjs" "gateway" "run" "--as-system-service" "--channel=local"\n`,
  );
  expect(unit).toContain('Environment="PINCER_HOME=/home/ada/.pincer"\n');
  expect(unit).toContain("Restart=on-failure\n");
  expect(unit).toContain("NoNewPrivileges=yes\n");
});

it.each(["linux", "darwin"] as const)("puts nothing of the environment into what %s reads", (platform) => {
  const { content } = planInstall(system(platform), request);
  expect(content).not.toContain("sk-canary");
  expect(content).not.toContain("/secret-path");
});

it("lets no path smuggle in a setting, a variable or a specifier", () => {
  const home = '/h"\nExecStart=/bin/evil\n%h $HOME \\';
  const unit = systemdUnit({ node: "/n", pincer: "/p $X %u", home, arguments: [] });
  expect(unit.match(/^ExecStart=/gm)).toHaveLength(1);
  expect(unit).toContain('"/p $$X %%u"');
  expect(unit).toContain('Environment="PINCER_HOME=/h\\"\\nExecStart=/bin/evil\\n%%h $HOME \\\\"');
  const agent = launchAgent({ node: "/n", pincer: "/p", home: "</string><key>X</key>&", arguments: [] });
  expect(agent).toContain("<string>&lt;/string&gt;&lt;key&gt;X&lt;/key&gt;&amp;</string>");
});

const analyzer = "/usr/bin/systemd-analyze";

it.runIf(existsSync(analyzer))("CLI-18 passes systemd's own examination", () => {
  const file = join(directory, "pincer.service");
  const pincer = join(directory, "pin cer $x.mjs");
  writeFileSync(pincer, "");
  writeFileSync(
    file,
    systemdUnit({ node: process.execPath, pincer, home: directory, arguments: ["--port=1"] }),
  );
  const { status, stderr } = spawnSync(analyzer, ["verify", "--user", "--man=no", file], {
    encoding: "utf8",
    env: { ...process.env, XDG_RUNTIME_DIR: directory, HOME: directory },
  });
  const about = stderr.split("\n").filter((line) => line.includes("pincer.service"));
  expect({ status, about }).toEqual({ status: 0, about: [] });
});

it("CLI-18 writes a launch agent on macOS and has launchd load it, also over an older one", async () => {
  const parts = system("darwin");
  const plan = planInstall(parts, request);
  expect(await install(parts, plan)).toEqual({ type: "installed" });
  const file = join(directory, "Library", "LaunchAgents", "pincer.gateway.plist");
  expect(ran).toEqual(["launchctl bootout gui/501/pincer.gateway", `launchctl bootstrap gui/501 ${file}`]);
  expect(readFileSync(file, "utf8")).toContain("<string>--channel=local</string>");
  expect(await uninstall(parts)).toBe(true);
  expect(existsSync(file)).toBe(false);
});

it("says which command failed and why, and leaves the file for running it by hand", async () => {
  const parts = system("linux", (line) =>
    line.includes("enable") ? { type: "ended", status: 1, said: "Failed to connect to bus\n" } : done,
  );
  const plan = planInstall(parts, request);
  expect(await install(parts, plan)).toEqual({
    type: "written",
    command: "systemctl --user enable --now pincer.service",
    reason: "Failed to connect to bus",
  });
  expect(existsSync(plan.file)).toBe(true);
  const without = system("linux", () => ({ type: "missing" }));
  expect(await install(without, plan)).toMatchObject({ type: "written", reason: "ENOENT" });
});

it("says what to do where there is neither", () => {
  expect(() => planInstall(system("freebsd"), request)).toThrow(/neither systemd nor launchd/);
});

it("has the system start it again, where the system does that", async () => {
  expect(await restartUnit(system("linux"))).toBe(true);
  expect(await restartUnit(system("linux", () => ({ type: "missing" })))).toBe(false);
  expect(await restartUnit(system("win32"))).toBe(false);
});

it("tells what a program said, and that there is none", async () => {
  const ended = await runProgram(process.execPath, ["-e", "console.error('no'); process.exit(3)"]);
  expect(ended).toEqual({ type: "ended", status: 3, said: "no\n" });
  expect(await runProgram(join(directory, "absent"), [])).toEqual({ type: "missing" });
});
