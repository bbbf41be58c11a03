/**
 * The running gateway and its table of contents: what a message passes on its way in and out, built from the home up, started so
 * that what was left behind comes before what is new, and stopped in reverse.
 */
import { createLifetime } from "./chapters/lifetime.ts";
import { followChanges } from "./chapters/follow-changes.ts";
import { openBase, type GatewayBase } from "./chapters/open-base.ts";
import { openInbound } from "./chapters/open-inbound.ts";
import { openOutbound } from "./chapters/open-outbound.ts";
import { openServer } from "./chapters/open-server.ts";
import { openTurns } from "./chapters/open-turns.ts";
import { openUpkeep } from "./chapters/open-upkeep.ts";
import { reachOut } from "./chapters/reach-out.ts";
import type { ConfigFollower } from "./connectors.ts";
import type { Gateway, GatewayExtras, GatewayOptions, GatewayParts, StopAsk } from "./gateway.ts";

const usualStopMs = 10_000;

/** Throws PincerError `gateway/running`, `storage/…`; nothing stays open then. */
export async function createGateway(
  parts: GatewayParts,
  options: GatewayOptions,
  extras: GatewayExtras = {},
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

async function startGateway(base: GatewayBase): Promise<Gateway> {
  const { gatewayContext, lifetime, live, bus, stopping } = base;
  const { config, openedHome } = gatewayContext;
  const asked = createStopControl();
  // Commands may ask before the config is followed: they wait for that.
  const following = Promise.withResolvers<ConfigFollower>();
  const reload = async () => (await following.promise).reload();

  const outbound = openOutbound(base);
  const turns = openTurns(base, outbound);
  const upkeep = openUpkeep(base, turns);
  const inbound = await openInbound(base, outbound, turns);
  lifetime.onEnd("channels", inbound.close, 1 / 8);
  lifetime.onEnd("delivery", outbound.close, 1 / 8);
  const server = await openServer(base, { outbound, turns, inbound, control: { ...asked.control, reload } });
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
  const { http } = server;
  const reach = http && (await reachOut(base, http));
  if (reach) lifetime.onEnd("reach", reach.close);
  upkeep.startRest();
  live.stage = "running";

  /** The reverse way: nothing new comes in, what runs comes to its end or parks, what was said goes out. */
  function stop(withinMs: number): Promise<void> {
    live.stage = "stopping";
    bus.publish({ event: "gateway.stopping", payload: { restarts: asked.isRestarting() } });
    return lifetime.end(withinMs);
  }
  let stopped: Promise<void> | undefined;

  return {
    socket: openedHome.home.gatewaySocket,
    log: gatewayContext.log,
    accounts: gatewayContext.accounts,
    model: () => config().agents.defaults.model.primary,
    failed: base.disk.failed,
    stopAsked: asked.promise,
    isToEnd: asked.isToEnd,
    address: () => http?.address,
    signInLink: async () => http?.signInLink(),
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
