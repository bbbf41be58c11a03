/**
 * A small world in which commands are approved and then run: a workdir, programs on a PATH of its own, an environment and settings that can be
 * changed between the yes and the start. Nothing is really started here; what would be is noted as the system would see it.
 */
import { createHash } from "node:crypto";
import {
  accessSync,
  chmodSync,
  constants,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Tool, ToolOutput } from "@pincer/sdk";
import { createHandClock } from "@pincer/sdk/testing";
import type { Programs, ProgramStart, RunningProgram } from "../../sandbox/programs/program.ts";
import type { ProgramCall, WallChoice } from "../../sandbox/walls/wall.ts";
import { createWorkdirRegistry } from "../../sandbox/workdir-registry.ts";
import { createExecTool } from "../exec.ts";

export interface ExecInput {
  command: string;
  cwd?: string;
  timeoutSec?: number;
  background?: boolean;
  yieldMs?: number;
}

export type ExactStage = ReturnType<typeof createExactStage>;

/** Programs of the world; each says what it is. */
export const programNames = ["build", "check", "deploy"] as const;

/** With `real` programs are really started. */
export function createExactStage(real?: Pick<Programs, "start">) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "pincer-exact-")));
  const [workdir, first, second] = [join(root, "work"), join(root, "first"), join(root, "second")];
  const path = `${first}:${second}:/usr/bin:/bin`;
  for (const directory of [join(workdir, "sub"), join(workdir, "other"), first, second])
    mkdirSync(directory, { recursive: true });
  for (const name of programNames) writeProgram(join(second, name), "one");
  // Small, since each is read before each start; nobody starts them.
  for (const name of ["one-shell", "other-shell"]) writeProgram(join(root, name), name);

  const usual = () => ({
    environment: { PATH: path, LANG: "C", LISTED: "yes", UNLISTED: "yes" } as Record<string, string>,
    settings: {
      timeoutSec: 60,
      safeBins: [] as string[],
      environment: ["LISTED"],
      shell: (real ? "/bin/sh" : join(root, "one-shell")) as string | undefined,
    },
    choice: { type: "unwalled", profile: "none", reason: "sandbox is none" } as WallChoice,
  });
  let world = usual();
  let started: Image[] = [];
  /** Which programs of the world the command in question runs. */
  let runs: readonly string[] = [];
  /** Done between the last look and the start, and between the start and the first step of the program. */
  let beforeCall = () => {};
  let afterCall = () => {};

  const programs: Pick<Programs, "start"> = {
    async start(start) {
      beforeCall();
      const call = start.call("p_1");
      afterCall();
      const image = imageOf(
        call,
        start,
        runs.map((name) => foundBy(path, name)),
      );
      started.push(image);
      return endedProgram(start, () => (image.isBackground = true));
    },
  };

  const tool = (): Tool =>
    createExecTool({
      programs: (real ?? programs) as Programs,
      shells: { inOrder: async (configured) => [configured ?? "/bin/sh"], path: async () => path },
      wall: async () => world.choice,
      enclosure: async () => ({ workdir, readable: [], closed: [], network: { type: "none" } }),
      workdir,
      workdirs: () => [],
      registry: createWorkdirRegistry(),
      lasts: true,
      settings: () => world.settings,
      environment: world.environment,
      home: "/nowhere",
      clock: createHandClock(0),
    });

  const signal = new AbortController().signal;
  const call = { callId: "c1", sessionKey: "s1", signal, approved: true as const };

  return {
    root,
    workdir,
    /** Directories of PATH, in its order. */
    first,
    second,
    world: () => world,
    runs: (names: readonly string[]) => (runs = names),
    change: (changed: Partial<typeof world>) => (world = { ...world, ...changed }),
    before: (work: () => void) => (beforeCall = work),
    after: (work: () => void) => (afterCall = work),
    async approve(input: ExecInput): Promise<string> {
      return (await tool().describe?.(input, {}))?.exact ?? "";
    },
    describe: (input: ExecInput) => tool().describe?.(input, {}),
    /** What would be started without any comparison, or why nothing would be. */
    async imageOf(input: ExecInput): Promise<Image | string> {
      started = [];
      try {
        await tool().run(input, call);
        return started[0] ?? "nothing was started";
      } catch (error) {
        return (error as Error).message;
      }
    },
    /** What was started under an approval, or why nothing was. */
    async run(input: ExecInput, exact: string): Promise<Image | string> {
      started = [];
      try {
        const output: ToolOutput = await tool().run(input, { ...call, exact });
        return started[0] ?? output.text;
      } catch (error) {
        return started.length > 0 ? "started, and then failed" : (error as Error).message;
      }
    },
    reset() {
      world = usual();
      beforeCall = () => {};
      afterCall = () => {};
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

export function writeProgram(file: string, says: string): void {
  writeFileSync(file, `#!/bin/sh\necho ${says}\n`);
  chmodSync(file, 0o755);
}

/** What the system would be handed, found in other ways than those that are tested. */
export interface Image {
  argv: readonly string[];
  environment: Record<string, string>;
  /** Device and number. */
  directory: string;
  pwd: string;
  wall: string;
  timeoutMs: number | undefined;
  isBackground: boolean;
  /** Content and number of what each name would run. */
  files: readonly string[];
}

function imageOf(
  { file, args, cwd, environment }: ProgramCall,
  start: ProgramStart,
  files: readonly string[],
): Image {
  const argv = file === "/usr/bin/env" ? args.slice(1) : [file, ...args];
  const { PINCER_PROGRAM: _, PWD = "", ...others } = environment;
  const found = statSync(cwd);
  return {
    argv,
    environment: others,
    directory: `${found.dev}:${found.ino}`,
    pwd: file === "/usr/bin/env" ? (args[0] ?? "").slice("PWD=".length) : PWD,
    wall: start.wall ?? "none",
    timeoutMs: start.timeoutMs,
    isBackground: false,
    files: [argv[0] ?? "", ...files].map(fingerprint),
  };
}

function foundBy(path: string, name: string): string {
  return (
    path
      .split(":")
      .map((directory) => join(directory, name))
      .find((file) => {
        try {
          accessSync(file, constants.X_OK);
          return statSync(file).isFile();
        } catch {
          return false;
        }
      }) ?? ""
  );
}

function fingerprint(file: string): string {
  if (file === "") return "none";
  const { ino, dev } = statSync(file);
  return `${realpathSync(file)} ${dev}:${ino} ${createHash("sha256").update(readFileSync(file)).digest("hex")}`;
}

function endedProgram({ command, cwd }: ProgramStart, onBackground: () => void): RunningProgram {
  const record = {
    id: "p_1",
    slug: "p",
    state: "exited" as const,
    command,
    cwd,
    sessionKey: "s1",
    pid: 1,
    startedAt: "1970-01-01T00:00:00.000Z",
    endedAt: "1970-01-01T00:00:00.000Z",
    exitCode: 0,
  };
  const nothing = { text: "", dropped: 0 };
  return {
    record: () => record,
    output: () => nothing,
    poll: () => nothing,
    inspect: async () => {},
    write: () => {},
    sendKey: () => {},
    background: onBackground,
    kill: async () => {},
    ended: Promise.resolve(record),
  };
}
