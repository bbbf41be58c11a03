import { defineTool, PincerError, type Tool, type ToolCallContext, type ToolOutput } from "@pincer/sdk";
import { Type } from "typebox";
import type { RunningProgram } from "../sandbox/programs/program.ts";
import { readCommand } from "../sandbox/shell/read-command.ts";
import { whyAsk } from "./exec-approval.ts";
import { durationOf, endWords, exitCodeOf, shownOutput, stateWords, storedOutput } from "./exec-outcome.ts";
import { placeOf, startCommand, type ExecParts } from "./exec-start.ts";

const input = Type.Object({
  command: Type.String(),
  cwd: Type.Optional(Type.String({ description: "In the workdir" })),
  timeoutSec: Type.Optional(Type.Integer({ minimum: 1, maximum: 86_400 })),
  background: Type.Optional(Type.Boolean()),
  yieldMs: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 600_000, description: "Go to the background after so long" }),
  ),
});

/** Runs a command of the model, or the line that a person wrote. */
export function createExecTool(parts: ExecParts): Tool {
  return defineTool({
    name: "exec",
    aliases: ["shell.exec", "bash.exec", "bash", "shell", "run_command"],
    effect: "act",
    idempotent: false,
    description: "Run a shell command in the workdir. One in the background tells when it ends; see process.",
    input,
    changes: () => "anything",
    needsApproval: async ({ command, cwd }) => whyAsk(await parts.wall(), placeOf(parts, { command, cwd })),
    async run({ command, cwd, timeoutSec, background = false, yieldMs }, call) {
      const isLine = call.byHand === "line";
      // A shell tells people itself what it cannot read.
      if (!isLine) await refuseUnreadable(command);
      if (background && !parts.lasts) throw new Error(needsGateway);
      const mayGoOn = parts.lasts && (background || yieldMs !== undefined);
      const seconds = isLine
        ? lineSeconds
        : (timeoutSec ?? (mayGoOn ? undefined : parts.settings().timeoutSec));
      call.signal.throwIfAborted();
      const program = await startCommand(parts, {
        command,
        cwd,
        sessionKey: call.sessionKey,
        turnId: call.turnId,
        destination: call.conversation,
        timeoutMs: seconds === undefined ? undefined : seconds * 1000,
        isApproved: call.approved === true,
        ...(isLine && { shell: "/bin/sh" }),
      });
      return background
        ? leave(program, call)
        : await attend(parts, program, call, mayGoOn ? yieldMs : undefined);
    },
  });
}

const needsGateway =
  "nothing can go on in the background here: it ends with this command. Start the gateway (pincer gateway run), or run it without background";

/** A line that a person typed is waited for, and not for long. */
const lineSeconds = 30;

async function refuseUnreadable(command: string): Promise<void> {
  const reading = await readCommand(command);
  if (reading.type === "unreadable")
    throw new PincerError("tool/invalid-args", `the command cannot be read: ${reading.reason}`);
}

/** Waits for its end, but no longer than it may take; a turn that is stopped takes it along. */
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
    return {
      text: `${shownOutput(output)}\n[${stateWords(record)}]`,
      details: {
        exitCode: exitCodeOf(record),
        ...storedOutput(output.text),
        durationMs: durationOf(record),
        programId: record.id,
        ...(record.timedOut && { timedOut: true }),
      },
    };
  } finally {
    done.abort();
    call.signal.removeEventListener("abort", stop);
  }
}

function leave(program: RunningProgram, call: ToolCallContext): ToolOutput {
  const { later } = call;
  // Where the session cannot be told any more, the next start tells it, and `process` does in any case.
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
