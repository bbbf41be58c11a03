/** A home, its network, and one life of the product in it after the other. */
import { createAllowances, type Allowances } from "./allowances.ts";
import { createChildren } from "./child-process.ts";
import type { Cut } from "./cut.ts";
import { startFakeNetwork, type FakeNetwork } from "./fake-network.ts";
import { createClockSetter } from "./fast-clock.ts";
import { createLives, type Life, type Lives } from "./lives.ts";
import type { LifePlan } from "./network-frames.ts";
import { hostileSpeed, type Act } from "./scenario.ts";
import { createNetworkLedger } from "./network-ledger.ts";
import { helplessMs, type LifeManner, type StageParts, type StageWishes } from "./stage-parts.ts";
import { startThrough } from "./start-through.ts";
import { createTroubles, isTrouble } from "./troubles.ts";

export interface Stage extends Pick<Lives, "counts" | "flaws" | "isStuck"> {
  network: FakeNetwork;
  /** What the judge has to know of the troubles. */
  allowances: Allowances;
  /**
   * One life: heals, plays the act, and is cut. Answers whether the cut happened where it was meant to. Trouble that takes several
   * lives has an act for each of its steps.
   */
  live(cut: Cut, act: Act, ...more: Act[]): Promise<boolean>;
  /** A life that may finish and stop by itself, after an act if there is one. `through` is a command put before it. */
  finish(options?: { act?: Act; through?: readonly string[] }): Promise<void>;
  /** Kills what is left. */
  close(): Promise<void>;
}

/** Of a slow answer: long enough for a preview to appear before it is whole. */
const usualPauseMs = 120;

/** Where a network hangs or fails again and again, waiting takes long. */
const speedOf = (cut: Cut, usual: number) => (cut.type === "hostile" ? Math.max(usual, hostileSpeed) : usual);

export async function openStage(parts: StageParts, wishes: StageWishes): Promise<Stage> {
  const { signal, place, origin = Date.now(), patienceMs = 30_000 } = parts;
  const children = createChildren({ program: parts.program, socketPath: place.socketPath, home: place.home });
  const network = await startFakeNetwork({
    socketPath: place.socketPath,
    onControl: children.onControl,
    ledger: parts.ledger ?? createNetworkLedger(parts.waitingLines),
  });
  const lives = createLives({ children, network, signal, patienceMs });
  const allowances = createAllowances();
  const clock = createClockSetter(origin, wishes.speed);
  const onAbort = () => void children.close();
  signal.addEventListener("abort", onAbort);

  const planOf = (cut: Cut, { speed, pauseMs = usualPauseMs }: LifeManner = {}): LifePlan => ({
    directory: place.directory,
    clock: clock.planFor(speed ?? speedOf(cut, wishes.speed)),
    pauseMs,
    fullForMs: 1500,
    ...(wishes.plant ? { plant: wishes.plant } : {}),
    ...(cut.type === "failpoint" && cut.early ? { cut } : {}),
  });

  function play({ messages, delivery, sendFaults }: Act): void {
    for (const { account, faults } of sendFaults) network.inject(account, faults);
    network.write(messages, delivery);
  }

  /** A life that has answered what was left. A poisoned message may take several down first. */
  async function beginHealed(
    cut: Cut,
    through: readonly string[] = [],
    manner: LifeManner = {},
  ): Promise<Life | undefined> {
    const isHelpless = through.length > 0 && startThrough(cut).length > 0;
    for (let attempt = 0; attempt < 6; attempt++) {
      const isPoisoned = network.ledger.waiting().some(({ kind }) => kind === "poison");
      const life = await lives.begin(through);
      if (life) {
        const patience = isHelpless ? helplessMs : patienceMs;
        await lives.go(life, planOf(cut, manner), patience);
        const what = await lives.wait(life, patience);
        if (what === "settled") {
          await lives.noteCounts(life, "healing");
          return life;
        }
        if (what === "stuck" && !isHelpless) lives.noteStuck(life);
        if (what === "ended" && !isHelpless && !isPoisoned) lives.noteDeath(life, "while healing");
        await lives.kill(life);
        if (what === "stuck") return undefined;
      }
      if (isHelpless) return undefined;
    }
    lives.noteStuck();
    return undefined;
  }

  /** Waits for what the cut does; answers whether it did. */
  async function seeEnd(cut: Cut, life: Life): Promise<boolean> {
    const isHelpless = startThrough(cut).length > 0;
    const what = await lives.wait(life, isHelpless ? helplessMs : patienceMs);
    if (what === "ended") {
      const isMeant = cut.type !== "none" && cut.type !== "hostile";
      if (!isMeant) lives.noteDeath(life, "without being cut");
      return isMeant;
    }
    const isReached = await lives.noteCounts(life, "working");
    const isDeaf = isBrokenSync(cut) && isReached && !(await lives.endsSoon(life));
    if (isDeaf) lives.flaws.push("the process went on although a sync had failed");
    else if (what === "stuck" && !isHelpless) lives.noteStuck(life);
    await lives.kill(life);
    return cut.type === "failpoint" ? isReached : true;
  }

  function cutFromOutside(cut: Cut, { child }: Life): () => void {
    if (cut.type !== "after") return () => {};
    if (cut.unit === "events") return network.afterEvents(cut.count, child.kill);
    const timer = setTimeout(child.kill, cut.count);
    return () => clearTimeout(timer);
  }

  const troubles = createTroubles({
    ...parts,
    wishes,
    lives,
    network,
    allowances,
    clock,
    play,
    planOf,
    beginHealed,
  });

  async function liveFromStart(cut: Cut, act: Act): Promise<boolean> {
    play(act);
    const life = await lives.begin();
    if (!life) return false;
    const spare = cutFromOutside(cut, life);
    await lives.go(life, planOf(cut));
    return seeEnd(cut, life).finally(spare);
  }

  async function liveHealed(cut: Cut, act: Act): Promise<boolean> {
    const life = await beginHealed(cut, startThrough(cut));
    if (life && cut.type === "failpoint") life.link.arm(cut);
    play(act);
    // It was cut while it healed.
    if (!life) return startThrough(cut).length > 0;
    return seeEnd(cut, life).finally(cutFromOutside(cut, life));
  }

  return {
    network,
    counts: lives.counts,
    flaws: lives.flaws,
    isStuck: lives.isStuck,
    allowances,
    async live(cut, act, ...more) {
      if (isTrouble(cut)) return troubles.live(cut, [act, ...more]).finally(network.behave);
      const isEarly = "early" in cut && cut.early;
      const isReached = await (isEarly ? liveFromStart(cut, act) : liveHealed(cut, act));
      network.behave();
      return isReached;
    },
    async finish({ act, through = [] } = {}) {
      const life = await beginHealed({ type: "none" }, through);
      if (!life) return;
      if (act) play(act);
      if ((await lives.wait(life)) === "stuck") lives.noteStuck(life);
      await lives.idle(life);
      await lives.noteCounts(life, "working");
      await lives.stop(life);
    },
    async close() {
      signal.removeEventListener("abort", onAbort);
      await children.close();
      await network.close();
    },
  };
}

/** A sync that failed once has to end the process: nobody knows what is on the disk. */
const isBrokenSync = (cut: Cut) =>
  cut.type === "failpoint" && cut.action === "eio" && cut.point === "sync:before";
