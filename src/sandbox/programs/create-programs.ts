/**
 * Manages the programs that were started for an agent. Each has its own terminal and ends with the process that
 * started it. Its output and state are written to disk at once, so that the next start can report them after a crash.
 */
import { accessSync, constants } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { createRecent } from "@pincer/sdk";
import { timestamp, type Clock } from "../../infra/clock.ts";
import { failure } from "../../infra/failure.ts";
import type { Ids } from "../../infra/ids.ts";
import type { Redactor } from "../../infra/redactor.ts";
import { createFlowValve } from "./flow-valve.ts";
import { keepOutput, readKeptOutput } from "./kept-output.ts";
import { programMark, systemProcesses, type ProcessTable } from "./process-table.ts";
import { slugOf } from "./program-name.ts";
import { createProgramStore, type ProgramStore, type StoredProgram } from "./program-store.ts";
import {
  isOver,
  type ProgramRecord,
  type Programs,
  type ProgramSpans,
  type ProgramStart,
  type RunningProgram,
} from "./program.ts";
import { followProgram, type FollowedParts } from "./running-program.ts";
import { openTerminal, type OpenTerminal } from "./terminal.ts";

export interface ProgramsParts {
  /** Created with the first program. */
  directory: string;
  clock: Clock;
  ids: Ids;
  /** Removes secrets from everything stored and reported, not from what is run. */
  redactor: Pick<Redactor, "text">;
  maxProcesses(): number;
  /** Ends what the wall of a lost program may have left running. Its errors are ignored. */
  endOf?(record: ProgramRecord): Promise<void>;
  /** Noted from before a program runs until it and all that it started have ended. */
  spans?: ProgramSpans | undefined;
  openTerminal?: OpenTerminal;
  processes?: ProcessTable;
  store?: ProgramStore;
}

