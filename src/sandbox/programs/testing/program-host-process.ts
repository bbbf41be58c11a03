/** A process that starts a program and says so; a test kills it. Arguments: the directory, the command. */
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
const ready = () =>
  program.output().text.includes("ready")
    ? void process.stdout.write("started\n")
    : void setTimeout(ready, 5);
ready();
