/**
 * The long run: a flood over many conversations, with the process killed every few seconds, and then one long life in which memory is
 * watched. Judged as everything else is.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { accountKinds } from "./account-kinds.ts";
import { checkLedger, type Verdict } from "./check-ledger.ts";
import type { ChildReport } from "./child-link.ts";
import { createChildren, type Child, type Program } from "./child-process.ts";
import { startFakeNetwork, type FakeNetwork } from "./fake-network.ts";
import type { LifePlan } from "./network-frames.ts";
import { createNetworkLedger, type PersonMessage } from "./network-ledger.ts";
import { findFlaws, makeProveHome, readEffects } from "./prove-home.ts";
import { createRandom } from "./random.ts";
import { scriptText } from "./script.ts";

export interface SoakParts {
  program: Program;
  repeatMark: string;
  /** What the product says to people who wait, which answers nothing. */
  waitingLines?: readonly string[] | undefined;
  signal: AbortSignal;
  onProgress?: (progress: { answered: number; messages: number; kills: number }) => void;
}

export interface SoakOptions {
  messages: number;
  sessions: number;
  seed: number;
  keep: boolean;
}

export interface SoakReport {
  messages: number;
  sessions: number;
  kills: number;
  verdict: Verdict;
  /** Growth of what is held after a collection, in the long life, per 10,000 messages. */
  heapMbPer10k: number | null;
  rssMbPer10k: number | null;
  /** What one delay in a thousand exceeds, in the worst life. */
  delayMs: number;
  messagesPerSecond: number;
  seconds: number;
  directory?: string;
}

/** The share of the messages during which the process is killed; the rest is the long life. */
const killedShare = 0.7;
/** How many messages of a conversation may wait for their answer. */
const openPerSession = 2;

/** Throws the signal's reason. */
export async function soak(parts: SoakParts, options: SoakOptions): Promise<SoakReport> {
  const { signal } = parts;
  const began = performance.now();
  const random = createRandom(options.seed);
  const directory = await mkdtemp(join(tmpdir(), "pincer-soak-"));
  const manner = { mode: "steer", debounceMs: 5, streaming: "off" } as const;
  const place = await makeProveHome(directory, manner, "everybody");
  const children = createChildren({ program: parts.program, socketPath: place.socketPath, home: place.home });
  const network = await startFakeNetwork({
    socketPath: place.socketPath,
    onControl: children.onControl,
    ledger: createNetworkLedger(parts.waitingLines),
  });
  const flood = createFlood(network, options);
  const memory = createMemoryWatch();
  const flaws: string[] = [];
  let delayMs = 0;
  let kills = 0;
  const plan: LifePlan = {
    directory,
    clock: { origin: Date.now(), speed: 1 },
    pauseMs: 3,
    fullForMs: 0,
    reportEveryMs: 1000,
  };

  const startChild = () => children.start({ execArgs: ["--expose-gc"] });
  const onAbort = () => void children.close();
  signal.addEventListener("abort", onAbort);

  /** One life, cut after a while unless it is the last. */
  async function live(child: Child, isLast: boolean): Promise<void> {
    const link = await Promise.race([child.link, child.ended.then(() => undefined)]);
    if (!link) return void flaws.push(`the process did not start: ${child.lastWords()}`);
    link.onReport((report) => {
      delayMs = Math.max(delayMs, report.delayMs);
      if (isLast) memory.add(flood.answered(), report);
      parts.onProgress?.({ answered: flood.answered(), messages: options.messages, kills });
    });
    await Promise.race([link.go(plan), child.ended]);
    if (!isLast) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, random.between(2000, 6000));
      await Promise.race([promise, child.ended, flood.until(killedShare)]);
      clearTimeout(timer);
      if (!child.isAlive()) flaws.push(`the process ended by itself: ${link.failure() ?? child.lastWords()}`);
      child.kill();
      kills++;
    } else {
      await Promise.race([flood.until(1), child.ended]);
      await Promise.race([link.idle(), child.ended]);
      link.stop();
      const { status } = await child.ended;
      if (status !== 0) flaws.push(`the last stop ended with status ${status}: ${child.lastWords()}`);
    }
    await child.ended;
  }

  try {
    flood.begin();
    let child = startChild();
    while (!flood.isPast(killedShare) && flaws.length === 0) {
      const next = startChild();
      await live(child, false);
      signal.throwIfAborted();
      child = next;
    }
    if (flaws.length === 0) await live(child, true);
    signal.throwIfAborted();
  } finally {
    signal.removeEventListener("abort", onAbort);
    await children.close();
    await network.close();
  }
  const verdict = checkLedger({
    messages: network.ledger.messages,
    isAcknowledged: network.ledger.isAcknowledged,
    seen: network.ledger.seen,
    effects: await readEffects(directory),
    flaws: [...flaws, ...(await findFlaws(place.home, flaws.length === 0 ? "finished" : "cut-short"))],
    repeatMark: parts.repeatMark,
    ...(parts.waitingLines && { waitingLines: parts.waitingLines }),
  });
  const isKept = options.keep && verdict.faults.length > 0;
  if (!isKept) await rm(directory, { recursive: true, force: true });
  const seconds = (performance.now() - began) / 1000;
  return {
    messages: network.ledger.messages.length,
    sessions: options.sessions,
    kills,
    verdict,
    ...memory.slopes(),
    delayMs: Math.round(delayMs * 10) / 10,
    messagesPerSecond: Math.round(network.ledger.messages.length / seconds),
    seconds: Math.round(seconds),
    ...(isKept ? { directory } : {}),
  };
}

