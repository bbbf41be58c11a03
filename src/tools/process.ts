import {
  defineTool,
  PincerError,
  type GateReason,
  type Tool,
  type ToolCallContext,
  type ToolOutput,
} from "@pincer/sdk";
import { Type, type Static } from "typebox";
import type { Clock } from "../infra/clock.ts";
import { gateReason } from "../infra/gate-reasons.ts";
import { noLonger } from "../infra/no-longer.ts";
import { shorten } from "../infra/one-line.ts";
import {
  isOver,
  type FoundProgram,
  type Programs,
  type RunningProgram,
} from "../sandbox/programs/program.ts";
import { visibleCommand } from "../sandbox/shell/visible-command.ts";
import { unapproved } from "./exec-approval.ts";
import { exitCodeOf, putBackWords, shownOutput, stateWords } from "./exec-outcome.ts";

export interface ProcessParts {
  programs: Programs;
  clock: Clock;
}

const actions = ["list", "poll", "log", "write", "send_key", "kill", "abort"] as const;
type Action = (typeof actions)[number];

const input = Type.Object({
  action: Type.Enum([...actions]),
  id: Type.Optional(Type.String()),
  text: Type.Optional(Type.String()),
  key: Type.Optional(Type.String({ description: "Such as enter, up, ctrl-c" })),
  waitSec: Type.Optional(Type.Integer({ minimum: 0, maximum: 300 })),
});

/** Programs of the same session only. */
export function createProcessTool({ programs, clock }: ProcessParts): Tool {
  return defineTool({
    name: "process",
    effect: "act",
    // Its programs are behind the wall that they were started behind.
    controls: {},
    leaves: [],
    resultOrigin: "program",
    description: "Look at or steer programs of exec: new output (poll), all (log), type into one.",
    input,
    changes: ({ action }) => (isTyping(action) ? "anything" : []),
    async needsApproval({ action, id = "" }, { place }) {
      if (!isTyping(action)) return undefined;
      if (!place) return [gateReason("types")];
      // Nothing can be typed into an ended program: the call says so itself.
      const running = (await programs.find(place.sessionKey, id))?.running;
      return running && whyAskToType(running);
    },
    async describe(given, { place }) {
      const found = place && (await programs.find(place.sessionKey, given.id ?? ""));
      const typed = visibleCommand(given.text ?? given.key ?? "");
      const into = found ? ` into ${found.record.id} (${visibleCommand(found.record.command)})` : "";
      return { shown: `${given.action} ${typed}${into}`, exact: exactOf(given, found?.record.id) };
    },
    async run(given, call) {
      const { action, id, text, key, waitSec = 0 } = given;
      if (action === "list") return listed(await programs.list(call.sessionKey));
      const found = await findProgram(programs, call.sessionKey, id);
      if (action === "log") return told(found, shownOutput(await found.output()));
      if (action === "poll") return poll(found, { waitMs: waitSec * 1000, clock, signal: call.signal });
      // By now the name may mean another program than the approved one.
      if (call.exact !== undefined && call.exact !== exactOf(given, found.record.id))
        throw new Error("not done: what was approved is no longer what would be done; ask again");
      const { running } = found;
      if (!running) throw new Error(`${found.record.id} does not run any more [${stateWords(found.record)}]`);
      // Checked for the actual program: the name may mean another one by now.
      const reasons = isTyping(action) && call.approved !== true ? whyAskToType(running) : undefined;
      if (reasons) throw unapproved("process", reasons);
      if (action === "write") running.write(required(text, "text"));
      else if (action === "send_key") running.sendKey(required(key, "key"));
      else await running.kill();
      return told(
        { ...found, record: running.record() },
        action === "write" || action === "send_key" ? "sent" : "ended",
      );
    },
  });
}

const exactOf = ({ action, text, key }: Static<typeof input>, programId: string | undefined): string =>
  JSON.stringify([action, programId ?? null, text ?? null, key ?? null]);

/** Text typed into a shell is a command; the wall of the running program decides. */
const whyAskToType = (running: RunningProgram): GateReason[] | undefined =>
  running.record().wall === undefined ? [gateReason("types")] : undefined;

const isTyping = (action: Action): boolean => action === "write" || action === "send_key";

async function findProgram(
  programs: Programs,
  sessionKey: string,
  id: string | undefined,
): Promise<FoundProgram> {
  const found = await programs.find(sessionKey, required(id, "id"));
  if (!found) throw new Error(`this session has no program ${id}; list tells which there are`);
  return found;
}

function required(value: string | undefined, name: string): string {
  if (value === undefined) throw new PincerError("tool/invalid-args", `process: ${name} is missing`);
  return value;
}

interface PollTerms {
  waitMs: number;
  clock: Clock;
  signal: ToolCallContext["signal"];
}

async function poll(found: FoundProgram, terms: PollTerms): Promise<ToolOutput> {
  const { running } = found;
  if (running && terms.waitMs > 0) await waitFor(running, terms);
  await running?.inspect();
  const { text, dropped } = await found.poll();
  const said = text.trimEnd() === "" && dropped === 0 ? "(nothing new)" : shownOutput({ text, dropped });
  return told({ record: running?.record() ?? found.record }, said);
}

async function waitFor(running: RunningProgram, { waitMs, clock, signal }: PollTerms): Promise<void> {
  const over = new AbortController();
  const either = AbortSignal.any([over.signal, signal]);
  await Promise.race([running.ended, clock.sleep(waitMs, either).catch(() => undefined)]);
  over.abort(noLonger);
  signal.throwIfAborted();
}

function told({ record }: Pick<FoundProgram, "record">, text: string): ToolOutput {
  const { id, slug, state, pid } = record;
  return {
    text: `${text}\n[${stateWords(record)}]${putBackWords(record)}`,
    details: { programId: id, slug, state, pid, ...(isOver(record) && { exitCode: exitCodeOf(record) }) },
  };
}

function listed(records: Awaited<ReturnType<Programs["list"]>>): ToolOutput {
  const lines = records.map(
    (record) =>
      `${record.id} ${record.slug} [${stateWords(record)}] since ${record.startedAt}: ${shorten(record.command, 80)}`,
  );
  return { text: lines.join("\n") || "no programs", details: { programs: records } };
}
