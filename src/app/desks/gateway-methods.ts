/** What a running gateway answers over its own stores: every desk, the state of the home, the doctor and backups. */
import type { GatewayView, GaugesView } from "@pincer/sdk";
import { sayProblem, type Problem } from "../../config/loaded-config.ts";
import type { Config } from "../../config/schema.ts";
import { failure } from "../../infra/failure.ts";
import { createSay } from "../../infra/texts.ts";
import type { Language } from "../../infra/texts/table.ts";
import type { MethodCall, MethodHandlers } from "../../gateway/method-calls.ts";
import { isOwner, type Caller } from "../../policy/caller.ts";
import type { Stores } from "../../storage/storage.ts";
import { examineHome, type ExaminedHome, type OpenDatabase } from "../home/examine-home.ts";
import type { DescribeContext } from "../context/context-description.ts";
import type { LazyModels } from "../models/connected-models.ts";
import type { Ground, GroundParts } from "../open-ground.ts";
import type { Hands } from "../hands/hands.ts";
import { controlHandlers } from "./control-desks.ts";
import type { LiveHouse } from "./control-parts.ts";
import { deskHandlers } from "./desk.ts";
import { createLocalDesks, type DeskChanges, type LocalDeskParts } from "./local-desks.ts";

export interface GatewayMethodParts {
  ground: Ground;
  database: Stores;
  parts: GroundParts;
  about: { version: string; startedAt: string };
  /** As it is now. */
  config(): Config;
  /** What is going on; asked for each status. */
  live(): Pick<GatewayView, "channels" | "turns"> & Partial<Pick<GatewayView, "address" | "signedIn">>;
  /** Begins to stop; returns at once. */
  stop(): void;
  /** Begins to stop, in order to serve again; returns at once. */
  restart(): void;
  /** Takes the config file up now; resolves when it is in force, or to why it was refused. */
  reload(): Promise<Problem[]>;
  onChange: DeskChanges;
  /** What the gateway measures of itself; asked for each status. */
  gauges?(): Promise<GaugesView>;
  /** What else of the running house is known; see `LiveHouse`. */
  house?: Partial<LiveHouse> | undefined;
  connected: Pick<LazyModels, "room">;
  describeContext?: DescribeContext;
  answerApproval?: LocalDeskParts["answerApproval"];
  commandRoom?: LocalDeskParts["commandRoom"];
  liveCommands?: LocalDeskParts["liveCommands"];
  explainCall?: LocalDeskParts["explainCall"];
  /** How browsers are signed in; left out where no page is served. */
  signIn?: LocalDeskParts["signIn"];
  memory: LocalDeskParts["memory"];
  hands: Pick<Hands, "wall" | "snapshots">;
}

