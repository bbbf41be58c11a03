/** A process that starts a program and says so; a test kills it. Arguments: the directory, the command. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../../infra/clock.ts";
import { createIds } from "../../../infra/ids.ts";
import { createRedactor } from "../../../infra/redactor.ts";
import { createPrograms } from "../create-programs.ts";

const [directory = "", command = ""] = process.argv.slice(2);
const programs = createPrograms({
  directory,
  clock: systemClock,
  ids: createIds(),
  redactor: createRedactor(),
  maxProcesses: () => 16,
});
const program = await programs.start({
  command,
  cwd: "/",
  sessionKey: "s1",
  call: () => ({
    file: "/bin/sh",
    args: ["-c", command],
    cwd: "/",
    environment: { PATH: process.env["PATH"] ?? "/usr/bin:/bin" },
  }),
});
program.background(() => undefined);
const file = join(directory, program.record().id, "output");
/** On the disk: what was only heard by then is lost with this process. */
const isKept = () => existsSync(file) && readFileSync(file, "utf8").includes("ready");
const ready = () => (isKept() ? void process.stdout.write("started\n") : void setTimeout(ready, 5));
ready();
