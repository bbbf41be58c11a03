import { defineTool, PincerError, type Tool, type ToolCallContext, type ToolOutput } from "@pincer/sdk";
import { Type, type Static } from "typebox";
import { noLonger } from "../infra/no-longer.ts";
import type { RunningProgram } from "../sandbox/programs/program.ts";
import { readCommand } from "../sandbox/shell/read-command.ts";
import { requiresExecApproval } from "./exec-approval.ts";
import { describeExec } from "./exec-describe.ts";
import {
  durationOf,
  endWords,
  exitCodeOf,
  guardWords,
  putBackWords,
  shownOutput,
  stateWords,
  storedOutput,
} from "./exec-outcome.ts";
import { locate, type ExecTiming } from "./exec-plan.ts";
import type { ExecParts } from "./exec-parts.ts";
import { startCommand } from "./exec-start.ts";

const input = Type.Object({
  command: Type.String(),
  cwd: Type.Optional(Type.String({ description: "In the workdir" })),
  // Another name for it, which models know from elsewhere.
  workdir: Type.Optional(Type.String()),
  timeoutSec: Type.Optional(Type.Integer({ minimum: 1, maximum: 86_400 })),
  background: Type.Optional(Type.Boolean()),
  yieldMs: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 600_000, description: "Go to the background after this time" }),
  ),
});

/** Runs a command of the model, or a line that a person typed. */
export function createExecTool(parts: ExecParts): Tool {
  return defineTool({
    name: "exec",
    aliases: ["shell.exec", "bash.exec", "bash", "shell", "run_command"],
    effect: "act",
    // Behind a wall it reaches only configured hosts; without one the whole call needs approval.
    controls: { command: "program", cwd: "path", workdir: "path" },
    leaves: [],
    resultOrigin: "program",
    idempotent: false,
    description: "Run a shell command in the workdir. One in the background tells when it ends; see process.",
    input,
    changes: () => "anything",
    async needsApproval(given) {
      const cwd = locate(parts, directoryOf(given));
      const security = { choice: await parts.wall(), workdir: locate(parts), cwd };
      return requiresExecApproval(given.command, security, parts.settings().safeBins);
    },
    describe: async (given) =>
      describeExec(parts, { command: given.command, cwd: directoryOf(given), ...timingOf(parts, given) }),
    async run(given, call) {
      const { command, background = false } = given;
      const cwd = directoryOf(given);
      const isLine = call.byHand === "line";
      // For a line of a person the shell itself reports what it cannot read.
      if (!isLine) await refuseUnreadable(command);
      if (background && !parts.lasts) throw new Error(needsGateway);
      const timing = timingOf(parts, given);
      call.signal.throwIfAborted();
      const program = await startCommand(parts, {
        command,
        cwd,
        ...timing,
        isSensitive: call.place?.isSensitive,
        guards: await guardsFor(parts, call, background || timing.yieldMs !== undefined),
        sessionKey: call.sessionKey,
        turnId: call.turnId,
        destination: call.conversation,
        isApproved: call.approved === true,
        exact: call.exact,
        // Nobody can type into a line: waiting for input would last until the timeout.
        input: isLine ? "none" : "terminal",
        ...(isLine && { shell: "/bin/sh", timeoutMs: lineMs }),
      });
      return background ? leave(program, call) : await attend(parts, program, call, timing.yieldMs);
    },
  });
}

const directoryOf = ({ cwd, workdir }: { cwd?: string; workdir?: string }): string | undefined =>
  cwd ?? workdir;

const needsGateway =
  "nothing can go on in the background here: it ends with this command. Start the gateway (pincer gateway run), or run it without background";

/**
 * What runs by itself outside the wall is free for programs that nobody else can have a say in: where no text of others
 * was read, where no file is as a tainted turn left it without the owner having seen that, and where the program ends
 * with the call.
 */
async function guardsFor(
  { hasUnseen }: Pick<ExecParts, "hasUnseen">,
  call: Pick<ToolCallContext, "contextLabel">,
  goesOn: boolean,
): Promise<"steering" | "all"> {
  const isTainted = (await call.contextLabel?.())?.untrusted ?? true;
  return isTainted || goesOn || (await hasUnseen?.()) === true ? "all" : "steering";
}

/** The time limit for a line that a person typed. */
const lineMs = 30_000;

/** A program that may go on gets a limit only on request. */
function timingOf(
  { lasts, settings }: ExecParts,
  { timeoutSec, background = false, yieldMs }: Static<typeof input>,
): ExecTiming {
  const mayGoOn = lasts && (background || yieldMs !== undefined);
  const seconds = timeoutSec ?? (mayGoOn ? undefined : settings().timeoutSec);
  return {
    timeoutMs: seconds === undefined ? undefined : seconds * 1000,
    background,
    yieldMs: mayGoOn ? yieldMs : undefined,
  };
}

async function refuseUnreadable(command: string): Promise<void> {
  const reading = await readCommand(command);
  if (reading.type === "unreadable")
    throw new PincerError("tool/invalid-args", `the command cannot be read: ${reading.reason}`);
}

/** Waits for its end, at most as long as it may take; stopping the turn stops it. */
async function attend(
  { clock }: ExecParts,
  program: RunningProgram,
  call: ToolCallContext,
  yieldMs: number | undefined,
): Promise<ToolOutput> {
  const done = new AbortController();
  const stop = () => void program.kill();
  call.signal.addEventListener("abort", stop, { once: true });
  if (call.signal.aborted) stop();
  try {
    const yielded =
      yieldMs === undefined
        ? undefined
        : clock.sleep(yieldMs, done.signal).then(
            () => "yielded" as const,
            () => "over" as const,
          );
    const first = await Promise.race([
      program.ended.then(() => "over" as const),
      ...(yielded ? [yielded] : []),
    ]);
    if (first === "yielded" && !call.signal.aborted) return leave(program, call);
    const record = await program.ended;
    call.signal.throwIfAborted();
    const output = program.output();
    // Everything is reported here: a later poll has nothing new.
    program.poll();
    return {
      text: `${shownOutput(output)}\n[${stateWords(record)}]${putBackWords(record)}${guardWords(record, output)}`,
      details: {
        exitCode: exitCodeOf(record),
        ...storedOutput(output.text),
        durationMs: durationOf(record),
        programId: record.id,
        ...(record.timedOut && { timedOut: true }),
        ...(record.putBack && { putBack: record.putBack }),
      },
    };
  } finally {
    done.abort(noLonger);
    call.signal.removeEventListener("abort", stop);
  }
}

function leave(program: RunningProgram, call: ToolCallContext): ToolOutput {
  const { later } = call;
  // If the session cannot be notified now, the next start does it; `process` shows it in any case.
  program.background(later && ((record) => later({ text: endWords(record, program.output()) })));
  const { id, slug, pid } = program.record();
  const { text } = program.poll();
  const said = text.trimEnd();
  return {
    text: `${said === "" ? "" : `${said}\n`}[running in the background as ${id}; look at it with process, its end will be told]`,
    details: { programId: id, slug, pid, ...storedOutput(text) },
    async: true,
  };
}
