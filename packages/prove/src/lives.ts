/** The lives of the product in one home: begun, waited for, and noted when they end as they must not. */
import type { ChildLink } from "./child-link.ts";
import type { Child, Children } from "./child-process.ts";
import type { FakeNetwork } from "./fake-network.ts";
import type { LifePlan } from "./network-frames.ts";

export interface Life {
  child: Child;
  link: ChildLink;
}

/** How often a point is passed at most in one life: while what was left is being answered, and afterwards. */
export interface PointCount {
  healing: number;
  working: number;
}

export interface Lives {
  /** A process that has loaded its code and waits; undefined when it ended before. `through` is a command put before it. */
  begin(through?: readonly string[]): Promise<Life | undefined>;
  /** Lets it open the home; resolves when it is ready, has ended, or patience has. */
  go(life: Life, plan: LifePlan, patienceMs?: number): Promise<void>;
  /** Until everything is answered, the process has ended, or patience has. */
  wait(life: Life, patienceMs?: number): Promise<"settled" | "ended" | "stuck">;
  /** Until everything is answered, or it has nothing to do and goes on having nothing to do. */
  rest(life: Life): Promise<"settled" | "quiet" | "ended" | "stuck">;
  /** Whether it ends by itself within a few seconds. */
  endsSoon(life: Life): Promise<boolean>;
  /** Until it says that it has nothing to do; accuses it when it never does. */
  idle(life: Life): Promise<void>;
  /** Remembers which points it passed up to now; answers whether the armed one was among them. */
  noteCounts(life: Life, phase: keyof PointCount): Promise<boolean>;
  /** Accuses it of having ended by itself. */
  noteDeath(life: Life, when: string): void;
  /** Accuses it of leaving something unanswered; nothing more can be found out then. */
  noteStuck(life?: Life): void;
  kill(life: Life): Promise<void>;
  /** Kills the one that was begun last, if it lives. */
  killLast(): Promise<void>;
  /** Asks for a clean stop and waits for it. */
  stop(life: Life): Promise<void>;
  isStuck(): boolean;
  counts: Record<string, PointCount>;
  /** What the product did that it must not do, besides what the network saw. */
  flaws: string[];
}

/** How long a process may take to end after it has hung up. */
const lastBreathMs = 5000;

/** For how long it has to have nothing to do. */
const restMs = 300;

const lastWordsOf = (child: Child) => child.lastWords().split("\n").slice(-6).join(" | ");

