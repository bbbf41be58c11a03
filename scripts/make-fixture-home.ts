/**
 * Makes the fixture home of this version, `test/fixtures/homes/<version>`, by using the product. Run once per release;
 * `test/old-homes.test.ts` opens every one of them with the code of today.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildIfNeeded } from "./build-if-needed.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
const home = join(root, "test", "fixtures", "homes", version);
if (existsSync(home)) throw new Error(`${home} exists; a fixture home is never made anew`);

await buildIfNeeded();
run(["config", "set", "agents.defaults.toolMaxSteps", "7"]);
run(["config", "set", "tools.deny", '["shell_pwd"]']);
run(["secrets", "set", "sample"], "not-a-real-secret");
ask(["--session", "work", "--memory", "Remember that the demo is on Friday."]);
ask(["--session", "work", 'tool:tools_echo {"text":"hello"}']);
ask(["--session", "work", "--new-session", "A new beginning."]);
ask(["--session", "agent:main:telegram:dm:42", "你好，世界"]);
const exported = Object.fromEntries(
  ["work", "agent:main:telegram:dm:42"].map((key) => [key, run(["sessions", "export", key])]),
);
writeFileSync(
  join(home, "expected.json"),
  `${JSON.stringify({ secret: "not-a-real-secret", exported }, null, 2)}\n`,
);
rmSync(join(home, "cache"), { recursive: true, force: true });

/** The workdir is written into the transcripts; this one is nobody's. */
function ask(args: string[]): void {
  run(["ask", "--workdir", "/srv/pincer", ...args]);
}

function run(args: string[], input = ""): string {
  const ended = spawnSync(process.execPath, [join(root, "bin", "pincer.mjs"), ...args], {
    env: { PATH: process.env["PATH"], PINCER_HOME: home },
    cwd: "/",
    encoding: "utf8",
    input,
  });
  if (ended.status !== 0) throw new Error(`${args.join(" ")}: ${ended.stderr}`);
  return ended.stdout;
}
