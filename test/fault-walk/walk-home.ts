/** The home of the walk: what limits it is known, and everybody who writes has written before. */
import { cpSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../src/infra/clock.ts";
import { createIds } from "../../src/infra/ids.ts";
import { locateHome } from "../../src/config/home.ts";
import { openSecrets } from "../../src/config/secrets.ts";
import { openAuditSeal } from "../../src/storage/audit/open-audit-seal.ts";
import { openSqliteStores } from "../../src/storage/open-sqlite-stores.ts";
import { waitingTurn } from "../../src/storage/testing/approval-samples.ts";

/** By config; `cleo` by having claimed it. */
export const owner = "ada";
/** Writes only when the fault is over. */
export const lateOwner = "abe";
export const otherOwner = "cleo";
/** Each writes one message in a walk, so that it can be told who was answered and who was told. */
export const people = ["bob", "dan", "fay", "gus", "hal", "ian"] as const;
/** Whom nobody has let in. */
export const stranger = "zoe";
/** Asks to be let in, and is. */
export const newcomer = "eve";

export const rule = "never run commands";

/** In the workdir. */
export const forbiddenFile = "it-ran";

export interface WalkPlace {
  home: string;
  inbox: string;
  outbox: string;
  /** What a command that a rule forbids would leave. */
  forbidden: string;
}

export const placeIn = (directory: string): WalkPlace => ({
  home: join(directory, "home"),
  inbox: join(directory, "in.jsonl"),
  outbox: join(directory, "out.jsonl"),
  forbidden: join(directory, "home", "workspace", forbiddenFile),
});

/** A place with a copy of the home. */
export function copyPlace(from: WalkPlace, directory: string): WalkPlace {
  const place = placeIn(directory);
  mkdirSync(directory, { recursive: true });
  cpSync(from.home, place.home, { recursive: true });
  writeConfig(place);
  return place;
}

export function writeConfig({ home, inbox, outbox }: WalkPlace): void {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const config = {
    language: "en",
    owners: [`local:${owner}`, `local:${lateOwner}`],
    queue: { debounceMs: 0 },
    channels: { local: { inbox, outbox, dmPolicy: "pairing" } },
  };
  // Also as the last good one, which is used where the other cannot be read.
  for (const name of ["config.json5", "config.last-good.json5"])
    writeFileSync(join(home, name), JSON.stringify(config), { mode: 0o600 });
}

/** The policy of the home, into a database that a gateway has made and left. */
export async function fillPolicy({ home }: WalkPlace): Promise<void> {
  const clock = systemClock;
  const located = locateHome({ PINCER_HOME: home });
  const secrets = openSecrets({ home: located, environment: {} });
  const stores = await openSqliteStores({
    file: join(home, "core.db"),
    clock,
    ids: createIds(clock.now),
    seal: () => openAuditSeal(secrets, "refuse"),
    policyCopy: join(home, "policy-copy.jsonl"),
  });
  const tenant = stores.tenant("t_default");
  await tenant.pairing.allow(
    people.map((senderId) => ({ channel: "local", accountId: "default", senderId, by: "pairing" })),
  );
  await tenant.pairing.openClaim({ code: "ABCDEFGH", ttlMs: 60_000 });
  await tenant.pairing.claimOwner({ code: "ABCDEFGH", channel: "local", senderId: otherOwner, maxTries: 3 });
  await tenant.rules.add({
    text: rule,
    enforcement: { tools: ["exec", "process"] },
    agentId: null,
    setBy: "cli:owner",
  });
  const keys = { task: "message", recipient: "message to local:bob" };
  const expiresAt = "2100-01-01T00:00:00.000Z";
  const { approval } = await waitingTurn(tenant, "asked-1", { question: { keys, expiresAt } });
  await tenant.approvals.answer(approval.id, { verdict: "approved", scope: "recipient", by: "cli:owner" });
  const ending = { type: "aborted", by: "stop" } as const;
  await tenant.turns.cancelQueued({ workspaceId: "w1", sessionKey: "main", ending });
  await stores.close();
}

/** Whether the owner has been told that something was lost: no tool runs, and no stranger is let in. */
export const isRecovering = ({ home }: WalkPlace): boolean => existsSync(join(home, "recovery.json"));
