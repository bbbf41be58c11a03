/** Approves and runs a number of harmless commands, one after the other, and prints what was approved, one line of JSON each. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { stagePrograms } from "../../sandbox/programs/testing/stage-programs.ts";
import { createExactStage } from "./exact-stage.ts";

const count = Number(process.argv[2]);
const programs = await stagePrograms();
const stage = createExactStage(programs.programs);

const words = [
  "plain",
  "'two words'",
  '"a\\"b"',
  "$LANG",
  "-n",
  "--long=value",
  "привет",
  "你好，世界",
  "a\u202eb",
  "'line\nbreak'",
  "\\\\",
  "'$(id)'",
  "😀",
  "a\u0301",
  "'tab\there'",
  ">/dev/null",
  "*",
];
const programsOfWorld = [
  "build",
  "check",
  "true",
  "echo",
  ":",
  "sh -c 'build' x",
  "FOO=bar check",
  "env FOO=1 build",
];

try {
  for (let number = 0; number < count; number++) {
    const some = words.filter((_, index) => (number * 7919 + index * 104_729) % 5 === 0);
    const command = `${programsOfWorld[number % programsOfWorld.length]} ${some.join(" ")} # ${number}`;
    const cwd = ["sub", "other", ".", `made ${number % 9}`][number % 4] ?? ".";
    mkdirSync(join(stage.workdir, cwd), { recursive: true });
    const { environment } = stage.world();
    stage.change({ environment: { ...environment, LISTED: `value ${number} ${some.join("")}` } });
    const input = { command, cwd };
    const exact = await stage.approve(input);
    const outcome = await stage.run(input, exact);
    process.stdout.write(`${JSON.stringify({ command, exact, outcome })}\n`);
  }
} finally {
  await programs.remove();
  stage.remove();
}
