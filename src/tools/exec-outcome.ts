/** The result of a program, as the model sees it. */
import { constants } from "node:os";
import { lastPart } from "../infra/cut-text.ts";
import { isOver, type ProgramOutput, type ProgramRecord } from "../sandbox/programs/program.ts";

/** 124 after a time limit, as `timeout` does; 128 plus the signal's number, as shells do. */
export function exitCodeOf({ exitCode = 0, signal, timedOut }: ProgramRecord): number {
  if (timedOut) return 124;
  if (signal === undefined) return exitCode;
  return 128 + (constants.signals[signal as NodeJS.Signals] ?? 0);
}

/** The output, with a mark if its beginning is missing. */
export function shownOutput({ text, dropped }: ProgramOutput): string {
  const shown = text.trimEnd() || (dropped > 0 ? "" : "(no output)");
  return dropped > 0 ? `[… ${dropped} bytes before this were left out]\n${shown}` : shown;
}

/** For the transcript, beside the text for the model; `process log` shows everything that is stored. */
export function storedOutput(text: string): { output: string; outputCut?: true } {
  if (text.length <= mostStored) return { output: text };
  return { output: lastPart(text, mostStored), outputCut: true };
}

const mostStored = 20_000;

/** In brackets behind the output. */
export const stateWords = (record: ProgramRecord): string =>
  record.wall === undefined ? `${endWordsOf(record)}, outside any sandbox` : endWordsOf(record);

function endWordsOf(record: ProgramRecord): string {
  if (record.state === "lost") return "lost: Pincer ended while it ran";
  if (!isOver(record)) return `${record.id} is running`;
  const { signal, timeoutMs = 0 } = record;
  if (record.timedOut) return `timed out after ${Math.round(timeoutMs / 1000)} s`;
  return signal === undefined ? `exit code ${exitCodeOf(record)}` : `ended by ${signal}`;
}

/** What the program changed without permission. */
export function putBackWords({ putBack = [], putBackAs = {}, unchecked }: ProgramRecord): string {
  const back = putBack.map((name) => {
    const { keptAs = name.replace(/(?=\/|$)/, ".unreviewed"), runs } = putBackAs[name] ?? {};
    const why = runs
      ? "it runs by itself outside the sandbox, so no program may change it after texts of others were read"
      : "it steers the assistant, so no program may change it";
    return `\n[${name} was put back: ${why}. What was written there is kept as ${keptAs}; ask the owner]`;
  });
  return [
    ...back,
    ...(unchecked ? ["\n[whether it changed files that steer the assistant is not known]"] : []),
  ].join("");
}

/** Why it may have failed: what the wall showed read-only. */
export function guardWords({ guarded, exitCode }: ProgramRecord, { text }: ProgramOutput): string {
  const isRefused = /read-only file system|device or resource busy|cross-device link/i.test(text);
  return guarded && exitCode !== 0 && isRefused
    ? "\n[what runs by itself outside the sandbox, such as hooks and the config of git, is read-only for programs here, because texts of others were read; the file tools ask the owner]"
    : "";
}

export const durationOf = ({ startedAt, endedAt }: ProgramRecord): number =>
  endedAt === undefined ? 0 : Date.parse(endedAt) - Date.parse(startedAt);

/** The message to the session when a background program has ended. */
export const endWords = (record: ProgramRecord, output: ProgramOutput): string =>
  `Program ${record.id} (${record.slug}) has ended [${stateWords(record)}]. Its last lines:\n${lastPart(shownOutput(output), mostLast)}${putBackWords(record)}${guardWords(record, output)}`;

const mostLast = 2000;
