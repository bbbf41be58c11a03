/** Trouble that is no plain cut: what happens to the disk, the database and the clock, and what the owner does about it. */
import { cpSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Allowances } from "./allowances.ts";
import type { Cut, losses } from "./cut.ts";
import { damageHome, loseDatabase, losePolicyCopy } from "./damage-home.ts";
import type { FakeNetwork } from "./fake-network.ts";
import type { ClockSetter } from "./fast-clock.ts";
import type { Life, Lives } from "./lives.ts";
import type { LifePlan } from "./network-frames.ts";
import { withoutMark, type PersonMessage } from "./network-ledger.ts";
import { createOwner, OwnerError } from "./owner.ts";
import { countCalls } from "./prove-home.ts";
import { createRandom } from "./random.ts";
import type { Act } from "./scenario.ts";
import { readAnswer, readScripts } from "./script.ts";
import { canMountDisk, fillDisk, freeDisk, onSmallDisk } from "./small-disk.ts";
import { helplessMs, type LifeManner, type StageParts, type StageWishes } from "./stage-parts.ts";

export type Trouble = Extract<Cut, { type: "disk" | "damage" | "lose" | "restore" | "clock" }>;

export const isTrouble = (cut: Cut): cut is Trouble =>
  ["disk", "damage", "lose", "restore", "clock"].includes(cut.type);

export interface Troubles {
  /** Answers whether it did happen. The last process is dead when it resolves. */
  live(trouble: Trouble, acts: readonly Act[]): Promise<boolean>;
}

/** A minute is the longest that anybody waits without a word; a little more, so that the word has the time to arrive. */
const noticeableMs = 66_000;
/** So that it does not take a real minute. */
const fullDiskSpeed = 40;
const dayMs = 86_400_000;
/** Real milliseconds: a backup begins while a slow answer has not ended. */
const slowPauseMs = 150;
const beforeBackupMs = 60;