export function createLives(parts: {
  children: Children;
  network: FakeNetwork;
  signal: AbortSignal;
  patienceMs: number;
}): Lives {
  const { children, network, signal, patienceMs } = parts;
  const counts: Record<string, PointCount> = {};
  /** What each life had passed when it had healed. */
  const healed = new WeakMap<Life, Record<string, number>>();
  const flaws: string[] = [];
  let standby: Child | undefined;
  let last: Child | undefined;
  let isStuck = false;

  /** Starts loading the next process while this one works: half of a start is reading code. */
  function takeChild(through: readonly string[]): Child {
    if (through.length > 0) return children.start({ through });
    const child = standby?.isAlive() ? standby : children.start();
    standby = children.start();
    return child;
  }

  function whatIsMissing(): string {
    const lines = network.ledger.waiting().map((message) => {
      const state = network.ledger.isAcknowledged(message) ? "acknowledged" : "not acknowledged";
      return `${message.text} on ${message.account} (${state})`;
    });
    return [...lines.slice(0, 10), ...(lines.length > 10 ? ["…"] : [])].join(", ");
  }

  /** A process that has hung up and does not end would be waited for in vain. */
  async function seeOff(child: Child): Promise<void> {
    if (await within(lastBreathMs, child.ended)) return;
    flaws.push(`the process gave up and did not end: ${lastWordsOf(child)}`);
    child.kill();
  }

  return {
    counts,
    flaws,
    isStuck: () => isStuck,
    async begin(through = []) {
      signal.throwIfAborted();
      const child = (last = takeChild(through));
      const link = await Promise.race([child.link, child.ended.then(() => undefined)]);
      signal.throwIfAborted();
      if (!link) return undefined;
      void link.closed.then(() => seeOff(child));
      return { child, link };
    },
    async go({ child, link }, plan, patience = patienceMs) {
      await within(patience, Promise.race([link.go(plan), child.ended]));
    },
    async wait({ child, link }, patience = patienceMs) {
      const settled = network.settled().then(() => "settled" as const);
      const ended = child.ended.then(() => "ended" as const);
      const over = Promise.race([settled, ended]);
      // A process that has nothing to do, and goes on having nothing to do, will not answer any more.
      const lull = patience / 3;
      const what =
        (await within(lull, over)) ??
        ((await within(lull, Promise.race([over, link.idle()]))) === undefined
          ? await within(lull, over)
          : await within(lull / 10, over));
      signal.throwIfAborted();
      return what ?? "stuck";
    },
    async rest({ child, link }) {
      const ended = child.ended.then(() => "ended" as const);
      const settled = network.settled().then(() => "settled" as const);
      let wasIdle = false;
      for (const until = performance.now() + patienceMs; performance.now() < until;) {
        const idle = link.idle().then(() => "idle" as const);
        const what = await within(patienceMs, Promise.race([settled, ended, idle]));
        signal.throwIfAborted();
        if (what !== "idle") return what ?? "stuck";
        if (wasIdle) return "quiet";
        wasIdle = true;
        // Time for what was on its way.
        const then = await within(restMs, Promise.race([settled, ended]));
        if (then) return then;
      }
      return "stuck";
    },
    endsSoon: async ({ child }) => (await within(lastBreathMs, child.ended)) !== undefined,
    async idle({ child, link }) {
      const what = await within(patienceMs, Promise.race([link.idle().then(() => true), child.ended]));
      if (!what) flaws.push(`never idle: ${lastWordsOf(child)}`);
    },
    async noteCounts(life, phase) {
      const { child, link } = life;
      const asked = Promise.race([link.counts(), child.ended.then(() => undefined)]);
      const answer = await within(patienceMs, asked);
      if (!answer) return true;
      const before = healed.get(life) ?? {};
      if (phase === "healing") healed.set(life, answer.counts);
      for (const [point, count] of Object.entries(answer.counts)) {
        const known = (counts[point] ??= { healing: 0, working: 0 });
        known[phase] = Math.max(known[phase], count - (before[point] ?? 0));
      }
      return answer.reached;
    },
    noteDeath({ child, link }, when) {
      const reason = link.failure() ?? lastWordsOf(child);
      flaws.push(`the process ended by itself ${when}: ${reason || "without a word"}`);
    },
    noteStuck(life) {
      isStuck = true;
      const missing = whatIsMissing();
      const words = life && lastWordsOf(life.child);
      flaws.push(missing ? `never finished: ${missing}` : "the process did not stay up");
      if (words) flaws.push(`its last words: ${words}`);
    },
    async kill({ child }) {
      child.kill();
      await child.ended;
    },
    async killLast() {
      last?.kill();
      await last?.ended;
    },
    async stop({ child, link }) {
      link.stop();
      const timeout = setTimeout(() => {
        flaws.push("the process did not stop when asked to");
        child.kill();
      }, patienceMs);
      const { status, signal: killedBy } = await child.ended;
      clearTimeout(timeout);
      if (status !== 0 && killedBy === null)
        flaws.push(`a clean stop ended with status ${status}: ${child.lastWords()}`);
    },
  };
}

/** Undefined when it takes longer. */
async function within<Result>(ms: number, promise: Promise<Result>): Promise<Result | undefined> {
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), ms);
  return Promise.race([promise, late.promise]).finally(() => clearTimeout(timer));
}
