/**
 * The running gateway and its table of contents: what a message passes on its way in and out, built from the ground up, started so
 * that what was left behind comes before what is new, and stopped in reverse.
 */
import type { Channel, ChannelView, Model, PincerError, Tool } from "@pincer/sdk";
import type { BeforeCompact } from "../../agent/compaction/compaction.ts";
import type { AccountSettings } from "../../channels/accounts.ts";
import type { AccountState } from "../../channels/account-supervisor.ts";
import { createMediaStore } from "../../channels/media-store.ts";
import { locateHome } from "../../config/home.ts";
import { lockForGateway } from "../../gateway/gateway-lock.ts";
import { createRpc } from "../../gateway/rpc.ts";
import { listenOnSocket } from "../../gateway/socket-server.ts";
import { systemClock, timestamp } from "../../infra/clock.ts";
import { collectGarbage } from "../../infra/small-heap.ts";
import { sessionLeaseName } from "../../storage/session-lease.ts";
import { openCommandRoom } from "../commands/command-room.ts";
import { deskMethods } from "../desks/gateway-methods.ts";
import {
  openGround,
  type Ground,
  type GroundOptions,
  type GroundOverrides,
  type GroundParts,
} from "../open-ground.ts";
import type { WayOut } from "../hands/network.ts";
import { openHands } from "../hands/open-hands.ts";
import { openMemory } from "../memory/open-memory.ts";
import { openConnectedModels } from "../models/connected-models.ts";
import { createAgentMethods } from "./agent-methods.ts";
import { buildIncoming } from "./build-incoming.ts";
import { buildOutgoing } from "./build-outgoing.ts";
import { buildTurns } from "./build-turns.ts";
import { followConfig, withSecrets, type ConfigFollower } from "./connectors.ts";
import { layFloor } from "./gateway-floor.ts";
import type { GatewayLogParts } from "./gateway-log.ts";
import { keepHouse } from "./keep-house.ts";
import { tellLostProgram } from "./tell-lost-program.ts";
import { watchDisk, type DiskWatch } from "./watch-disk.ts";

export interface GatewayOptions extends GroundOptions {
  /** Only these channels; without it, all that the config switches on. */
  channels?: string[];
}

export interface GatewayParts extends GroundParts, GatewayLogParts {
  version: string;
}

/** Other parts than the usual ones, for whoever tests the house by shaking it. */
export interface GatewayExtras extends GroundOverrides {
  /** Connectors besides those that come with the product. */
  channels?: Channel[];
  /** The first is used for every turn. */
  models?: Model[];
  tools?: Tool[];
  /** Where names and addresses of the web lead. */
  wayOut?: WayOut;
  /** Off: nobody looks where the arguments of calls come from. */
  provenance?: "on" | "off";
  /** Asked before a session is summed up. */
  beforeCompact?: BeforeCompact;
}

export interface Gateway {
  socket: string;
  accounts(): AccountSettings[];
  /** No new work; running turns finish or park within the bound. Safe to call twice. */
  stop(withinMs?: number): Promise<void>;
  /** Resolves when the disk is lost and the process must end; a new one heals what can be. */
  failed: Promise<PincerError>;
  /** Resolves when somebody asked it to stop. */
  stopAsked: Promise<void>;
  /** Resolves when there is nothing to do. */
  idle(): Promise<void>;
}

const usualStopMs = 10_000;

/** Throws PincerError `gateway/running`, `storage/…`; nothing stays open then. */
export async function createGateway(
  parts: GatewayParts,
  options: GatewayOptions,
  extras: GatewayExtras = {},
): Promise<Gateway> {
  // What has been opened, the last one first to be closed when the start fails half-way.
  const opened: Array<() => Promise<void>> = [];
  try {
    const lock = await lockForGateway({ home: locateHome(parts.environment), clock: systemClock });
    opened.unshift(lock.release);
    const disk = watchDisk(extras.fdatasync);
    const ground = await openGround(parts, options, { ...extras, fdatasync: disk.fdatasync });
    opened.unshift(ground.close);
    return await startGateway({ parts, options, extras, ground, disk, opened });
  } catch (error) {
    for (const close of opened) await close();
    throw error;
  }
}