export function deskMethods(gateway: GatewayMethodParts): Partial<MethodHandlers> {
  const { ground, parts, about, config, onChange, connected } = gateway;
  const { describeContext, memory, answerApproval, explainCall } = gateway;
  const desks = createLocalDesks({
    ...parts,
    ground,
    config,
    onChange,
    connected,
    ...(describeContext ? { describeContext } : {}),
    ...(answerApproval ? { answerApproval } : {}),
    commandRoom: gateway.commandRoom,
    liveCommands: gateway.liveCommands,
    signIn: gateway.signIn,
    ...(explainCall ? { explainCall } : {}),
    memory,
    snapshots: gateway.hands.snapshots,
    house: {
      reload: gateway.reload,
      wake: onChange.outbox,
      channels: () => gateway.live().channels,
      ...gateway.house,
    },
  });
  const inLanguage = (language: Language | undefined) =>
    language ? { ...homeParts(parts), say: createSay(language) } : homeParts(parts);

  return {
    ...controlHandlers(desks),
    ...deskHandlers("access", desks.access),
    ...deskHandlers("approvals", desks.approvals),
    ...deskHandlers("audit", desks.audit),
    ...deskHandlers("auth", desks.auth),
    ...deskHandlers("commands", desks.commands),
    ...deskHandlers("context", desks.context),
    ...deskHandlers("grants", desks.grants),
    ...deskHandlers("outbox", desks.outbox),
    ...deskHandlers("deadletters", desks.deadletters),
    ...deskHandlers("memory", desks.memory),
    ...deskHandlers("models", desks.models),
    ...deskHandlers("notices", desks.notices),
    ...deskHandlers("owner", desks.owner),
    ...deskHandlers("pairing", desks.pairing),
    ...deskHandlers("policy", desks.policy),
    ...deskHandlers("rules", desks.rules),
    ...deskHandlers("runs", desks.runs),
    ...deskHandlers("sessions", desks.sessions),
    ...deskHandlers("setup", desks.setup),
    ...deskHandlers("tape", desks.tape),
    ...deskHandlers("undo", desks.undo),
    ...deskHandlers("usage", desks.usage),
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
      const { readStatus } = await import("../status.ts");
      const examining = { ...inLanguage(language), version: about.version };
      return readStatus(examining, {
        examined: examineOpen(gateway, examining),
        wall: gateway.hands.wall,
        gateway: await describeGateway(gateway),
      });
    },
    async "doctor.run"({ language }, call) {
      const { runDoctor } = await import("../doctor/run-doctor.ts");
      const examining = inLanguage(language);
      const onProgress = whenPercentChanges((title, done, total) =>
        call.emit("doctor.progress", { title, done, total }),
      );
      const request = { fix: false, signal: call.signal, onProgress };
      return runDoctor(examining, request, examineOpen(gateway, examining));
    },
    "backup.create": (request, call) => createBackupHere(gateway, request, call),
    async "backup.list"({ language }) {
      const { listBackups } = await import("../backups/list-backups.ts");
      return listBackups(ground.home.backupsDir, inLanguage(language).say);
    },
    async "backup.verify"({ directory, language }, { signal }) {
      const { verifyBackup } = await import("../backups/verify-backup.ts");
      return verifyBackup(directory, { say: inLanguage(language).say, signal });
    },
  };
}

const homeParts = ({ environment, redactor, say, cwd }: GroundParts) => ({ environment, redactor, say, cwd });

const mostCounted = 1000;

async function describeGateway(gateway: GatewayMethodParts): Promise<GatewayView> {
  const { ground, about, gauges, house } = gateway;
  const live = gateway.live();
  const { outbox, approvals, notices } = ground.stores;
  const waiting = await outbox.list({ limit: mostCounted, states: ["queued", "sending", "uncertain"] });
  const asked = await approvals.list({ limit: mostCounted, states: ["pending"] });
  const open = await notices.list({ limit: mostCounted });
  return {
    ...about,
    pid: process.pid,
    socket: ground.home.gatewaySocket,
    ...live,
    channels: (await house?.channels?.({ probe: false })) ?? live.channels,
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
  { ground, database, house, live }: GatewayMethodParts,
  parts: Parameters<typeof examineHome>[0],
): ExaminedHome {
  const { stores: tenant, leases, transcripts, clock } = ground;
  const stores: Stores = { ...database, health: () => database.health("quick") };
  const open: OpenDatabase = { type: "open", stores, tenant, leases, transcripts, isAlive: ground.isAlive };
  return {
    ...examineHome({ ...parts, clock }),
    database: async () => open,
    makeDatabase: async () => open,
    closeDatabase: async () => {},
    channels: async () => (await house?.channels?.({ probe: false })) ?? live().channels,
  };
}

async function createBackupHere(
  { ground, database, about }: GatewayMethodParts,
  { directory, withKey }: { directory?: string; withKey: boolean },
  call: MethodCall,
): Promise<unknown> {
  requireOwnersChoice(call.caller, { directory, withKey });
  const { createBackup } = await import("../backups/create-backup.ts");
  const tell = whenPercentChanges((_title, done, total) => call.emit("backup.progress", { done, total }));
  return createBackup({
    home: ground.home,
    clock: ground.clock,
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
