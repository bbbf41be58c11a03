/**
 * A gateway without channels and turns, in a temporary home: its lock, its socket and everything that APIs need of it.
 */
import { locateHome } from "../../config/home.ts";
import type { Problem } from "../../config/loaded-config.ts";
import { lockForGateway } from "../../gateway/gateway-lock.ts";
import { createEventBus } from "../../gateway/event-bus.ts";
import { createRpc } from "../../gateway/rpc.ts";
import { listenOnSocket } from "../../gateway/socket-server.ts";
import { systemClock } from "../../infra/clock.ts";
import { createRedactor } from "../../infra/redactor.ts";
import { createSay } from "../../infra/texts.ts";
import type { InboxRow } from "../../storage/inbox/inbox.ts";
import type { OutboxRow } from "../../storage/outbox/outbox.ts";
import type { TurnRecord } from "../../storage/turns/turns.ts";
import type { DescribeContext } from "../../agent/context/context-description.ts";
import { openEffects } from "../../agent/effects/open-effects.ts";
import { noMemory } from "../../memory/following/no-memory.ts";
import { openConnectedModels } from "../../agent/models/connected-models.ts";
import { openHome, type OpenHome } from "../../storage/home/open-home.ts";
import { apiMethods, type GatewayMethodParts } from "../gateway-methods.ts";

export interface GatewayInHome {
  openedHome: OpenHome;
  changes: { outbox: OutboxRow[]; turns: TurnRecord[]; inbox: InboxRow[] };
  /** The methods that were asked for, in order. */
  asked: string[];
  /** Why it refuses to take up a changed config. */
  refusals: Problem[];
  /** Safe to call twice. */
  stop(): Promise<void>;
}

export async function startGatewayInHome(
  environment: Record<string, string | undefined>,
  version = "0.0.0-test",
  describeContext?: DescribeContext,
  memory: GatewayMethodParts["memory"] = noMemory,
): Promise<GatewayInHome> {
  const clock = systemClock;
  const lock = await lockForGateway({ home: locateHome(environment), clock });
  const redactor = createRedactor();
  const parts = { environment, redactor, say: createSay("en"), notify: () => {}, cwd: "/" };
  const openedHome = await openHome(parts, {});
  const changes: GatewayInHome["changes"] = { outbox: [], turns: [], inbox: [] };
  const asked: string[] = [];
  const refusals: Problem[] = [];
  const about = { version, startedAt: "2026-01-01T12:00:00.000Z" };
  const methods = apiMethods({
    openedHome,
    database: openedHome.database,
    parts,
    about,
    config: () => openedHome.config,
    connected: openConnectedModels({ ...parts, openedHome, config: () => openedHome.config }),
    ...(describeContext ? { describeContext } : {}),
    memory,
    effects: openEffects({
      ...parts,
      ...openedHome,
      secrets: openedHome.foundation.secrets,
      config: () => openedHome.config,
      onError: () => {},
    }),
    live: () => ({
      channels: [{ channel: "local", accountId: "default", state: "connected", since: about.startedAt }],
      turns: { running: 1, waiting: 2 },
      address: "http://localhost:18650",
    }),
    stop: () => void stop(),
    restart: () => {},
    reload: async () => refusals,
    onChange: {
      outbox: (rows) => changes.outbox.push(...rows),
      turn: (turn) => changes.turns.push(turn),
      inbox: (row) => changes.inbox.push(row),
    },
  });
  const log = { warn: () => {}, error: () => {} };
  const noted = Object.fromEntries(
    Object.entries(methods).map(([name, handler]) => [
      name,
      (...args: Parameters<typeof handler>) => {
        asked.push(name);
        return (handler as (...given: typeof args) => unknown)(...args);
      },
    ]),
  );
  const rpc = createRpc({
    methods: noted,
    about: { ...about, pid: process.pid, language: () => openedHome.config.language },
    hide: (payload) => redactor.values(payload),
    bus: createEventBus({ clock }),
    clock,
    log,
  });
  const { tenantId } = openedHome;
  const server = await listenOnSocket({ path: openedHome.home.gatewaySocket, rpc, tenantId, clock, log });

  let stopping: Promise<void> | undefined;
  function stop(): Promise<void> {
    stopping ??= (async () => {
      await server.close(1000);
      await openedHome.close();
      await lock.release();
    })();
    return stopping;
  }
  return { openedHome, changes, asked, refusals, stop };
}
