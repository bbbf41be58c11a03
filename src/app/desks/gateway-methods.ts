/** What a running gateway answers over its own stores: every desk, the state of the home, the doctor and backups. */
import type { ChannelView, GatewayView } from "@pincer/sdk";
import { sayProblem, type Problem } from "../../config/loaded-config.ts";
import type { Config } from "../../config/schema.ts";
import { createSay } from "../../infra/texts.ts";
import type { Language } from "../../infra/texts/table.ts";
import type { MethodCall, MethodHandlers } from "../../gateway/rpc.ts";
import type { Stores } from "../../storage/storage.ts";
import { examineHome, type ExaminedHome, type OpenDatabase } from "../home/examine-home.ts";
import type { DescribeContext } from "../context/context-description.ts";
import type { LazyModels } from "../models/connected-models.ts";
import type { Ground, GroundParts } from "../open-ground.ts";
import type { Hands } from "../hands/hands.ts";
import { deskHandlers } from "./desk.ts";
import { createLocalDesks, type DeskChanges, type LocalDeskParts } from "./local-desks.ts";

export interface GatewayMethodParts {
  ground: Ground;
  database: Pick<Stores, "tenant" | "health" | "backup" | "close">;
  parts: GroundParts;
  about: { version: string; startedAt: string };
  /** As it is now. */
  config(): Config;
  /** What is going on; asked for each status. */
  live(): { channels: ChannelView[]; turns: { running: number; waiting: number } };
  /** Begins to stop; returns at once. */
  stop(): void;
  /** Takes the config file up now; resolves when it is in force, or to why it was refused. */
  reload(): Promise<Problem[]>;
  onChange: DeskChanges;
  connected: Pick<LazyModels, "room">;
  describeContext?: DescribeContext;
  answerApproval?: LocalDeskParts["answerApproval"];
  commandRoom?: LocalDeskParts["commandRoom"];
  liveCommands?: LocalDeskParts["liveCommands"];
  explainCall?: LocalDeskParts["explainCall"];
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
    ...(explainCall ? { explainCall } : {}),
    memory,
    snapshots: gateway.hands.snapshots,
  });
  const inLanguage = (language: Language | undefined) =>
    language ? { ...homeParts(parts), say: createSay(language) } : homeParts(parts);

  return {
    ...deskHandlers("approvals", desks.approvals),
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
    ...deskHandlers("tape", desks.tape),
    ...deskHandlers("undo", desks.undo),
    ...deskHandlers("usage", desks.usage),
    "gateway.status": () => describeGateway(gateway),
    async "gateway.stop"() {
      gateway.stop();
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

async function describeGateway({ ground, about, live }: GatewayMethodParts): Promise<GatewayView> {
  const { outbox, approvals, notices } = ground.stores;
  const waiting = await outbox.list({ limit: mostCounted, states: ["queued", "sending", "uncertain"] });
  const asked = await approvals.list({ limit: mostCounted, states: ["pending"] });
  const open = await notices.list({ limit: mostCounted });
  return {
    ...about,
    pid: process.pid,
    socket: ground.home.gatewaySocket,
    ...live(),
    outbox: { waiting: waiting.length },
    approvals: { waiting: asked.length },
    notices: { open: open.length },
  };
}

/**
 * The home with the gateway's own database, which nobody who looks closes. Reading the whole of it to find damage would make every
 * conversation wait, so that is left to a doctor who finds no gateway.
 */
function examineOpen(
  { ground, database }: GatewayMethodParts,
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
  };
}

async function createBackupHere(
  { ground, database, about }: GatewayMethodParts,
  { directory, withKey }: { directory?: string; withKey: boolean },
  call: MethodCall,
): Promise<unknown> {
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
