/**
 * The running gateway and its table of contents: what a message passes on its way in and out, built from the ground up, started so
 * that what was left behind comes before what is new, and stopped in reverse.
 */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import {
  asPincerError,
  type Channel,
  type ChannelView,
  type Destination,
  type Model,
  type PincerError,
  type Tool,
} from "@pincer/sdk";
import { readAccounts, type AccountSettings } from "../../channels/accounts.ts";
import type { AccountState } from "../../channels/account-supervisor.ts";
import { createChannelHost } from "../../channels/channel-host.ts";
import { createDeliverer } from "../../channels/deliver.ts";
import { createInbox } from "../../channels/inbox.ts";
import { createMediaStore } from "../../channels/media-store.ts";
import { createPreviews } from "../../channels/previews.ts";
import { createReplies } from "../../channels/replies.ts";
import { locateHome } from "../../config/home.ts";
import type { Config } from "../../config/schema.ts";
import { lockForGateway } from "../../gateway/gateway-lock.ts";
import { createRpc } from "../../gateway/rpc.ts";
import { listenOnSocket } from "../../gateway/socket-server.ts";
import { systemClock, timestamp } from "../../infra/clock.ts";
import { deferred } from "../../infra/deferred.ts";
import { createDoor } from "../../routing/door.ts";
import { createLanes } from "../../routing/lanes.ts";
import { makePairingCode } from "../../routing/pairing-code.ts";
import { createEventRecorder } from "../../routing/record-event.ts";
import { isOver, resetFor } from "../../routing/reset-policy.ts";
import { createRouter } from "../../routing/router.ts";
import type { NoticeStore, OutboxRow, TurnRecord } from "../../storage/message-stores.ts";
import { sessionLeaseName } from "../../storage/session-lease.ts";
import { deskMethods } from "../desks/gateway-methods.ts";
import {
  openGround,
  type Ground,
  type GroundOptions,
  type GroundOverrides,
  type GroundParts,
} from "../open-ground.ts";
import { createEngine, turnDeadlineMs } from "../turns/engine.ts";
import { createAgentMethods } from "./agent-methods.ts";
import { agentFacts, followConfig, loadConnectors, withSecrets } from "./connectors.ts";
import { doorSettings } from "./door-settings.ts";
import { followTurns } from "./follow-turns.ts";
import { createLog, type GatewayLogParts } from "./gateway-log.ts";
import { keepHouse } from "./keep-house.ts";
import { createNotifier, type Notifier } from "./notify-owner.ts";
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

