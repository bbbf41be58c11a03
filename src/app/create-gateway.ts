/**
 * The running gateway and its table of contents: the parts that a message passes on its way in and out, built from the
 * home up. At start, unfinished work comes before new work; stopping goes in reverse.
 */
import { PincerError } from "@pincer/sdk";
import { checkProfile } from "../operate/service/check-run-flags.ts";
import { createLifetime } from "./chapters/lifetime.ts";
import { followChanges } from "./chapters/follow-changes.ts";
import { openBase, type GatewayBase } from "./chapters/open-base.ts";
import { openInbound, type Inbound } from "./chapters/open-inbound.ts";
import { openObservers, type Observed } from "./chapters/open-observers.ts";
import { openOutbound, type Outbound } from "./chapters/open-outbound.ts";
import { openServer, type GatewayServer } from "./chapters/open-server.ts";
import { openTurns, type Turns } from "./chapters/open-turns.ts";
import { openUpkeep } from "./chapters/open-upkeep.ts";
import { reachOut } from "./chapters/reach-out.ts";
import type { Reach } from "../operate/reach/open-reach.ts";
import type { ConfigFollower } from "../gateway/follow-config.ts";
import type { Gateway, GatewayExtras, GatewayOptions, GatewayParts, StopAsk } from "./gateway.ts";

const usualStopMs = 10_000;

/** Throws PincerError `gateway/running`, `storage/…`, `usage/not-found`; nothing stays open then. */
export async function createGateway(
  parts: GatewayParts,
  options: GatewayOptions,
  extras: GatewayExtras = {},
): Promise<Gateway> {
  try {
    return await tryToStart(parts, options, extras);
  } catch (error) {
    // What comes out of a damaged page can be anything, so it may look like a bug.
    const mayBeDamage = !(error instanceof PincerError) || error.code === "storage/corrupt";
    if (!mayBeDamage) throw error;
    return tryToStart(parts, { ...options, isSuspect: true }, extras);
  }
}

async function tryToStart(
  parts: GatewayParts,
  options: GatewayOptions,
  extras: GatewayExtras,
): Promise<Gateway> {
  const lifetime = createLifetime();
  try {
    return await startGateway(await openBase({ parts, options, extras }, lifetime));
  } catch (error) {
    // Why it did not start matters more than what went wrong on the way back.
    await lifetime.end(0).catch(() => undefined);
    throw error;
  }
}

/** Chapters as they open. Those that open first ask of later ones only when it comes to it; until then there is nothing. */
interface Opened {
  outbound?: Outbound;
  turns?: Turns;
  inbound?: Inbound;
  server?: GatewayServer;
}

