/**
 * The running gateway and its table of contents: what a message passes on its way in and out, built from the home up, started so
 * that what was left behind comes before what is new, and stopped in reverse.
 */
import type { Channel, Model, PincerError, Tool } from "@pincer/sdk";
import type { BeforeCompact } from "../agent/compaction/compaction.ts";
import type { AccountSettings } from "../channels/accounts.ts";
import { createMediaStore } from "../storage/media/media-store.ts";
import { locateHome } from "../config/home.ts";
import { lockForGateway } from "../gateway/gateway-lock.ts";
import { createEventBus } from "../gateway/event-bus.ts";
import { systemClock, timestamp } from "../infra/clock.ts";
import { sessionLeaseName } from "../storage/sessions/session-lease.ts";
import { openCommandServices } from "../gateway/commands/command-services.ts";
import {
  openHome,
  type OpenHome,
  type OpenHomeOptions,
  type OpenHomeOverrides,
  type OpenHomeParts,
} from "../storage/home/open-home.ts";
import type { WayOut } from "../agent/effects/network.ts";
import { openEffects } from "../agent/effects/open-effects.ts";
import { openMemory } from "../agent/memory/open-memory.ts";
import { openConnectedModels } from "../agent/models/connected-models.ts";
import { createAuditTrail } from "../gateway/audit/audit-trail.ts";
import { keepAudit } from "../gateway/audit/keep-audit.ts";
import { createRateLimits } from "../gateway/limits/rate-limits.ts";
import type { LoadedPlugins } from "../plugins/load-plugins.ts";
import { openPlugins } from "../plugins/open-plugins.ts";
import type { Reach } from "../operate/reach/open-reach.ts";
import { announcedNotices } from "../gateway/announced-notices.ts";
import { buildServer, type GatewayServer } from "./build-server.ts";
import type { HttpSide } from "./open-http.ts";
import { needsRestart } from "../operate/service/needs-restart.ts";
import type { TurnWishes } from "../agent/turns/turn-wishes.ts";
import { buildIncoming } from "./build-incoming.ts";
import { buildOutgoing } from "./build-outgoing.ts";
import { buildTurns } from "./build-turns.ts";
import { followConfig, withSecrets, type ConfigFollower } from "./connectors.ts";
import { openGatewayContext } from "./gateway-context.ts";
import type { GatewayLog, GatewayLogParts } from "../gateway/logs/gateway-log.ts";
import { runUpkeep } from "../gateway/run-upkeep.ts";
import { openGatewayWatch } from "./watch-gateway.ts";
import { tellLostProgram } from "../channels/tell-lost-program.ts";
import { watchDisk, type DiskWatch } from "../storage/sqlite/watch-disk.ts";

export interface GatewayOptions extends OpenHomeOptions {
  /** Only these channels; without it, all that the config switches on. */
  channels?: string[];
  /** What turns have where nobody wishes otherwise. */
  wishes?: TurnWishes;
  /** Pages and programs are served as the config says; without it, commands of this home alone. */
  isServed?: boolean;
}

export interface GatewayParts extends OpenHomeParts, GatewayLogParts {
  version: string;
}

/** Other parts than the usual ones, for whoever tests the house by shaking it. */
export interface GatewayExtras extends OpenHomeOverrides {
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

/** `why`: the keys of the config that make it necessary; none where somebody asked for it. */
export type StopAsk = { type: "stop" } | { type: "restart"; why: string[] };

export interface Gateway {
  socket: string;
  accounts(): AccountSettings[];
  log: GatewayLog;
  /** The model that is asked first; undefined where none is chosen. */
  model(): string | undefined;
  /** No new work; running turns finish or park within the bound. Safe to call twice. */
  stop(withinMs?: number): Promise<void>;
  /** Resolves when the disk is lost and the process must end; a new one heals what can be. */
  failed: Promise<PincerError>;
  /** Resolves when somebody asked it to stop, or the config has changed in a way that only a new start can follow. */
  stopAsked: Promise<StopAsk>;
  /** Whether somebody asked it to stop for good, perhaps when it was about to serve again. */
  isToEnd(): boolean;
  /** Where browsers and programs reach it, such as http://localhost:18650; undefined where it serves no HTTP. */
  address?(): string | undefined;
  /** A link that signs one browser in, once and for some minutes; undefined where there is no page to sign in to. */
  signInLink?(): Promise<string | undefined>;
  /** Resolves when there is nothing to do. */
  idle(): Promise<void>;
}

const usualStopMs = 10_000;
const settlingMs = 50;

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
    const openedHome = await openHome(parts, options, { ...extras, fdatasync: disk.fdatasync });
    opened.unshift(openedHome.close);
    return await startGateway({ parts, options, extras, openedHome, disk, opened });
  } catch (error) {
    for (const close of opened) await close();
    throw error;
  }
}

