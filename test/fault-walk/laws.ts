/** What must hold while a home's disk is broken, and after it. Each law answers with what broke it. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createSay } from "../../src/infra/texts.ts";
import type { Talk, Written } from "./talk.ts";
import type { WalkedGateway } from "./walked-gateway.ts";
import {
  isRecovering,
  newcomer,
  otherOwner,
  owner,
  people,
  rule,
  stranger,
  type WalkPlace,
} from "./walk-home.ts";

export type Law = "ready" | "silence" | "answer" | "policy";

export interface Violation {
  law: Law;
  detail: string;
}

/** A disk that refused is tried again after this long (`lookEveryMs` of `watch-storage.ts`); and some for a busy machine. */
const readyBoundMs = 10_000 + 5000;
/** How long somebody may wait in silence; and some for a busy machine. */
const silenceBoundMs = 60_000 + 5000;

const linesOf = (...keys: Parameters<ReturnType<typeof createSay>>[0][]) =>
  keys.map((key) => createSay("en")(key));
/** What people are told by a gateway that can store nothing, or read nothing. */
const refusals = linesOf("waiting.not-stored", "waiting.damaged");
/** Lines after which an answer is still to come. */
const promises = [
  ...refusals,
  ...linesOf("waiting.held", "waiting.queued", "waiting.workdir", "waiting.too-fast"),
];

export interface LifeParts {
  place: WalkPlace;
  gateway: WalkedGateway;
  talk: Talk;
}

/**
 * While the fault is there: nobody waits in silence, except for a gateway that is not ready and not even connected, since it could not read where
 * it had stopped; and nobody is invited by a gateway that cannot take what they write.
 */
export async function watchFaulty({ place, gateway, talk }: LifeParts): Promise<Violation[]> {
  const violations: Violation[] = [];
  // Whom nobody has let in may not learn that somebody is here.
  const known = talk.written.filter(({ person }) => person !== stranger && person !== newcomer);
  const silent = () => known.filter((message) => !talk.isTold(message));
  let readySince: number | undefined;
  const isOver = async () => {
    if (gateway.hasEnded() || silent().length === 0) return true;
    if (!gateway.isConnected() && (await gateway.readiness()) === "not-ready") return true;
    readySince = (await gateway.readiness()) === "ready" ? (readySince ?? Date.now()) : undefined;
    if (readySince === undefined || Date.now() - readySince < readyBoundMs) return false;
    const lost = silent().filter(
      (message) => Date.now() - message.at > readyBoundMs && !isStored(place, message),
    );
    if (lost.length === 0) return false;
    violations.push({ law: "ready", detail: `ready while nothing of ${names(lost)} was stored` });
    return true;
  };
  const last = talk.written.at(-1)?.at ?? Date.now();
  const isQuiet = !(await talk.until(isOver, last + silenceBoundMs - Date.now()));
  if (isQuiet) violations.push({ law: "silence", detail: `${names(silent())} heard nothing in time` });
  const refused = talk.written.filter(({ person }) =>
    talk.got(person).some((text) => refusals.includes(text)),
  );
  if (refused.length === 0 || gateway.hasEnded()) return violations;
  // Who was told waits on; whoever asks from outside has to learn it too, unless it is stored or over.
  const isKnown = async () =>
    (await gateway.readiness()) !== "ready" ||
    refused.every((message) => talk.isAnswered(message) || isStored(place, message));
  if (!(await talk.until(isKnown, readyBoundMs)))
    violations.push({
      law: "ready",
      detail: `ready after ${names(refused)} had been told that nothing is stored`,
    });
  return violations;
}

/** After the fault: each message is answered once, or its sender was told for good. Where pages are gone, the line that it may take longer may be the last. */
export async function watchHealed({ talk, gateway }: LifeParts, mayBeGone: boolean): Promise<Violation[]> {
  const isFinal = (text: string) => mayBeGone || !promises.includes(text);
  const open = () => talk.written.filter(({ person }) => !talk.got(person).some(isFinal));
  await talk.until(() => open().length === 0 || gateway.hasEnded(), silenceBoundMs);
  const lost = open().map((message): Violation => ({
    law: "answer",
    detail: `${names([message])} got no answer`,
  }));
  const doubled = talk.written
    .filter((message) => message.mark !== undefined && talk.answers(message) > 1)
    .map((message): Violation => ({ law: "answer", detail: `${names([message])} was answered twice` }));
  return [...lost, ...doubled];
}

/** What limits the home is what limited it before, or it is in recovery mode. */
export async function checkPolicy({ place, gateway, talk }: LifeParts): Promise<Violation[]> {
  const violations: Violation[] = [];
  const broken = (detail: string) => void violations.push({ law: "policy", detail });
  if (existsSync(place.forbidden)) broken("a command ran that a rule forbids");
  if (isRecovering(place) || !gateway.isRunning || gateway.hasEnded()) return violations;
  const rules = await gateway.ask("rules.list", {});
  const pairings = await gateway.ask("pairing.list", {});
  const owners = await gateway.ask("owner.list", {});
  const grants = await gateway.ask("grants.list", {});
  if (!rules || !pairings || !owners || !grants) {
    // It does not say; what it does was seen.
    return violations;
  }
  if (!rules.rules.some(({ text, enforcement }) => text === rule && enforcement)) broken("the rule is gone");
  const isNewRuleTaken = talk.got(owner).some((text) => text.includes("is enforced"));
  if (isNewRuleTaken && !rules.rules.some(({ text }) => text.startsWith("never delete")))
    violations.push({ law: "answer", detail: "a rule is gone that had been said to be enforced" });
  const allowed = new Set(pairings.allowed.map(({ senderId }) => senderId));
  const gone = people.filter((person) => !allowed.has(person));
  if (gone.length > 0) broken(`not let in any more: ${gone.join(", ")}`);
  if (!owners.owners.some(({ senderId }) => senderId === otherOwner)) broken("an owner is gone");
  if (grants.grants.length !== 1) broken(`grants: ${grants.grants.length}`);
  return violations;
}

const names = (messages: readonly Written[]) => messages.map(({ person }) => person).join(", ");

/** Whether the inbox holds it, read from the file as any other process may. */
function isStored({ home }: WalkPlace, { id }: Written): boolean {
  try {
    const database = new DatabaseSync(join(home, "core.db"), { readOnly: true });
    try {
      return database.prepare("SELECT 1 FROM inbox WHERE message_id = ?").get(id) !== undefined;
    } finally {
      database.close();
    }
  } catch {
    // What nobody can read is not stored.
    return false;
  }
}
