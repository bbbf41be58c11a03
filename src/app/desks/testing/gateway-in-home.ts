/** A gateway without channels and turns, in a home of its own: its lock, its socket and everything that desks ask of it. */
import { locateHome } from "../../../config/home.ts";
import type { Problem } from "../../../config/loaded-config.ts";
import { lockForGateway } from "../../../gateway/gateway-lock.ts";
import { createEventBus } from "../../../gateway/event-bus.ts";
import { createRpc } from "../../../gateway/rpc.ts";
import { listenOnSocket } from "../../../gateway/socket-server.ts";
import { systemClock } from "../../../infra/clock.ts";
import { createRedactor } from "../../../infra/redactor.ts";
import { createSay } from "../../../infra/texts.ts";
import type { InboxRow } from "../../../storage/inbox.ts";
import type { OutboxRow } from "../../../storage/outbox.ts";
import type { TurnRecord } from "../../../storage/turns.ts";
import type { DescribeContext } from "../../context/context-description.ts";
import { openHands } from "../../hands/open-hands.ts";
import { noMemory } from "../../memory/no-memory.ts";
import { openConnectedModels } from "../../models/connected-models.ts";
import { openGround, type Ground } from "../../open-ground.ts";
import { deskMethods, type GatewayMethodParts } from "../gateway-methods.ts";

export interface GatewayInHome {
  ground: Ground;
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
  const ground = await openGround(parts, {});
  const changes: GatewayInHome["changes"] = { outbox: [], turns: [], inbox: [] };
  const asked: string[] = [];
  const refusals: Problem[] = [];
  const about = { version, startedAt: "2026-01-01T12:00:00.000Z" };
  const methods = deskMethods({
    ground,
    database: ground.database,
    parts,
    about,
    config: () => ground.config,
    connected: openConnectedModels({ ...parts, ground, config: () => ground.config }),
    ...(describeContext ? { describeContext } : {}),
    memory,
    hands: openHands({
      ...parts,
      ...ground,
      secrets: ground.foundation.secrets,
      config: () => ground.config,
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
    about: { ...about, pid: process.pid, language: () => ground.config.language },
    hide: (payload) => redactor.values(payload),
    bus: createEventBus({ clock }),
    clock,
    log,
  });
  const { tenantId } = ground;
  const server = await listenOnSocket({ path: ground.home.gatewaySocket, rpc, tenantId, clock, log });

  let stopping: Promise<void> | undefined;
  function stop(): Promise<void> {
    stopping ??= (async () => {
      await server.close(1000);
      await ground.close();
      await lock.release();
    })();
    return stopping;
  }
  return { ground, changes, asked, refusals, stop };
}
