/**
 * Power loss. One life is written down, system call by system call; then, for many moments of it, the home is rebuilt as a disk would
 * hold it if the power had gone just then, the network is set to what it had been told by then, and the product is started on it.
 */
import { createReadStream } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { checkLedger, type Verdict } from "./check-ledger.ts";
import type { FromConnector } from "./network-frames.ts";
import { copyLedger, type NetworkLedger, type PersonMessage } from "./network-ledger.ts";
import { rebuildFiles } from "./power-loss.ts";
import { findFlaws, makeProveHome, readEffects, readForbidden, type ProveHome } from "./prove-home.ts";
import { findMissingPolicy } from "./prove-policy.ts";
import { createRandom, type Random } from "./random.ts";
import type { SeriesParts } from "./run-series.ts";
import { createScenario } from "./scenario.ts";
import { openStage } from "./stage.ts";
import type { StageWishes } from "./stage-parts.ts";
import { recordingTracer } from "./start-through.ts";
import { readStraceLog, type TraceEvent } from "./strace-log.ts";

export interface PowerLossOutcome {
  /** The line of the log before which the power went. */
  cut: number;
  verdict: Verdict;
}

interface Recording {
  /** Files by path, as they were when the recorded life began. */
  before: Map<string, Buffer>;
  ledger: NetworkLedger;
  messages: PersonMessage[];
  events: TraceEvent[];
}

/** Calls back with each outcome; stops early when that answers false. Throws the signal's reason. */
export async function provePowerLoss(
  parts: SeriesParts,
  wishes: StageWishes & { cuts: number },
  onOutcome: (outcome: PowerLossOutcome) => boolean,
): Promise<void> {
  const random = createRandom(wishes.seed);
  const scenario = createScenario(wishes.seed);
  const place = await makeProveHome(parts.directory, scenario.manner);
  const origin = Date.now();
  const recording = await record(parts, place, wishes, origin);
  const cuts = chooseCuts(recording, place, wishes.cuts, random);
  for (const cut of cuts) {
    const files = rebuildFiles({ root: place.directory, cut, random, ...recording });
    await putBack(place.directory, files);
    const ledger = ledgerAt(recording, place, cut);
    const stage = await openStage({ ...parts, place, origin, ledger }, { ...wishes });
    try {
      await stage.finish();
    } finally {
      await stage.close();
    }
    const verdict = checkLedger({
      messages: ledger.messages,
      isAcknowledged: ledger.isAcknowledged,
      seen: ledger.seen,
      effects: await readEffects(place.directory),
      missingPolicy: await findMissingPolicy(place.home),
      forbidden: await readForbidden(place.directory),
      flaws: [...stage.flaws, ...(await findFlaws(place.home, stage.isStuck() ? "cut-short" : "lost-power"))],
      repeatMark: parts.repeatMark,
      ...(parts.waitingLines && { waitingLines: parts.waitingLines }),
    });
    parts.onRun?.();
    if (!onOutcome({ cut, verdict })) return;
  }
}

/** A home that has been used, and one more life of it under the tracer. */
async function record(
  parts: SeriesParts,
  place: ProveHome,
  wishes: StageWishes,
  origin: number,
): Promise<Recording> {
  const scenario = createScenario(wishes.seed);
  const calm = { calm: true } as const;
  const first = await openStage({ ...parts, place, origin }, wishes);
  try {
    await first.finish({ act: scenario.next({ ...calm, count: 6 }) });
  } finally {
    await first.close();
  }
  const before = await readFiles(place.directory);
  const ledger = copyLedger(first.network.ledger);
  const log = `${place.directory}.log`;
  const { messages, ...act } = scenario.next({ ...calm, count: 16 });
  const traced = await openStage({ ...parts, place, origin, ledger: copyLedger(ledger) }, wishes);
  try {
    await traced.finish({ act: { messages, ...act }, through: recordingTracer(log) });
  } finally {
    await traced.close();
  }
  const lines: string[] = [];
  for await (const line of createInterface({ input: createReadStream(log) })) lines.push(line);
  return { before, ledger, messages, events: readStraceLog(lines) };
}

/** Right after something was said to the network half of the time: that is when a promise had just been made. */
function chooseCuts({ events }: Recording, place: ProveHome, count: number, random: Random): number[] {
  const relevant = events.filter((event) => "path" in event && event.path.startsWith(place.directory));
  const said = events.filter((event) => event.type === "say");
  return Array.from({ length: count }, () => {
    const from = random.chance(0.5) && said.length > 0 ? said : relevant;
    return from.length === 0 ? 0 : random.pick(from).ended + random.below(2);
  });
}

/** The network as it was at the cut. What people had written is known to it from the beginning. */
function ledgerAt({ ledger, messages, events }: Recording, place: ProveHome, cut: number): NetworkLedger {
  const copy = copyLedger(ledger);
  for (const message of messages) copy.write(message);
  const sockets = new Set<string>();
  const accounts = new Map<string, Extract<FromConnector, { type: "hello" }>["account"]>();
  const rests = new Map<string, string>();
  for (const event of events) {
    if (event.type === "connect" && event.path === place.socketPath) sockets.add(event.socket);
    if (event.type !== "say" || event.ended >= cut || !sockets.has(event.socket)) continue;
    const lines = ((rests.get(event.socket) ?? "") + event.data.toString("utf8")).split("\n");
    rests.set(event.socket, lines.pop() ?? "");
    for (const line of lines) {
      const frame = JSON.parse(line) as FromConnector;
      if (frame.type === "hello") accounts.set(event.socket, frame.account);
      const account = accounts.get(event.socket);
      if (!account) continue;
      if (frame.type === "ack") copy.acknowledge(account, frame.id);
      if (frame.type === "send") copy.take(account, frame);
      if (frame.type === "edit") copy.edit(account, frame);
    }
  }
  return copy;
}

/** Not what is made anew at each start. */
const isPassing = (name: string) => /(^|\/)cache(\/|$)|-shm$|\.sock$|\.log$/.test(name);

async function readFiles(directory: string): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  for (const item of await readdir(directory, { recursive: true, withFileTypes: true })) {
    const path = join(item.parentPath, item.name);
    if (item.isFile() && !isPassing(path.slice(directory.length + 1))) files.set(path, await readFile(path));
  }
  return files;
}

const openMark = "core.db-open";

async function putBack(directory: string, files: ReadonlyMap<string, Buffer>): Promise<void> {
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true, mode: 0o700 });
  for (const [path, bytes] of files) {
    if (isPassing(path.slice(directory.length + 1))) continue;
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    // The machine has been started anew, and so the product has to see it.
    await writeFile(path, path.endsWith(openMark) ? "before the power loss\n" : bytes, { mode: 0o600 });
  }
}