interface Start {
  parts: GatewayParts;
  options: GatewayOptions;
  extras: GatewayExtras;
  openedHome: OpenHome;
  disk: DiskWatch;
  opened: Array<() => Promise<void>>;
}

async function startGateway({
  parts,
  options,
  extras,
  openedHome: bare,
  disk,
  opened,
}: Start): Promise<Gateway> {
  const bus = createEventBus({ clock: bare.clock });
  const noticed = () => bus.publish({ event: "notice.changed", payload: {} });
  const stores = { ...bare.stores, notices: announcedNotices(bare.stores.notices, noticed) };
  const openedHome: OpenHome = { ...bare, stores };
  const { clock, home } = openedHome;
  const startedAt = timestamp(systemClock);
  let plugins: LoadedPlugins | undefined;
  const gatewayContext = await openGatewayContext({
    openedHome,
    parts,
    disk,
    traceIdOf: (runId) => telemetry.traceIdOf(runId),
    async channels(toLog) {
      plugins = await openPlugins({
        ...parts,
        config: openedHome.config,
        home,
        workdir: options.workdir,
        channels: (extras.channels ?? []).map(({ id }) => id),
        notices: stores.notices,
        clock,
        log: toLog,
      });
      opened.unshift(plugins.close);
      return [...(extras.channels ?? []), ...plugins.channels];
    },
    only: options.channels,
  });
  const { config, log, trouble } = gatewayContext;
  opened.unshift(async () => log.close());

  const stopping = new AbortController();
  const limits = createRateLimits({ clock, limits: () => config().gateway.limits });
  const trail = createAuditTrail({
    audit: stores.audit,
    clock,
    onError: (error) => trouble("audit", error),
  });
  // Those who watch are there before what they look at.
  let server: GatewayServer | undefined;
  let stage: "starting" | "running" | "stopping" = "starting";
  const { gauges, telemetry, house } = openGatewayWatch(gatewayContext, {
    version: parts.version,
    bus,
    stage: () => stage,
    lanes: () => lanes.load(),
    accounts: () => host.states(),
    connection: (channel, accountId) => host.connection(channel, accountId),
    renew: (channel, accountId) => host.renew(channel, accountId),
    connections: () => server?.connections() ?? {},
    tellOwner: () => notifier.look(),
  });
  const connection = (channel: string, accountId: string) => host.connection(channel, accountId);
  const outgoing = buildOutgoing(gatewayContext, connection, house, stopping.signal);
  const { deliverer, notifier } = outgoing;
  const connected = openConnectedModels({
    ...parts,
    openedHome: { ...openedHome, stores: { ...stores, usage: gauges.usage(stores.usage) } },
    config,
  });
  const memory = openMemory({
    ...parts,
    openedHome,
    config,
    connected,
    workdir: options.workdir,
    onError: (error) => trouble("memory", error),
  });
  opened.unshift(memory.close);
  const media = createMediaStore({ directory: home.mediaDir, limits: () => config().media, clock });
  const effects = openEffects({
    ...parts,
    ...openedHome,
    secrets: openedHome.foundation.secrets,
    config,
    gateway: { tellLost: (record, text) => tellLostProgram(openedHome, record, parts.redactor.text(text)) },
    wayOut: extras.wayOut,
    onError: (error) => trouble("effects", error),
  });
  opened.unshift(effects.close);
  const { engine, lanes } = buildTurns(gatewayContext, outgoing, {
    memory,
    effects,
    media,
    models: extras.models ?? [],
    tools: [...(extras.tools ?? []), ...(plugins?.tools ?? [])],
    beforeCompact: extras.beforeCompact,
    provenance: extras.provenance,
    connected,
    wishes: { ...options.wishes, ...(options.workdir === undefined ? {} : { workdir: options.workdir }) },
    received: (row) => router.accept(row),
    bus,
    house,
  });
  const commandServices = openCommandServices(openedHome, parts, {
    config,
    memory,
    engine,
    answerApproval: engine.approvals.answer,
    signInLink: async (by) => server?.http?.linkFor(by),
  });
  const { router, host } = await buildIncoming(gatewayContext, outgoing, {
    ...engine,
    lanes,
    media,
    effects,
    commandServices,
    house,
    limits,
    stopping: stopping.signal,
  });

  // The doors for commands, pages and programs.
  const stopAsk = Promise.withResolvers<StopAsk>();
  let isRestarting = false;
  let isToEnd = false;
  void stopAsk.promise.then(({ type }) => (isRestarting = type === "restart"));
  // Commands may ask before the config is followed: they wait for that.
  const following = Promise.withResolvers<ConfigFollower>();
  server = await buildServer({
    gatewayContext,
    parts,
    outgoing,
    engine,
    lanes,
    router,
    host,
    commandServices: async () => commandServices,
    media,
    memory,
    effects,
    connected,
    bus,
    gauges,
    trail,
    limits: gauges.countLimits(limits),
    plugins: plugins?.report ?? [],
    about: { version: parts.version, startedAt },
    stopping: stopping.signal,
    control: {
      stop() {
        isToEnd = true;
        stopAsk.resolve({ type: "stop" });
      },
      restart: () => stopAsk.resolve({ type: "restart", why: [] }),
      reload: async () => (await following.promise).reload(),
    },
    isServed: options.isServed === true && config().gateway.http,
  });
  const { http, close: closeServer } = server;
  opened.unshift(() => closeServer(0));

  // First what was left behind, in the order of its way; then what is new.
  await stores.turns.settleAbandoned(async (turn) => {
    const lease = await stores.leases.find(sessionLeaseName(turn));
    return lease !== undefined && openedHome.isAlive(lease.holder);
  });
  await effects.recover();
  await deliverer.start();
  opened.unshift(() => deliverer.stop(0));
  await lanes.recover();
  opened.unshift(async () => void (await lanes.drain(0)));
  // What is received meanwhile waits behind what is being taken up, however long that takes.
  router.recover().catch((error: unknown) => trouble("routing", error));
  await host.start();
  opened.unshift(() => host.stop(0));
  notifier.look();
  const copying = openedHome.transcripts
    .completeAll({
      sessions: stores.sessions,
      signal: stopping.signal,
      exclusively: (session, work) => openedHome.leases.hold(sessionLeaseName(session), work),
    })
    .catch(() => undefined); // stopped: the next start completes them
  const keeping = runUpkeep({
    stores,
    clock,
    signal: stopping.signal,
    onError: (error) => trouble("clearing away", error),
    media,
    effects,
    approvals: engine.approvals,
    single: {
      async clear(before, signal) {
        const { clearOnceSessions, onceSessionsOf } =
          await import("../gateway/openai/clear-once-sessions.ts");
        await clearOnceSessions(onceSessionsOf(openedHome, memory), before, signal);
      },
    },
  });
  const auditing = keepAudit({
    audit: stores.audit,
    anchors: openedHome.auditAnchors,
    trail,
    keepDays: () => config().audit.keepDays,
    clock,
    onError: (error) => trouble("audit", error),
  });
  // Those who look after the house end with it, also where it does not come to run.
  opened.unshift(async () => {
    stopping.abort();
    await Promise.all([copying, keeping]);
    await auditing.stop();
  });
  let changing = Promise.resolve();
  const follower = await followConfig(openedHome, parts, log, async (changed) => {
    // The file does not say who wrote it; where it was somebody by a request, the row of that request does.
    trail.configChanged(config(), changed, "config");
    bus.publish({ event: "config.changed", payload: { inForce: true } });
    const why = needsRestart(config(), changed);
    if (why.length > 0) stopAsk.resolve({ type: "restart", why });
    // As the config has them by then: of several changes in a row the last one counts.
    const adopted = gatewayContext.adopt(changed).catch((error: unknown) => trouble("channels", error));
    changing = changing
      .then(() => adopted)
      .then(async () =>
        host.update(await withSecrets(gatewayContext.accounts(), openedHome.foundation.secrets)),
      )
      .catch((error: unknown) => trouble("channels", error));
    await adopted;
    memory.refresh();
  });
  following.resolve(follower);
  // Whoever waits for it hears that it is ready before anything is loaded that only later ones need.
  const settled = systemClock.sleep(settlingMs, stopping.signal).catch(() => undefined);
  const reach = http && (await reachOut(http));

  async function reachOut({ port, isWide, answersTo }: HttpSide): Promise<Reach | undefined> {
    const { discovery, tailscale } = config().gateway;
    if (!discovery.bonjour && tailscale === "off") return undefined;
    const { openReach } = await import("../operate/reach/open-reach.ts");
    const found = await openReach({
      config: config(),
      port,
      isWide,
      version: parts.version,
      say: parts.say,
      log,
    });
    for (const host of found.hosts) answersTo(host);
    return found;
  }

  settled
    .then(() => (stopping.signal.aborted ? undefined : memory.follow()))
    .catch((error: unknown) => trouble("memory", error));
  const watching = gauges.watch(stopping.signal);
  stage = "running";

  /** The reverse way: nothing new comes in, what runs comes to its end or parks, what was said goes out. */
  async function stop(withinMs: number): Promise<void> {
    const share = withinMs / 4;
    stage = "stopping";
    bus.publish({ event: "gateway.stopping", payload: { restarts: isRestarting } });
    // The readable copies are brought up to date, if that does not take long; what is left the next start does.
    async function copyOn(): Promise<void> {
      const enough = new AbortController();
      await Promise.race([copying, clock.sleep(share / 2, enough.signal).catch(() => undefined)]);
      enough.abort();
    }
    const steps: Array<[what: string, end: () => Promise<unknown>]> = [
      ["reach", async () => reach?.close()],
      ["config", follower.close],
      ["routing", () => router.drain(share / 2)],
      ["turns", () => lanes.drain(share * 2)],
      ["transcripts", copyOn],
      ["work", async () => stopping.abort()],
      ["server", () => closeServer(share / 2)],
      ["delivery", () => deliverer.stop(share / 2)],
      ["channels", () => host.stop(share / 2)],
      ["rest", () => Promise.all([copying, keeping, watching, connected.settled()])],
      ["telemetry", () => telemetry.close(share / 2)],
      ...opened.map((close): (typeof steps)[number] => ["closing", close]),
    ];
    // One that fails keeps none of the others from ending: the database and the lock are the last.
    for (const [what, end] of steps) await end().catch((error: unknown) => trouble(what, error));
  }
  let stopped: Promise<void> | undefined;

  return {
    socket: home.gatewaySocket,
    log,
    accounts: gatewayContext.accounts,
    model: () => config().agents.defaults.model.primary,
    failed: disk.failed,
    stopAsked: stopAsk.promise,
    isToEnd: () => isToEnd,
    address: () => http?.address,
    signInLink: async () => http?.signInLink(),
    stop: (withinMs = usualStopMs) => (stopped ??= stop(withinMs)),
    async idle() {
      await router.idle();
      await lanes.idle();
      await notifier.idle();
      await deliverer.idle();
    },
  };
}