export function createPrograms(parts: ProgramsParts): Programs {
  const { directory, clock, ids, redactor, maxProcesses, processes = systemProcesses } = parts;
  const open = parts.openTerminal ?? openTerminal;
  const store = parts.store ?? createProgramStore(directory);
  const mine = new Map<string, RunningProgram | undefined>();
  /** The last that ended here, for what nobody has asked about yet. */
  const lastOver = createRecent<RunningProgram>(mostOver);
  /** Of other hosts, and told as a whole. */
  const polled = new Set<string>();
  const starting = new Set<Promise<unknown>>();
  /** Spans whose end is being noted. */
  const ending = new Set<Promise<void>>();
  let isClosed = false;
  let reaped: Promise<unknown> | undefined;

  /** Once, unless the disk failed: then the next caller retries. */
  const takenUp = () =>
    (reaped ??= reapLost().catch((error: unknown) => {
      reaped = undefined;
      throw error;
    }));

  async function reapLost(): Promise<ProgramRecord[]> {
    const left: StoredProgram[] = [];
    for (const stored of await store.all()) if (await isLeft(stored)) left.push(stored);
    if (left.length > 0)
      await processes.endAll({ ids: new Set(left.map(({ record }) => record.id)), leaders: new Map() });
    for (const { record } of left) await parts.endOf?.(record).catch(() => undefined);
    const lost = left.map((stored) => {
      const endedAt = stored.record.endedAt ?? timestamp(clock);
      return { ...stored, record: { ...stored.record, state: "lost" as const, endedAt } };
    });
    for (const stored of lost) await store.save(stored);
    // Not before: until now they may have written.
    await parts.spans?.endGone();
    await clearAway();
    return lost.map(({ record }) => record);
  }

  /** Its record says that it runs, but its host is gone. */
  const isLeft = async (stored: StoredProgram): Promise<boolean> =>
    !isOver(stored.record) && (await isWithoutHost(stored));

  async function isWithoutHost({ record, host }: StoredProgram): Promise<boolean> {
    if (mine.has(record.id)) return false;
    const start = await processes.startOf(host.pid);
    const isHostAlive = start !== undefined && start === host.start;
    return !isHostAlive || host.pid === process.pid;
  }

  async function clearAway(): Promise<void> {
    const over = (await store.all()).filter(({ record }) => isOver(record) && !mine.has(record.id));
    const oldest = new Date(clock.now() - keptFor).toISOString();
    const old = over.filter(({ record }, index) => index >= mostRecords || (record.endedAt ?? "") < oldest);
    // A failed removal is retried at the next end; no program waits for it.
    for (const { record } of old) {
      lastOver.delete(record.id);
      polled.delete(record.id);
      await store.remove(record.id).catch(() => undefined);
    }
  }

  async function start(given: ProgramStart): Promise<RunningProgram> {
    const started = startNow(given);
    starting.add(started);
    try {
      return await started;
    } finally {
      starting.delete(started);
    }
  }

  async function startNow({
    command,
    cwd,
    call,
    sessionKey,
    turnId,
    destination,
    timeoutMs,
    wall,
    end,
    watch,
    writes = "everywhere",
  }: ProgramStart): Promise<RunningProgram> {
    await takenUp();
    if (isClosed) throw failure("tool/failed", "programs.closed");
    if (mine.size >= maxProcesses())
      throw failure(
        "tool/limit",
        "programs.too-many",
        { running: mine.size },
        { hint: "programs.too-many.hint" },
      );
    const id = ids.make("p");
    mine.set(id, undefined);
    try {
      const shown = redactor.text(command);
      const stored: StoredProgram = {
        record: {
          id,
          slug: slugOf(shown),
          state: "running",
          command: shown,
          cwd,
          sessionKey,
          ...(turnId !== undefined && { turnId }),
          ...(destination !== undefined && { destination }),
          pid: 0,
          startedAt: timestamp(clock),
          ...(timeoutMs !== undefined && { timeoutMs }),
          ...(wall !== undefined && { wall }),
          ...(watch?.guardsAll === true && { guarded: true as const }),
        },
        host: { pid: process.pid, start: (await processes.startOf(process.pid)) ?? "" },
        processStart: "",
        outputStart: 0,
      };
      // On disk before it runs: whatever happens, the next start knows which mark to look for.
      await store.prepare(id);
      await store.save(stored);
      const endSpan = await parts.spans?.began(writes);
      const spanOver = () => noteEnd(endSpan);
      const followed = await launch(stored, call, {
        timeoutMs,
        end: end && (() => end(id)),
        watch,
      }).catch(async (error: unknown) => {
        await spanOver();
        throw error;
      });
      mine.set(id, followed);
      void followed.ended.then(spanOver);
      // Nobody awaits it, so nobody could catch its errors.
      void followed.ended
        .then(() => {
          mine.delete(id);
          lastOver.set(id, followed);
        })
        .then(clearAway)
        .catch(() => undefined);
      if (isClosed) await followed.kill();
      return followed;
    } catch (error) {
      mine.delete(id);
      // The reason of the failed start matters more than the remains.
      await store.remove(id).catch(() => undefined);
      throw error;
    }
  }

  /** Never rejects: a span that is not ended says more than the truth until this process is gone. */
  async function noteEnd(end: (() => Promise<void>) | undefined): Promise<void> {
    const noting = Promise.resolve(end?.()).catch(() => undefined);
    ending.add(noting);
    await noting;
    ending.delete(noting);
  }

  async function launch(
    stored: StoredProgram,
    call: ProgramStart["call"],
    { timeoutMs, end, watch }: Pick<FollowedParts, "timeoutMs" | "end" | "watch">,
  ): Promise<RunningProgram> {
    const { id } = stored.record;
    let followed: ReturnType<typeof followProgram> | undefined = undefined;
    const output = keepOutput({
      file: store.outputFile(id),
      onFileStart: () => followed?.save(),
      redactor,
      clock,
    });
    const valve = createFlowValve(clock);
    // Last of all, so that everything that was checked still holds at the start.
    const made = call(id);
    const { file, environment } = made;
    if (!isExecutable(file, environment["PATH"])) throw notStarted(file, "there is no such program");
    const marked = { ...made, environment: { ...environment, [programMark]: id } };
    const terminal = await open(marked, (bytes) => {
      output.add(bytes);
      valve.passed(bytes.length);
    }).catch((error: Error) => {
      throw notStarted(file, error.message, error);
    });
    valve.attach(terminal);
    const processStart = (await processes.startOf(terminal.pid)) ?? "";
    const { pid, hasTerminal } = terminal;
    const record = { ...stored.record, pid, ...(!hasTerminal && { withoutTerminal: true as const }) };
    followed = followProgram({
      stored: { ...stored, record, processStart },
      terminal,
      output,
      timeoutMs,
      end,
      watch,
      clock,
      processes,
      store: store,
      isClosing: () => isClosed,
    });
    followed.save();
    return followed;
  }

  const all = async (sessionKey: string) => {
    await takenUp();
    const found = (await store.all()).filter(({ record }) => record.sessionKey === sessionKey);
    return found.map((stored) => {
      const { id } = stored.record;
      const running = mine.get(id);
      // It may have ended while its record was read.
      const followed = running ?? (isOver(stored.record) ? undefined : lastOver.get(id));
      return { stored, running, record: followed?.record() ?? stored.record };
    });
  };

  return {
    start,
    reapLost,
    list: async (sessionKey) => (await all(sessionKey)).map(({ record }) => record),
    async find(sessionKey, name) {
      const programs = await all(sessionKey);
      const named = programs.filter(({ record }) => record.slug === name);
      const found =
        programs.find(({ record }) => record.id === name) ?? named.find(({ running }) => running) ?? named[0];
      if (!found) return undefined;
      const { stored, running, record } = found;
      const kept = () => readKeptOutput(store.outputFile(record.id), stored.outputStart, redactor);
      return {
        record,
        running,
        output: async () => running?.output() ?? kept(),
        async poll() {
          const here = running ?? lastOver.get(record.id);
          if (here) return here.poll();
          if (polled.has(record.id)) return { text: "", dropped: 0 };
          polled.add(record.id);
          return kept();
        },
      };
    },
    async untold() {
      await takenUp();
      const promised = (await store.all()).filter(
        ({ record }) => isOver(record) && record.tells && !record.told,
      );
      const found: ProgramRecord[] = [];
      for (const stored of promised.reverse()) if (await isWithoutHost(stored)) found.push(stored.record);
      return found;
    },
    async markTold(id) {
      const stored = (await store.all()).find(({ record }) => record.id === id);
      if (stored) await store.save({ ...stored, record: { ...stored.record, told: true } });
    },
    async close() {
      isClosed = true;
      // A program that is just being started is ended as soon as it runs.
      await Promise.allSettled(starting);
      await Promise.all([...mine.values()].map((running) => running?.kill()));
      await Promise.all(ending);
    },
  };
}

const mostOver = 8;
const mostRecords = 50;
const keptFor = 7 * 24 * 60 * 60 * 1000;

const notStarted = (file: string, reason: string, cause?: unknown) =>
  failure(
    "tool/failed",
    "programs.not-started",
    { file, reason },
    { hint: "programs.not-started.hint", cause },
  );

/** A terminal would report it only by an exit code. */
function isExecutable(file: string, path = ""): boolean {
  const places = isAbsolute(file) ? [file] : path.split(delimiter).map((directory) => join(directory, file));
  return places.some((place) => {
    try {
      accessSync(place, constants.X_OK);
      return true;
    } catch {
      // Missing or not executable: try the next one.
      return false;
    }
  });
}
