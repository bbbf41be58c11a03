/** The base of every chapter of the gateway: the lock, the home, its log, plugins, and the observers. */
import { locateHome } from "../../config/home.ts";
import { createTurnEvents, type TurnEvents } from "../../agent/turns/turn-events.ts";
import { announcedNotices } from "../../gateway/announced-notices.ts";
import { createAuditTrail, type AuditTrail } from "../../gateway/audit/audit-trail.ts";
import { createEventBus, type EventBus } from "../../gateway/event-bus.ts";
import { lockForGateway } from "../../gateway/gateway-lock.ts";
import { createRateLimits, type RateLimits } from "../../gateway/limits/rate-limits.ts";
import type { GatewayLog } from "../../gateway/logs/gateway-log.ts";
import { createRunTraces } from "../../gateway/telemetry/run-traces.ts";
import { systemClock, timestamp } from "../../infra/clock.ts";
import type { LoadedPlugins } from "../../plugins/load-plugins.ts";
import { openPlugins } from "../../plugins/open-plugins.ts";
import { openHome, type OpenHome } from "../../storage/home/open-home.ts";
import { watchDisk, type DiskWatch } from "../../storage/sqlite/watch-disk.ts";
import { openGatewayContext, type GatewayContext } from "../gateway-context.ts";
import type { GatewayExtras, GatewayOptions, GatewayParts } from "../gateway.ts";
import type { Lifetime } from "./lifetime.ts";

export interface GatewayAsked {
  parts: GatewayParts;
  options: GatewayOptions;
  extras: GatewayExtras;
}

export interface GatewayBase extends GatewayAsked {
  lifetime: Lifetime;
  gatewayContext: GatewayContext;
  disk: DiskWatch;
  /** Aborted when the gateway stops, after its turns have ended or parked. */
  stopping: AbortController;
  startedAt: string;
  turnEvents: TurnEvents;
  bus: EventBus;
  plugins: LoadedPlugins;
  limits: RateLimits;
  trail: AuditTrail;
}

/** Throws PincerError `gateway/running`, `storage/…`. */
export async function openBase(asked: GatewayAsked, lifetime: Lifetime): Promise<GatewayBase> {
  const { parts, options, extras } = asked;
  const lock = await lockForGateway({ home: locateHome(parts.environment), clock: systemClock });
  lifetime.onEnd("lock", lock.release);
  const disk = watchDisk(extras.fdatasync);
  const bare = await openHome(parts, options, { ...extras, fdatasync: disk.fdatasync });
  lifetime.onEnd("home", bare.close);

  const startedAt = timestamp(systemClock);
  const bus = createEventBus({ clock: bare.clock });
  const noticed = () => bus.publish({ event: "notice.changed", payload: {} });
  const stores = { ...bare.stores, notices: announcedNotices(bare.stores.notices, noticed) };
  const openedHome: OpenHome = { ...bare, stores };
  const turnEvents = createTurnEvents();
  const traces = createRunTraces();
  turnEvents.subscribe(traces.watch);

  const loading = Promise.withResolvers<LoadedPlugins>();
  const gatewayContext = await openGatewayContext({
    openedHome,
    parts,
    disk,
    traceIdOf: traces.traceIdOf,
    async channels(log) {
      const plugins = await loadPlugins(asked, openedHome, log);
      lifetime.onEnd("plugins", plugins.close);
      loading.resolve(plugins);
      return [...(extras.channels ?? []), ...plugins.channels];
    },
    only: options.channels,
  });
  const { log, config, trouble } = gatewayContext;
  lifetime.onEnd("log", () => log.close());
  lifetime.tellTroubleTo(trouble);

  const { clock } = openedHome;
  return {
    ...asked,
    lifetime,
    gatewayContext,
    disk,
    stopping: new AbortController(),
    startedAt,
    turnEvents,
    bus,
    plugins: await loading.promise,
    limits: createRateLimits({ clock, limits: () => config().gateway.limits }),
    trail: createAuditTrail({ audit: stores.audit, clock, onError: (error) => trouble("audit", error) }),
  };
}

const loadPlugins = (
  { parts, options, extras }: GatewayAsked,
  { config, home, clock, stores }: OpenHome,
  log: GatewayLog,
): Promise<LoadedPlugins> =>
  openPlugins({
    ...parts,
    config,
    home,
    workdir: options.workdir,
    channels: (extras.channels ?? []).map(({ id }) => id),
    notices: stores.notices,
    clock,
    log,
  });
