/** One program from start to end: input, ending, and its record. */
import { timestamp, type Clock } from "../../infra/clock.ts";
import { failure } from "../../infra/failure.ts";
import type { KeptOutput } from "./kept-output.ts";
import type { ProcessTable } from "./process-table.ts";
import type { ProgramStore, StoredProgram } from "./program-store.ts";
import type { ProgramRecord, ProgramWatch, RunningProgram } from "./program.ts";
import { keySequence } from "./terminal-keys.ts";
import type { Ending, Terminal } from "./terminal.ts";

export interface FollowedParts {
  stored: StoredProgram;
  terminal: Terminal;
  output: KeptOutput;
  timeoutMs: number | undefined;
  end: (() => Promise<void>) | undefined;
  watch: ProgramWatch | undefined;
  clock: Clock;
  processes: ProcessTable;
  store: ProgramStore;
  /** Whether programs end because their host does. */
  isClosing(): boolean;
}

export function followProgram(parts: FollowedParts): RunningProgram & { save(): void } {
  const { stored, terminal, output, timeoutMs, end, watch, clock, processes, store, isClosing } = parts;
  const over = new AbortController();
  let { record } = stored;
  let notices: Array<(record: ProgramRecord) => unknown> = [];
  let isTimedOut = false;
  /** Its pid may be reused from now on. */
  let isGone = false;
  let killing: Promise<void> | undefined;
  let saving: Promise<unknown> = Promise.resolve();

  const save = () => {
    const next = { ...stored, record, outputStart: output.fileStart() };
    // A full disk costs the record, not the program.
    saving = saveAfter(saving, next).catch(() => undefined);
  };

  async function saveAfter(before: Promise<unknown>, noted: StoredProgram): Promise<void> {
    await before;
    await store.save(noted);
  }

  /** Ends what it left behind. Never rejects: remains are found by their mark at the next start. */
  const endRemains = () =>
    harmless(() =>
      processes.endAll({
        ids: new Set([record.id]),
        leaders: stored.processStart === "" ? new Map() : new Map([[record.pid, stored.processStart]]),
      }),
    );

  async function inspect(): Promise<void> {
    const found = await watch?.inspect().catch(() => "unchecked" as const);
    if (found === "unchecked" || watch?.isPartial?.()) record = { ...record, unchecked: true };
    if (found !== "unchecked" && found && found.length > 0)
      record = {
        ...record,
        putBack: [...new Set([...(record.putBack ?? []), ...found])],
        ...(watch?.putBack && { putBackAs: watch.putBack() }),
      };
  }

  /** Two inspections at once would undo each other's work. */
  let inspecting: Promise<void> = Promise.resolve();
  const inspectInTurn = () => (inspecting = inspecting.then(inspect));

  async function settle(ending: Ending): Promise<ProgramRecord> {
    isGone = true;
    await endRemains();
    await harmless(() => end?.());
    await inspectInTurn();
    watch?.end();
    await output.written();
    const { exitCode, signal } = ending;
    const facts = {
      endedAt: timestamp(clock),
      exitCode,
      ...(signal !== undefined && { signal }),
      ...(isTimedOut && { timedOut: true as const }),
    };
    // A program that ends with its host is lost.
    record = { ...record, ...facts, state: isClosing() ? "lost" : "exited" };
    save();
    await saving;
    over.abort();
    for (const notify of isClosing() ? [] : notices) void harmless(() => tell(notify));
    notices = [];
    return record;
  }

  /** Marked only after delivery: otherwise the next host notifies. */
  async function tell(notify: (record: ProgramRecord) => unknown): Promise<void> {
    await notify(record);
    record = { ...record, told: true };
    save();
  }

  const ended = terminal.ended.then(settle);

  async function kill(): Promise<void> {
    if (!isGone) terminal.signal("SIGTERM");
    const grace = clock.sleep(graceMs, over.signal).then(
      () => {
        if (!isGone) terminal.signal("SIGKILL");
        return endRemains();
      },
      // It had ended before.
      () => undefined,
    );
    await Promise.race([ended, grace]);
    await ended;
  }

  const endAtOnce = () => (killing ??= kill());

  if (timeoutMs !== undefined)
    void clock.sleep(timeoutMs, over.signal).then(
      () => {
        isTimedOut = true;
        return endAtOnce();
      },
      // It ended in time.
      () => undefined,
    );

  function type(text: string): void {
    if (over.signal.aborted) throw failure("tool/failed", "programs.over", { id: record.id });
    terminal.write(text);
  }

  return {
    record: () => record,
    output: () => output.read(),
    poll: () => output.readNew(over.signal.aborted),
    inspect: async () => {
      if (!isGone) await inspectInTurn();
    },
    write: type,
    sendKey: (key) => type(keySequence(key)),
    background(notify) {
      if (notify) record = { ...record, tells: true };
      if (over.signal.aborted) {
        save();
        return void (notify && harmless(() => tell(notify)));
      }
      if (notify) notices.push(notify);
      record = { ...record, state: "backgrounded" };
      save();
    },
    kill: endAtOnce,
    ended,
    save,
  };
}

const graceMs = 2000;

/** Calls foreign code at once and swallows its errors. */
async function harmless(act: () => unknown): Promise<void> {
  try {
    await act();
  } catch {
    // Its owner reports its errors; they must not affect the end of a program.
  }
}