/** How long a reply is worth sending; later the person is told that there was one. */
const replyLifeMs = 24 * 60 * 60_000;
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
  const startedAt = timestamp(systemClock);
  const log = createLog(parts);
  const { clock, stores, home, tenantId, workspaceId, defaultAgentId } = ground;
  const { say } = parts;
  let { config } = ground;
  const trouble = (where: string, error: unknown) => {
    log.error(`${where}: ${asPincerError(error).message}`);
    disk.suspect(error);
  };

  // Out: what is said becomes rows, and the rows are carried to the channels.
  const connectors = await loadConnectors(config, extras.channels ?? []);
  const accountsOf = ({ channels }: Config) =>
    readAccounts(channels).map((account) => ({
      ...account,
      enabled: account.enabled && (options.channels?.includes(account.channel) ?? true),
    }));
  let accounts = accountsOf(config);
  const accountOf = (channel: string, accountId: string) =>
    accounts.find((account) => account.channel === channel && account.accountId === accountId);
  const accountFor = ({ channel, accountId }: Destination) => accountOf(channel, accountId);
  const traitsOf = (channel: string) => connectors.get(channel)?.traits ?? unknownTraits;
  const replies = createReplies({ traitsOf, clock, notAfterMs: replyLifeMs });
  const notifier = createNotifier({
    notices: stores.notices,
    say,
    replies,
    to: () => config.notify.to,
    wake,
    log,
    redactor: parts.redactor,
  });
  const deliverer = createDeliverer({
    outbox: stores.outbox,
    connection: ({ channel, accountId }) => host.connection(channel, accountId),
    traits: traitsOf,
    uncertainPolicy: (destination) => accountFor(destination)?.uncertain ?? "repeat",
    clock,
    random: Math.random,
    say,
    log,
    notAfterMs: replyLifeMs,
    redactor: parts.redactor,
    onProgress: ({ type }) => type === "failed" && notifier.look(),
  });
  function wake(rows: ReadonlyArray<Pick<OutboxRow, "conversation">>): void {
    deliverer.wake(rows);
  }
  const previews = createPreviews({
    outbox: stores.outbox,
    wake,
    clock,
    log,
    redactor: parts.redactor,
    streamingOf: (destination) => accountFor(destination)?.streaming ?? "off",
    canEdit: ({ channel, accountId }) => host.connection(channel, accountId)?.edit !== undefined,
    notAfterMs: replyLifeMs,
  });

  // In the middle: turns.
  const engine = createEngine({
    ground,
    parts,
    config: () => config,
    ...(options.workdir === undefined ? {} : { wishes: { workdir: options.workdir } }),
    ...(extras.models ? { models: extras.models } : {}),
    ...(extras.tools ? { tools: extras.tools } : {}),
    delivery: {
      drafts: ({ destination, turnId, replyTo }, text) =>
        destination ? replies.drafts({ destination, turnId, replyTo, text, kind: "reply" }) : [],
      isStale: ({ origin }, session) =>
        isOver(session, resetFor(origin.channel, config.session.reset), clock.now()),
      noticeOf: ({ destination, origin, turnId }, ending) =>
        destination === null &&
        origin.channel !== "cli" &&
        ending.type !== "answered" &&
        ending.type !== "silent"
          ? {
              kind: "turn-failed",
              subject: `turn:${turnId}`,
              text: { key: "notice.turn-failed", parameters: { turnId, how: ending.type } },
            }
          : undefined,
    },
    watch: followTurns(previews, (rows) => {
      wake(rows);
      notifier.look();
    }),
  });
  const evict = async (turn: TurnRecord) => {
    const taken = await stores.leases.acquire({
      name: sessionLeaseName(turn),
      holder: { id: "evicted", pid: process.pid, host: "", processStart: "" },
      ttlMs: 1,
      isStale: () => true,
    });
    if (taken.type === "acquired") await stores.leases.release(taken.fence);
  };
  const lanes = createLanes({
    run: engine.run,
    turns: stores.turns,
    clock,
    limit: config.queue.concurrency,
    deadlineMs: () => turnDeadlineMs,
    graceMs: 5000,
    evict,
    async bury({ turnId, destination, replyTo, claims }) {
      const text = say("turn.buried", { claims });
      const rows = await stores.turns.bury(turnId, {
        replies: destination ? replies.drafts({ destination, turnId, replyTo, text, kind: "reply" }) : [],
        notice: {
          kind: "dead-letter",
          subject: `turn:${turnId}`,
          text: { key: "notice.dead-letter", parameters: { turnId, claims } },
        },
      });
      wake(rows);
      notifier.look();
    },
    onOver: (turnId) => engine.events.over(turnId),
    stoppedDrafts: ({ destination, turnId, replyTo }) =>
      destination
        ? replies.drafts({ destination, turnId, replyTo, text: say("turn.aborted"), kind: "reply" })
        : [],
    wakeOutbox: wake,
    onError: (error, { turnId }) => trouble(`turn ${turnId}`, error),
  });

  // In: who speaks, and where it belongs.
  const door = createDoor({
    pairing: stores.pairing,
    ownersOf: () => config.owners,
    settings: (channel, accountId) => doorSettings(config, channel, accountOf(channel, accountId)?.door),
    makeCode: () => makePairingCode(randomBytes),
    clock,
  });
  const router = createRouter({
    stores: { ...stores, notices: telling(stores.notices, notifier) },
    door,
    lanes,
    replies,
    wakeOutbox: wake,
    async beginSession(session) {
      await ground.leases.hold(sessionLeaseName(session), async () => {
        const begun = await stores.sessions.openNew(session);
        if (begun.ended) await ground.mirror(begun.ended);
        await ground.mirror(begun.session);
      });
    },
    recordEvent: createEventRecorder({ entries: stores.entries, redactor: parts.redactor }),
    settings: () => ({
      ...agentFacts(config, defaultAgentId),
      ...config.session,
      queueMode: config.queue.mode,
      queueCap: config.queue.cap,
      debounceMs: config.queue.debounceMs ?? 300,
      commandPrefixes: config.commands.prefixes,
      workdirOf: (agentId) => engine.setups.check(agentId, {}).workdir,
    }),
    say,
    clock,
    onError: (error) => trouble("routing", error),
  });
  const inbox = createInbox({
    inbox: stores.inbox,
    tenantId,
    workspaceId,
    log,
    redactor: parts.redactor,
    onStored: (row) => router.accept(row),
  });
  const host = createChannelHost({
    channels: connectors,
    accounts: await withSecrets(accounts, ground.foundation.secrets),
    inbox,
    cursors: stores.cursors,
    media: createMediaStore({ directory: join(home.root, "media") }),
    say,
    clock,
    log,
    redactor: parts.redactor,
    random: Math.random,
    onState: ({ channel, accountId, state, reason }) => {
      log.info(`${channel}/${accountId}: ${state}${reason ? ` (${reason})` : ""}`);
      deliverer.connectionChanged(channel, accountId);
      noteChannel(channel, accountId, { state, reason });
    },
  });

  /** A channel that cannot work is the owner's business until it does. */
  function noteChannel(
    channel: string,
    accountId: string,
    now: Pick<AccountState, "state" | "reason">,
  ): void {
    const subject = `channel:${channel}:${accountId}`;
    const parameters = { channel, accountId, reason: now.reason ?? "" };
    const noted =
      now.state === "broken"
        ? stores.notices.add({
            kind: "channel-broken",
            subject,
            text: { key: "notice.channel-broken", parameters },
          })
        : now.state === "connected" || now.state === "stopped"
          ? stores.notices.dismiss(subject)
          : undefined;
    noted?.then(() => notifier.look()).catch((error: unknown) => trouble("notices", error));
  }

  // The door for commands, pages and programs.
  const stopAsk = deferred<void>();
  const stopping = new AbortController();
  const rpc = createRpc({
    methods: {
      ...deskMethods({
        ground,
        database: ground.database,
        parts,
        about: { version: parts.version, startedAt },
        config: () => config,
        live: () => ({ channels: host.states().map(channelView), turns: lanes.load() }),
        stop: () => stopAsk.resolve(),
        onChange: { outbox: wake, turn: (turn) => lanes.offer(turn), inbox: (row) => router.accept(row) },
      }),
      ...createAgentMethods({ engine, lanes, turns: stores.turns, clock, stopping: stopping.signal }),
    },
    about: { version: parts.version, pid: process.pid, startedAt, language: () => config.language },
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
  });
  /** As the config has them by then: of several changes in a row the last one counts. */
  async function changeAccounts(): Promise<void> {
    const needed = await loadConnectors(config, [...connectors.values()]);
    for (const [id, channel] of needed) connectors.set(id, channel);
    await host.update(await withSecrets(accounts, ground.foundation.secrets));
  }
  let changing = Promise.resolve();
  const stopFollowing = await followConfig(ground, parts, log, (changed) => {
    config = changed;
    accounts = accountsOf(config);
    changing = changing.then(changeAccounts).catch((error: unknown) => trouble("channels", error));
  });

  /** The reverse way: nothing new comes in, what runs comes to its end or parks, what was said goes out. */
  async function stop(withinMs: number): Promise<void> {
    const share = withinMs / 4;
    await stopFollowing();
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
    await Promise.all([copying, keeping]);
    for (const close of opened) await close();
  }
  let stopped: Promise<void> | undefined;

  return {
    socket: home.gatewaySocket,
    accounts: () => accounts,
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

/** The owner hears of what is noted on the way in as of everything else. */
const telling = (notices: NoticeStore, notifier: Notifier): NoticeStore => ({
  ...notices,
  async add(draft) {
    const added = await notices.add(draft);
    notifier.look();
    return added;
  },
});

const channelView = ({ reason, ...state }: AccountState): ChannelView => ({
  ...state,
  ...(reason === undefined ? {} : { reason }),
});

const unknownTraits = { textLimit: 2000, idempotentSend: false };