interface Start {
  parts: GatewayParts;
  options: GatewayOptions;
  extras: GatewayExtras;
  ground: Ground;
  disk: DiskWatch;
  opened: Array<() => Promise<void>>;
}

async function startGateway({ parts, options, extras, ground, disk, opened }: Start): Promise<Gateway> {
  const { clock, stores, home } = ground;
  const startedAt = timestamp(systemClock);
  const floor = await layFloor({
    ground,
    parts,
    disk,
    channels: extras.channels ?? [],
    only: options.channels,
  });
  const { config, log, trouble } = floor;

  const outgoing = buildOutgoing(floor, (channel, accountId) => host.connection(channel, accountId));
  const { deliverer, notifier, wake } = outgoing;
  const connected = openConnectedModels({ ...parts, ground, config });
  const memory = openMemory({
    ...parts,
    ground,
    config,
    connected,
    workdir: options.workdir,
    onError: (error) => trouble("memory", error),
  });
  opened.unshift(memory.close);
  const media = createMediaStore({ directory: home.mediaDir, limits: () => config().media, clock });
  const hands = openHands({
    ...parts,
    ...ground,
    secrets: ground.foundation.secrets,
    config,
    gateway: { tellLost: (record, text) => tellLostProgram(ground, record, parts.redactor.text(text)) },
    wayOut: extras.wayOut,
    onError: (error) => trouble("hands", error),
  });
  opened.unshift(hands.close);
  const { engine, lanes } = buildTurns(floor, outgoing, {
    memory,
    hands,
    media,
    models: extras.models ?? [],
    tools: extras.tools ?? [],
    beforeCompact: extras.beforeCompact,
    provenance: extras.provenance,
    connected,
    wishes: options.workdir === undefined ? {} : { workdir: options.workdir },
    received: (row) => router.accept(row),
  });
  const commandRoom = openCommandRoom(ground, parts, {
    config,
    memory,
    engine,
    answerApproval: engine.approvals.answer,
  });
  const { router, host } = await buildIncoming(floor, outgoing, {
    ...engine,
    lanes,
    media,
    hands,
    commandRoom,
  });

  // The door for commands, pages and programs.
  const stopAsk = Promise.withResolvers<void>();
  const stopping = new AbortController();
  // Commands may ask before the config is followed: they wait for that.
  const following = Promise.withResolvers<ConfigFollower>();
  const rpc = createRpc({
    methods: {
      ...deskMethods({
        describeContext: engine.describeContext,
        explainCall: engine.explain,
        answerApproval: engine.approvals.answer,
        commandRoom: async () => commandRoom,
        liveCommands: {
          lanes,
          async stop({ session }) {
            const { outbox, ...stopped } = await lanes.stop(session.workspaceId, session.sessionKey, "stop");
            wake(outbox);
            return stopped;
          },
        },
        ground,
        database: ground.database,
        parts,
        about: { version: parts.version, startedAt },
        config,
        connected,
        memory,
        hands,
        live: () => ({ channels: host.states().map(channelView), turns: lanes.load() }),
        stop: () => stopAsk.resolve(),
        reload: async () => (await following.promise).reload(),
        onChange: { outbox: wake, turn: (turn) => lanes.offer(turn), inbox: (row) => router.accept(row) },
      }),
      ...createAgentMethods({
        engine,
        lanes,
        turns: stores.turns,
        clock,
        say: parts.say,
        stopping: stopping.signal,
      }),
    },
    about: { version: parts.version, pid: process.pid, startedAt, language: () => config().language },
    hide: (payload) => parts.redactor.values(payload),
    clock,
    log,
  });
  const socket = await listenOnSocket({ path: home.gatewaySocket, rpc, clock, log });
  opened.unshift(() => socket.close(0));

  // First what was left behind, in the order of its way; then what is new.
  await stores.turns.settleAbandoned(async (turn) => {
    const lease = await stores.leases.find(sessionLeaseName(turn));
    return lease !== undefined && ground.isAlive(lease.holder);
  });
  await hands.recover();
  await deliverer.start();
  opened.unshift(() => deliverer.stop(0));
  await lanes.recover();
  opened.unshift(async () => void (await lanes.drain(0)));
  // What is received meanwhile waits behind what is being taken up, however long that takes.
  router.recover().catch((error: unknown) => trouble("routing", error));
  await host.start();
  opened.unshift(() => host.stop(0));
  notifier.look();
  const copying = ground.transcripts
    .completeAll({
      sessions: stores.sessions,
      signal: stopping.signal,
      exclusively: (session, work) => ground.leases.hold(sessionLeaseName(session), work),
    })
    .catch(() => undefined); // stopped: the next start completes them
  const keeping = keepHouse({
    stores,
    clock,
    signal: stopping.signal,
    onError: (error) => trouble("clearing away", error),
    media,
    hands,
    approvals: engine.approvals,
  });
  let changing = Promise.resolve();
  const follower = await followConfig(ground, parts, log, async (changed) => {
    // As the config has them by then: of several changes in a row the last one counts.
    const adopted = floor.adopt(changed).catch((error: unknown) => trouble("channels", error));
    changing = changing
      .then(() => adopted)
      .then(async () => host.update(await withSecrets(floor.accounts(), ground.foundation.secrets)))
      .catch((error: unknown) => trouble("channels", error));
    await adopted;
    memory.refresh();
  });
  following.resolve(follower);
  // Whoever writes first should not wait for what it takes to ask a model. Not where none is configured: it would only cost memory.
  const isAsked = config().agents.defaults.model.primary !== undefined && !extras.models?.length;
  const rehearsing = isAsked ? rehearseWhenIdle() : undefined;

  async function rehearseWhenIdle(): Promise<void> {
    const isIdle = () =>
      Object.values(lanes.load()).every((turns) => turns === 0) && !stopping.signal.aborted;
    const room = await connected.room();
    if (!isIdle()) return;
    const { rehearse } = await import("./rehearse.ts");
    await rehearse({ floor, outgoing, room, signal: stopping.signal });
    // All that starting up has left behind is due to be collected: better now than within the first turn.
    if (isIdle()) collectGarbage();
  }

  memory.follow().catch((error: unknown) => trouble("memory", error));

  /** The reverse way: nothing new comes in, what runs comes to its end or parks, what was said goes out. */
  async function stop(withinMs: number): Promise<void> {
    const share = withinMs / 4;
    await follower.close();
    await router.drain(share / 2);
    await lanes.drain(share * 2);
    // The readable copies are brought up to date, if that does not take long; what is left the next start does.
    const enough = new AbortController();
    await Promise.race([copying, clock.sleep(share / 2, enough.signal).catch(() => undefined)]);
    enough.abort();
    stopping.abort();
    await socket.close(share / 2);
    await deliverer.stop(share / 2);
    await host.stop(share / 2);
    await Promise.all([copying, keeping, rehearsing, connected.settled()]);
    for (const close of opened) await close();
  }
  let stopped: Promise<void> | undefined;

  return {
    socket: home.gatewaySocket,
    accounts: floor.accounts,
    failed: disk.failed,
    stopAsked: stopAsk.promise,
    stop: (withinMs = usualStopMs) => (stopped ??= stop(withinMs)),
    async idle() {
      await router.idle();
      await lanes.idle();
      await notifier.idle();
      await deliverer.idle();
    },
  };
}

const channelView = ({ reason, ...state }: AccountState): ChannelView => ({
  ...state,
  ...(reason === undefined ? {} : { reason }),
});
