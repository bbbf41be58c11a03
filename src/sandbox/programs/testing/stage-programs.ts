import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHandClock } from "@pincer/sdk/testing";
import { createIds } from "../../../infra/ids.ts";
import { createRedactor } from "../../../infra/redactor.ts";
import { createPrograms, type ProgramsParts } from "../create-programs.ts";
import type { ProgramStart } from "../program.ts";

export interface ProgramStage extends Awaited<ReturnType<typeof stagePrograms>> {}

/** Programs in a directory of their own, with a clock that stands still. */
export async function stagePrograms(more: Partial<ProgramsParts> = {}) {
  const root = await realpath(await mkdtemp(join(tmpdir(), "pincer-programs-")));
  const directory = join(root, "programs");
  const clock = createHandClock(Date.now());
  const redactor = createRedactor();
  const parts = { directory, clock, ids: createIds(), redactor, maxProcesses: () => 16, ...more };
  const programs = createPrograms(parts);

  const start = (command: string, given: Partial<ProgramStart> = {}) =>
    programs.start({ command, cwd: root, sessionKey: "s1", call: () => shellCall(command, root), ...given });

  return {
    root,
    directory,
    clock,
    redactor,
    programs,
    start,
    /** Another process's view of the same directory. */
    again: (given: Partial<ProgramsParts> = {}) => createPrograms({ ...parts, ...given }),
    async remove() {
      const closed = programs.close();
      await clock.advance(2000);
      await closed;
      await rm(root, { recursive: true, force: true });
    },
  };
}

export const shellCall = (command: string, cwd: string) => ({
  file: "/bin/sh",
  args: ["-c", command],
  cwd,
  environment: { PATH: process.env["PATH"] ?? "/usr/bin:/bin", TERM: "xterm-256color" },
});