/** Writes the next messages whenever some were answered, so that as many as may are always open. */
function createFlood(network: FakeNetwork, { messages, sessions, seed }: SoakOptions) {
  const random = createRandom(seed + 1);
  const providerIds = new Map<string, number>();
  const waiters: Array<{ share: number; resolve: () => void }> = [];
  let written = 0;
  const answered = () => written - network.ledger.waitingCount();

  function compose(): PersonMessage {
    const conversation = written % sessions;
    const account = accountKinds[conversation % accountKinds.length] ?? "plain";
    const id = `m${++written}`;
    const kind = random.pick([
      "say",
      "say",
      "say",
      "say",
      "say",
      "say",
      "say",
      "tools",
      "long",
      "slow",
    ] as const);
    const number = (providerIds.get(account) ?? 0) + 1;
    providerIds.set(account, number);
    const peer = {
      kind: "user" as const,
      id: String(Math.floor(conversation / accountKinds.length)),
    };
    return { id, kind, account, providerId: String(number), peer, text: scriptText({ id, kind }) };
  }

  function fill(): void {
    const room = sessions * openPerSession - network.ledger.waitingCount();
    const count = Math.min(room, messages - written);
    // In handfuls: a frame for each answer would be a step in lock.
    if (count > 0 && (count >= sessions / 10 || written + count === messages)) {
      network.write(Array.from({ length: count }, compose));
    }
    for (const waiter of waiters.filter(({ share }) => isPast(share))) {
      waiters.splice(waiters.indexOf(waiter), 1);
      waiter.resolve();
    }
  }

  const isPast = (share: number) =>
    answered() >= messages * share && (share < 1 || network.ledger.isSettled());

  return {
    answered,
    isPast,
    begin() {
      network.onChange(fill);
      fill();
    },
    /** Resolves when that share of the messages is answered. */
    until: (share: number) =>
      new Promise<void>((resolve) => {
        waiters.push({ share, resolve });
        fill();
      }),
  };
}

/** The slope of what a life holds over the messages that it answered, by least squares, after a third of them. */
function createMemoryWatch() {
  const points: Array<{ answered: number; heap: number; rss: number }> = [];
  function slope(of: (point: (typeof points)[number]) => number): number | null {
    const settled = points.slice(Math.floor(points.length / 3));
    if (settled.length < 3) return null;
    const mean = (list: number[]) => list.reduce((sum, value) => sum + value, 0) / list.length;
    const [x, y] = [mean(settled.map(({ answered }) => answered)), mean(settled.map(of))];
    const above = settled.reduce((sum, point) => sum + (point.answered - x) * (of(point) - y), 0);
    const below = settled.reduce((sum, point) => sum + (point.answered - x) ** 2, 0);
    return below === 0 ? null : Math.round((above / below) * 10_000 * 100) / 100;
  }
  return {
    add(answered: number, { heapBytes, rssBytes }: ChildReport) {
      points.push({ answered, heap: heapBytes / 2 ** 20, rss: rssBytes / 2 ** 20 });
    },
    slopes: () => ({ heapMbPer10k: slope(({ heap }) => heap), rssMbPer10k: slope(({ rss }) => rss) }),
  };
}