async function startGateway(bare: GatewayBase): Promise<Gateway> {
  const { gatewayContext, lifetime, bus, stopping, options } = bare;
  const { config, openedHome } = gatewayContext;
  const { wishes = {} } = options;
  if (options.checksProfile)
    await checkProfile(wishes.credential, { credentials: openedHome.stores.credentials, config: config() });
  const asked = createStopControl();
  // Commands may ask before the config is followed: they wait for that.
  const following = Promise.withResolvers<ConfigFollower>();
  const reload = async () => (await following.promise).reload();

  let stage: ReturnType<Observed["stage"]> = "starting";
  const opened: Opened = {};
  const connection = (channel: string, accountId: string) =>
    opened.inbound?.host.connection(channel, accountId);
  const observers = openObservers(bare, {
    stage: () => stage,
    lanes: () => opened.turns?.lanes.load() ?? { running: 0, waiting: 0 },
    accounts: () => opened.inbound?.host.states() ?? [],
    connection,
    renew: (channel, accountId) => opened.inbound?.host.renew(channel, accountId),
    connections: () => opened.server?.connections() ?? {},
    workdirs: () => opened.turns?.engine.setups.workdirPaths() ?? [],
    httpTrouble: () => opened.server?.httpTrouble(),
    tellOwner: () => opened.outbound?.notifier.look(),
  });
  const base = { ...bare, observers };
  const outbound = (opened.outbound = openOutbound(base, connection));
  const turns = (opened.turns = openTurns(base, outbound, {
    received: (row) => opened.inbound?.router.accept(row),
    pageAddress: () => opened.server?.http()?.address,
  }));
  const upkeep = openUpkeep(base, turns);
  const inbound = (opened.inbound = await openInbound(base, outbound, turns, async (by) =>
    opened.server?.http()?.linkFor(by),
  ));
  lifetime.onEnd("channels", inbound.close, 1 / 8);
  lifetime.onEnd("delivery", outbound.close, 1 / 8);
  const control = { ...asked.control, reload };
  const server = (opened.server = await openServer(base, { outbound, turns, inbound, control }));
  lifetime.onEnd("server", server.close, 1 / 8);
  lifetime.onEnd("work", () => stopping.abort());
  lifetime.onEnd("transcripts", upkeep.finishCopies, 1 / 8);
  lifetime.onEnd("turns", turns.close, 1 / 2);
  lifetime.onEnd("routing", inbound.drain, 1 / 8);

  // First what was left behind, in the order of its way; then what is new.
  await turns.recover();
  await outbound.start();
  await turns.lanes.recover();
  inbound.recover();
  await inbound.start();
  outbound.notifier.look();
  upkeep.start();

  const follower = await followChanges(base, {
    host: inbound.host,
    memory: turns.memory,
    restart: (why) => asked.restart(why),
  });
  lifetime.onEnd("config", follower.close);
  following.resolve(follower);
  const reaching: Array<Promise<Reach | undefined>> = [];
  lifetime.onEnd("reach", async () => {
    for (const reach of await Promise.all(reaching)) await reach?.close();
  });
  server.whenServed((http) => {
    const reach = reachOut(base, http);
    reaching.push(reach.catch(() => undefined));
    reach.catch((error: unknown) => gatewayContext.trouble("reach", error));
  });
  await Promise.all(reaching);
  upkeep.startRest();
  stage = "running";

  /** The reverse way: nothing new comes in, what runs comes to its end or parks, what was said goes out. */
  function stop(withinMs: number): Promise<void> {
    stage = "stopping";
    bus.publish({ event: "gateway.stopping", payload: { restarts: asked.isRestarting() } });
    return lifetime.end(withinMs);
  }
  let stopped: Promise<void> | undefined;

  return {
    socket: openedHome.home.gatewaySocket,
    log: gatewayContext.log,
    accounts: gatewayContext.accounts,
    model: () => wishes.provider ?? config().agents.defaults.model.primary,
    failed: base.disk.failed,
    stopAsked: asked.promise,
    isToEnd: asked.isToEnd,
    address: () => server.http()?.address,
    httpTrouble: server.httpTrouble,
    onServed: (call) => server.whenServed(({ address }) => call(address)),
    signInLink: async () => server.http()?.signInLink(),
    stop: (withinMs = usualStopMs) => (stopped ??= stop(withinMs)),
    async idle() {
      await inbound.router.idle();
      await turns.lanes.idle();
      await outbound.notifier.idle();
      await outbound.deliverer.idle();
    },
  };
}

/** Who asked it to stop, and how: the first one counts, except that somebody may still want it to end for good. */
function createStopControl() {
  const { promise, resolve } = Promise.withResolvers<StopAsk>();
  let isToEnd = false;
  let isRestarting = false;
  void promise.then(({ type }) => (isRestarting = type === "restart"));
  const restart = (why: string[]) => resolve({ type: "restart", why });
  return {
    promise,
    restart,
    isToEnd: () => isToEnd,
    isRestarting: () => isRestarting,
    control: {
      stop() {
        isToEnd = true;
        resolve({ type: "stop" });
      },
      restart: () => restart([]),
    },
  };
}