export function createTroubles(
  parts: StageParts & {
    wishes: StageWishes;
    lives: Lives;
    network: FakeNetwork;
    allowances: Allowances;
    clock: ClockSetter;
    play(act: Act): void;
    planOf(cut: Cut, manner?: LifeManner): LifePlan;
    beginHealed(cut: Cut, through?: readonly string[], manner?: LifeManner): Promise<Life | undefined>;
  },
): Troubles {
  const { place, wishes, lives, network, allowances, clock, play, planOf, beginHealed } = parts;
  const { ledger } = network;
  const { home } = place;
  const owner = createOwner({ ...parts, home });
  const none: Cut = { type: "none" };
  let troubles = 0;

  /** A process that need not heal anything. */
  async function beginPlain(patienceMs?: number): Promise<Life | undefined> {
    const life = await lives.begin();
    if (life) await lives.go(life, planOf(none), patienceMs);
    return life;
  }

  /** Everything has to be answered now; the process is dead then. */
  async function settleAndKill(life: Life, when: string): Promise<void> {
    const what = await lives.wait(life);
    if (what === "stuck") lives.noteStuck(life);
    if (what === "ended") lives.noteDeath(life, when);
    await lives.kill(life);
  }

  async function killInTheMiddle(life: Life, random: ReturnType<typeof createRandom>): Promise<void> {
    const spare = network.afterEvents(random.between(1, 25), life.child.kill);
    await lives.wait(life);
    spare();
    await lives.kill(life);
  }

  const isLost = (message: PersonMessage) => ledger.isAcknowledged(message);
  const isWaiting = ({ id }: PersonMessage) => ledger.waiting().some((message) => message.id === id);

  const isRecovering = () => existsSync(join(home, "recovery.json"));

  /** Nobody waits for these any more, and the judge asks whether somebody was told. */
  function excuse(messages: readonly PersonMessage[], isTold: boolean): void {
    for (const message of messages) {
      allowances.unanswered.set(message.id, isTold ? "told" : "untold");
      ledger.giveUp(message);
    }
  }

  /** What knew of their answers is lost. */
  function mayRepeat(messages: readonly PersonMessage[]): void {
    for (const { id } of messages) allowances.repeated.add(id);
  }

  /** What knew of these half-written texts is lost, so nobody can finish them. Only texts that people see right now. */
  const halfWritten = () => ledger.seen.filter(({ text }) => readAnswer(withoutMark(text)).type === "broken");
  function mayStayUnfinished(texts: ReadonlyArray<{ key: string }>): void {
    for (const { key } of texts) allowances.unfinished.add(key);
  }

  const unacknowledged = () => ledger.messages.filter((message) => !ledger.isAcknowledged(message));

  async function liveFull(act: Act): Promise<boolean> {
    const isReal = canMountDisk();
    const manner = { speed: Math.max(wishes.speed, fullDiskSpeed) };
    const life = await beginHealed(none, isReal ? onSmallDisk(home) : [], manner);
    if (!life) return false;
    const { pid } = life.link;
    const from = ledger.seen.length;
    if (isReal) fillDisk(pid, home);
    else life.link.fill(true);
    play(act);
    await Promise.race([sleep(noticeableMs / manner.speed), life.child.ended]);
    const waiting = act.messages.filter(
      (message) => message.kind !== "stranger" && !ledger.isAcknowledged(message),
    );
    for (const { id } of waiting) allowances.longWaits.push({ messageId: id, from, to: ledger.seen.length });
    if (isReal) freeDisk(pid, home);
    else life.link.fill(false);
    await settleAndKill(life, "although the disk was only full");
    return true;
  }

  async function liveDamaged(part: "page" | "log", act: Act): Promise<boolean> {
    const random = createRandom(wishes.seed * 1000 + ++troubles);
    const life = await beginHealed(none);
    if (!life) return false;
    play(act);
    await killInTheMiddle(life, random);
    const open = ledger.waiting();
    const half = halfWritten();
    if (!damageHome(home, part, random)) return false;
    const hurt = await beginPlain(helplessMs);
    if (hurt) {
      await lives.wait(hurt, helplessMs);
      await lives.kill(hurt);
    }
    const { saysLost } = await owner.repair();
    const mended = await beginPlain();
    if (!mended) return false;
    const isOlder = isRecovering();
    const isTold = saysLost || (isOlder && (await owner.listNotices()).includes("recovery"));
    await owner.confirm();
    // What an older state would do may have been done since: its owner does not have it done again.
    await settleHeld(isOlder ? "drop" : "retry");
    const what = await lives.rest(mended);
    if (what === "ended") lives.noteDeath(mended, "after the repair");
    if (isTold) {
      mayRepeat([...open, ...act.messages]);
      mayStayUnfinished(half);
    }
    if (what !== "settled") excuse(ledger.waiting().filter(isLost), isTold);
    await settleAndKill(mended, "after the repair");
    return true;
  }

  /** What is dropped stays in its conversation: a later answer there may speak of it. Answers the ids of the messages. */
  async function settleHeld(how: "retry" | "drop"): Promise<Set<string>> {
    const held = await owner.listHeld();
    const ids = new Set(held.flatMap(({ texts }) => readScripts(texts.join("\n"))).map(({ id }) => id));
    for (const id of ids) allowances.rerun.add(id);
    if (held.length > 0) await owner.settleHeld(how);
    return ids;
  }

  async function liveLost(how: (typeof losses)[number] | "root", acts: readonly Act[]): Promise<boolean> {
    const [before, during, after] = acts;
    const random = createRandom(wishes.seed * 1000 + ++troubles);
    const life = await beginHealed(none);
    if (!life || !before) return false;
    play(before);
    await killInTheMiddle(life, random);
    const gone = ledger.waiting().filter(isLost);
    const half = halfWritten();
    mayRepeat([...before.messages, ...unacknowledged()]);
    if (how === "root") damageHome(home, how, random);
    else loseDatabase(home, how, random);
    if (wishes.plant === "no-policy-copy") losePolicyCopy(home);
    const calls = await countCalls(place.directory);
    const from = ledger.seen.length;
    const recovering = await beginPlain();
    if (!recovering) return false;
    if (!isRecovering())
      allowances.lessPolicy.push(`the database was lost (${how}), and the product did not ask its owner`);
    if (during) play(during);
    const what = await lives.rest(recovering);
    if (what === "ended") lives.noteDeath(recovering, "after its database was lost");
    const isTold = (await owner.listNotices()).includes("recovery");
    excuse(gone.filter(isWaiting), isTold);
    if (isTold) mayStayUnfinished(half);
    if (isRecovering()) {
      if ((await countCalls(place.directory)) > calls)
        allowances.lessPolicy.push("a tool ran before the owner had confirmed what came back");
      noteStrangers(from);
      // Groups are not let in meanwhile.
      excuse(ledger.waiting().filter(isInGroup), isTold);
    }
    const dropped = await settleHeld("drop");
    // Stored before the loss and not acknowledged: its network brings it again, and its owner has dropped it.
    excuse(
      ledger.waiting().filter(({ id }) => dropped.has(id)),
      isTold,
    );
    await owner.confirm();
    if (after) play(after);
    await settleAndKill(recovering, "after its owner had confirmed");
    return true;
  }

  /** While nobody but those who are known is let in, a group hears no answer. */
  function noteStrangers(from: number): void {
    const groups = new Set(ledger.messages.filter(isInGroup).map(({ id }) => id));
    for (const { text, conversation } of ledger.seen.slice(from)) {
      const named = /^re ((?:m\d+ ?)+)\./.exec(text)?.[1]?.split(" ") ?? [];
      if (named.some((id) => groups.has(id)))
        allowances.lessPolicy.push(
          `${conversation} was answered before the owner had confirmed what came back`,
        );
    }
  }

  async function liveRestored(how: "retry" | "drop", acts: readonly Act[]): Promise<boolean> {
    const [before, after] = acts;
    const life = await beginHealed(none, [], { pauseMs: slowPauseMs * wishes.speed });
    if (!life || !before) return false;
    play(before);
    await sleep(beforeBackupMs);
    const backup = join(place.directory, `backup-${++troubles}`);
    await owner.backUp(backup);
    const what = await lives.wait(life);
    if (what !== "settled") lives.noteStuck(life);
    else await lives.idle(life);
    await lives.kill(life);
    if (what !== "settled") return false;
    if (wishes.plant === "repeat-after-restore") putBack(backup);
    else await owner.restore(backup);
    const restored = await beginPlain();
    if (!restored) return false;
    await settleHeld(how);
    await owner.dropFailedReplies();
    if (after) play(after);
    await settleAndKill(restored, "after a restore");
    return true;
  }

  /** As a product would that holds nothing. */
  function putBack(backup: string): void {
    loseDatabase(home, "deleted", createRandom(0));
    losePolicyCopy(home);
    // What would give it away: the audit log says that there was more, and the mark that a log was there.
    rmSync(join(home, "audit"), { recursive: true, force: true });
    rmSync(join(home, "core.db-open"), { force: true });
    cpSync(join(backup, "core.db"), join(home, "core.db"));
    // And the number of the last change of the policy, which says that there was a copy.
    const database = new DatabaseSync(join(home, "core.db"));
    database.exec("PRAGMA user_version = 0");
    database.close();
    rmSync(join(home, "cache"), { recursive: true, force: true });
  }

  async function liveJumping(minutes: number, isEarly: boolean, act: Act): Promise<boolean> {
    const byMs = minutes * 60_000;
    const isDay = byMs >= dayMs;
    const outdate = () => {
      if (isDay) for (const { id } of ledger.messages) allowances.outdated.add(id);
    };
    if (isEarly) {
      clock.jump(byMs);
      outdate();
    }
    const life = await beginHealed(none);
    if (!life) return false;
    const random = createRandom(wishes.seed * 1000 + ++troubles);
    const jump = () => {
      clock.jump(byMs);
      life.link.jump(byMs);
      outdate();
    };
    const spare = isEarly ? () => {} : network.afterEvents(random.between(1, 8), jump);
    play(act);
    await settleAndKill(life, "when the clock jumped");
    spare();
    return true;
  }

  async function live(trouble: Trouble, acts: readonly Act[]): Promise<boolean> {
    const [act] = acts;
    if (!act) return false;
    if (trouble.type === "disk") return liveFull(act);
    if (trouble.type === "damage" && trouble.part !== "root") return liveDamaged(trouble.part, act);
    if (trouble.type === "damage") return liveLost("root", acts);
    if (trouble.type === "lose") return liveLost(trouble.how, acts);
    if (trouble.type === "restore") return liveRestored(trouble.held, acts);
    return liveJumping(trouble.minutes, trouble.early, act);
  }

  return {
    async live(trouble, acts) {
      try {
        return await live(trouble, acts);
      } catch (error) {
        if (!(error instanceof OwnerError)) throw error;
        lives.flaws.push(error.message);
        return true;
      } finally {
        await lives.killLast();
      }
    },
  };
}

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const isInGroup = ({ peer }: PersonMessage) => peer.kind === "group";
