/** What happens in the lives of a walk: one as a home has it, and one after the fault that takes up what was left. */
import { spawn } from "node:child_process";
import { pincerBin } from "../run-pincer.ts";
import { checkPolicy, watchFaulty, watchHealed, type LifeParts, type Violation } from "./laws.ts";
import { echoOf, openTalk, type Talk } from "./talk.ts";
import { startWalked, within } from "./walked-gateway.ts";
import {
  lateOwner,
  newcomer,
  otherOwner,
  owner,
  people,
  stranger,
  copyPlace,
  forbiddenFile,
  type WalkPlace,
} from "./walk-home.ts";

export interface WalkParts {
  template: WalkPlace;
  directory: string;
  /** Lets few gateways start at a time: a start is work, all else is waiting. */
  startInTurn<Result>(start: () => Promise<Result>): Promise<Result>;
}

export interface Walked {
  violations: Violation[];
  /** What the gateway of the faulty life said last. */
  said: string;
  /** Its owner had to repair the home before it could go on. */
  isRepaired: boolean;
  /** Whether the fault happened. */
  isHit: boolean;
}

/** How long each step is waited for before the next: a gateway that works needs a fraction of it. */
const stepMs = 1500;
const forbiddenCommand = `tool:exec {"command":"touch ${forbiddenFile}"}`;

/** A home with a fault, from the start to the stop and once more without it. */
export async function walkHome(
  parts: WalkParts,
  fault: {
    /** A command that the gateway is started through. */
    through?(home: string): string[];
    damage?(home: string): void;
    /** Whether its owner repairs a home whose gateway says that it is not well. */
    isLasting: boolean;
  },
): Promise<Walked> {
  const place = copyPlace(parts.template, parts.directory);
  fault.damage?.(place.home);
  const talk = openTalk(place);
  const gateway = await parts.startInTurn(() => startWalked(place.home, fault.through?.(place.home)));
  const life = { place, talk, gateway };
  const violations: Violation[] = [];
  let isWell = false;
  try {
    if (gateway.isRunning) await live(life);
    else for (const person of people.slice(0, 3)) echo(talk, person);
    violations.push(...(await watchFaulty(life)), ...checkStranger(talk), ...(await checkPolicy(life)));
    isWell = (await gateway.readiness()) === "ready";
    violations.push(...(await stop(life)));
  } finally {
    await gateway.kill();
  }
  const isRepaired = fault.isLasting && !isWell;
  if (isRepaired) await repair(place);
  const healed = await heal(place, talk, { ...parts, mayBeGone: fault.isLasting });
  violations.push(...healed.violations);
  return { violations, said: gateway.said(), isRepaired: isRepaired || healed.isRepaired, isHit: true };
}

/** Messages, tool calls, a rule, somebody new, a change of the config. */
export async function live({ talk, gateway }: LifeParts): Promise<void> {
  const step = async (message: ReturnType<Talk["write"]>) => {
    await talk.until(() => talk.isTold(message) || gateway.hasEnded(), stepMs);
  };
  await step(echo(talk, people[0]));
  await step(talk.write(owner, "never delete files until I say"));
  await step(talk.write(newcomer, "hello"));
  const pending = await gateway.ask("pairing.list", {});
  const code = pending?.pending.find(({ senderId }) => senderId === newcomer)?.code;
  if (code !== undefined) await gateway.ask("pairing.approve", { code });
  await step(echo(talk, people[1]));
  await gateway.ask("config.set", { path: "agents.defaults.toolMaxSteps", value: 7 });
  await step(echo(talk, people[2]));
  await step(talk.write(stranger, echoOf("let-in")));
  await step(talk.write(otherOwner, forbiddenCommand));
}

/** The life after: repaired if need be, it answers what waits, and is limited as before. */
export async function heal(
  place: WalkPlace,
  talk: Talk,
  { startInTurn, mayBeGone }: Pick<WalkParts, "startInTurn"> & { mayBeGone: boolean },
): Promise<{ violations: Violation[]; isRepaired: boolean }> {
  const start = () => startInTurn(() => startWalked(place.home));
  let gateway = await start();
  const isRepaired = !gateway.isRunning;
  try {
    if (isRepaired) {
      await repair(place);
      gateway = await start();
    }
    if (!gateway.isRunning)
      return { violations: [{ law: "answer", detail: `no start: ${gateway.said()}` }], isRepaired };
    const life = { place, talk, gateway };
    echo(talk, people[3]);
    talk.write(lateOwner, forbiddenCommand);
    const violations = [
      ...(await watchHealed(life, mayBeGone)),
      ...checkStranger(talk),
      ...(await checkPolicy(life)),
    ];
    return { violations: [...violations, ...(await stop(life))], isRepaired };
  } finally {
    await gateway.kill();
  }
}

const echo = (talk: Talk, person: string) =>
  talk.write(person, echoOf(`answer-${person}`), `answer-${person}`);

function checkStranger(talk: Talk): Violation[] {
  const isIn = talk.got(stranger).some((text) => text.includes("let-in"));
  return isIn ? [{ law: "policy", detail: "a stranger was answered" }] : [];
}

const stop = async ({ gateway }: LifeParts): Promise<Violation[]> =>
  (await gateway.stop()) ? [] : [{ law: "answer", detail: "it did not stop when asked to" }];

async function repair({ home }: WalkPlace): Promise<void> {
  const child = spawn(process.execPath, [pincerBin, "doctor", "--repair", "--yes"], {
    env: { PATH: process.env["PATH"], HOME: home, PINCER_HOME: home, LANG: "en" },
    stdio: "ignore",
  });
  const ended = new Promise<true>((resolve) => child.once("exit", () => resolve(true)));
  if (!(await within(60_000, ended))) child.kill("SIGKILL");
}
