/** What a running gateway tells about itself and its home, and does with them: its state, the doctor, backups, stopping. */
import type { GatewayView, GaugesView } from "@pincer/sdk";
import type { Effects } from "../agent/effects/effects.ts";
import { sayProblem, type Problem } from "../config/loaded-config.ts";
import type { MethodCall, MethodHandlers } from "../gateway/method-calls.ts";
import type { RunningGateway } from "../gateway/methods/control-parts.ts";
import { failure } from "../infra/failure.ts";
import { createSay } from "../infra/texts.ts";
import type { Language } from "../infra/texts/table.ts";
import { isOwner, type Caller } from "../policy/caller.ts";
import { examineHome, type ExaminedHome, type OpenDatabase } from "../storage/home/examine-home.ts";
import type { OpenHome, OpenHomeParts } from "../storage/home/open-home.ts";
import type { Stores } from "../storage/storage.ts";

export interface HomeMethodParts {
  openedHome: OpenHome;
  database: Stores;
  parts: OpenHomeParts;
  about: { version: string; startedAt: string };
  /** What is going on; asked for each status. */
  live(): Pick<GatewayView, "channels" | "turns"> & Partial<Pick<GatewayView, "address" | "signedIn">>;
  /** Begins to stop; returns at once. */
  stop(): void;
  /** Begins to stop, in order to serve again; returns at once. */
  restart(): void;
  /** Takes the config file up now; resolves when it is in force, or to why it was refused. */
  reload(): Promise<Problem[]>;
  /** What the gateway measures of itself; asked for each status. */
  gauges?(): Promise<GaugesView>;
  /** What else of the running gateway is known; see `RunningGateway`. */
  running?: Partial<RunningGateway> | undefined;
  effects: Pick<Effects, "wall">;
}

export function createHomeMethods(gateway: HomeMethodParts) {
  const { openedHome, parts, about } = gateway;
  const inLanguage = (language: Language | undefined) =>
    language ? { ...homeParts(parts), say: createSay(language) } : homeParts(parts);

  return {
    "gateway.status": () => describeGateway(gateway),
    async "gateway.stop"() {
      gateway.stop();
      return { pid: process.pid };
    },
    async "gateway.restart"() {
      gateway.restart();
      return { pid: process.pid };
    },
    async "gateway.reload"({ language }) {
      const { say } = inLanguage(language);
      const problems = await gateway.reload();
      return {
        inForce: problems.length === 0,
        problems: problems.map((problem) => sayProblem(problem, say)),
      };
    },
    async "status.get"({ language }) {
      const { readStatus } = await import("./status/status.ts");
      const examining = { ...inLanguage(language), version: about.version };
      return readStatus(examining, {
        examined: examineOpen(gateway, examining),
        wall: gateway.effects.wall,
        gateway: await describeGateway(gateway),
      });
    },
    async "doctor.run"({ language }, call) {
      const { runDoctor } = await import("./doctor/run-doctor.ts");
      const examining = inLanguage(language);
      const onProgress = whenPercentChanges((title, done, total) =>
        call.emit("doctor.progress", { title, done, total }),
      );
      const request = { fix: false, signal: call.signal, onProgress };
      return runDoctor(examining, request, examineOpen(gateway, examining));
    },
    "backup.create": (request, call) => createBackupHere(gateway, request, call),
    async "backup.list"({ language }) {
      const { listBackups } = await import("../storage/backups/list-backups.ts");
      return listBackups(openedHome.home.backupsDir, inLanguage(language).say);
    },
    async "backup.verify"({ directory, language }, { signal }) {
      const { verifyBackup } = await import("../storage/backups/verify-backup.ts");
      return verifyBackup(directory, { say: inLanguage(language).say, signal });
    },
  } satisfies Partial<MethodHandlers>;
}

const homeParts = ({ environment, redactor, say, cwd }: OpenHomeParts) => ({
  environment,
  redactor,
  say,
  cwd,
});

const mostCounted = 1000;

async function describeGateway(gateway: HomeMethodParts): Promise<GatewayView> {
  const { openedHome, about, gauges, running } = gateway;
  const live = gateway.live();
  const { outbox, approvals, notices } = openedHome.stores;
  const waiting = await outbox.list({ limit: mostCounted, states: ["queued", "sending", "uncertain"] });
  const asked = await approvals.list({ limit: mostCounted, states: ["pending"] });
  const open = await notices.list({ limit: mostCounted });
  return {
    ...about,
    pid: process.pid,
    socket: openedHome.home.gatewaySocket,
    ...live,
    channels: (await running?.channels?.({ probe: false })) ?? live.channels,
    outbox: { waiting: waiting.length },
    approvals: { waiting: asked.length },
    notices: { open: open.length },
    ...(gauges && { gauges: await gauges() }),
  };
}

/**
 * The home with the gateway's own database, which nobody who looks closes. Reading the whole of it to find damage would make every
 * conversation wait, so that is left to a doctor who finds no gateway.
 */
function examineOpen(
  { openedHome, database, running, live }: HomeMethodParts,
  parts: Parameters<typeof examineHome>[0],
): ExaminedHome {
  const { stores: tenant, leases, transcripts, clock } = openedHome;
  const stores: Stores = { ...database, health: () => database.health("quick") };
  const open: OpenDatabase = {
    type: "open",
    stores,
    tenant,
    leases,
    transcripts,
    holder: openedHome.holder,
    isAlive: openedHome.isAlive,
  };
  return {
    ...examineHome({ ...parts, clock }),
    database: async () => open,
    makeDatabase: async () => open,
    closeDatabase: async () => {},
    channels: async () => (await running?.channels?.({ probe: false })) ?? live().channels,
  };
}

async function createBackupHere(
  { openedHome, database, about }: HomeMethodParts,
  { directory, withKey }: { directory?: string; withKey: boolean },
  call: MethodCall,
): Promise<unknown> {
  requireOwnersChoice(call.caller, { directory, withKey });
  const { createBackup } = await import("../storage/backups/create-backup.ts");
  const tell = whenPercentChanges((_title, done, total) => call.emit("backup.progress", { done, total }));
  return createBackup({
    home: openedHome.home,
    clock: openedHome.clock,
    version: about.version,
    stores: database,
    directory,
    withKey,
    onProgress: (done, total) => tell("", done, total),
    signal: call.signal,
  });
}

/** Put where others read, or with the key of the secrets beside them, a backup carries all of them away. */
function requireOwnersChoice(
  caller: Caller,
  { directory, withKey }: { directory?: string | undefined; withKey: boolean },
): void {
  const choice = withKey ? "withKey" : directory === undefined ? undefined : "directory";
  if (choice === undefined || isOwner(caller)) return;
  throw failure("permission/missing", "permission.owner-choice", { choice, method: "backup.create" });
}

/** A hundred steps are enough for anybody who watches. */
function whenPercentChanges(tell: (title: string, done: number, total: number) => void) {
  let told = "";
  return (title: string, done: number, total: number) => {
    const now = `${title} ${total > 0 ? Math.floor((done / total) * 100) : 0}`;
    if (now === told) return;
    told = now;
    tell(title, done, total);
  };
}
