/** The server of the gateway: what commands, pages and programs may ask, and the doors by which they come. */
import { methods, type ChannelView, type MethodName } from "@pincer/sdk";
import type { AccountState } from "../../channels/account-supervisor.ts";
import { healthRoutes } from "../../gateway/http/health-routes.ts";
import {
  connectionMethods,
  type HandledMethod,
  type MethodCall,
  type MethodHandlers,
} from "../../gateway/method-calls.ts";
import { createNodeMethods } from "../../gateway/nodes/node-registry.ts";
import { createRpc, type Rpc } from "../../gateway/rpc.ts";
import { listenOnSocket } from "../../gateway/socket-server.ts";
import { whenNeeded } from "../../infra/when-needed.ts";
import { showPairingCode } from "../../routing/pairing-code.ts";
import type { DeviceRequest } from "../../storage/access/access.ts";
import type { GatewayMethodParts } from "../gateway-methods.ts";
import { createAgentMethods } from "../../gateway/methods/agent-methods.ts";
import { createChatMethods } from "../../gateway/methods/chat-methods.ts";
import { homeOf, type GatewayServerParts } from "../server-parts.ts";
import { openHttp, type HttpSide } from "../open-http.ts";
import { scopeLookups } from "../../gateway/scope-lookups.ts";
import { watchedDoors } from "../../gateway/watch-doors.ts";
import type { GatewayBase } from "./open-base.ts";
import type { Inbound } from "./open-inbound.ts";
import type { Outbound } from "./open-outbound.ts";
import type { Turns } from "./open-turns.ts";

export interface GatewayServer {
  /** Undefined where nothing is served. */
  http: HttpSide | undefined;
  connections(): Record<string, number>;
  /** What runs is answered, unless `withinMs` are over first. Safe to call twice. */
  close(withinMs: number): Promise<void>;
}

/** Throws PincerError where a door cannot be opened; nothing stays open then. */
export async function openServer(
  base: GatewayBase,
  { outbound, turns, inbound, control }: OtherChapters,
): Promise<GatewayServer> {
  const { gatewayContext, parts, options, observers, live, stopping } = base;
  const { gauges } = observers;
  const server = await listen({
    ...base,
    ...turns,
    ...inbound,
    outgoing: outbound,
    commandServices: async () => inbound.commandServices,
    gauges,
    limits: gauges.countLimits(base.limits),
    plugins: base.plugins.report,
    about: { version: parts.version, startedAt: base.startedAt },
    stopping: stopping.signal,
    control,
    isServed: options.isServed === true && gatewayContext.config().gateway.http,
  });
  const { http } = server;
  live.connections = server.connections;
  if (http) live.signInLink = http.linkFor;
  return server;
}

export interface OtherChapters {
  outbound: Outbound;
  turns: Turns;
  inbound: Inbound;
  control: GatewayServerParts["control"];
}

async function listen(server: GatewayServerParts): Promise<GatewayServer> {
  const { gatewayContext, parts, bus, gauges, trail, about } = server;
  const { openedHome, config, log } = gatewayContext;
  const { clock, tenantId, home } = openedHome;
  let http: HttpSide | undefined;
  // Nodes are reached by the connections of the very thing whose methods they are.
  const connections: Pick<Rpc, "push" | "onClose"> = {
    push: (...given) => rpc.push(...given),
    onClose: (...given) => rpc.onClose(...given),
  };
  const rpc = createRpc({
    methods: {
      // APIs are for those who look and change; a gateway that nobody asks anything of does without them.
      ...handlersWhenNeeded(async () => {
        const { apiMethods } = await import("../gateway-methods.ts");
        return apiMethods(apiParts(server, () => http));
      }),
      ...talkMethods(server),
      ...createNodeMethods({ connections, publish: bus.publish, clock, ids: openedHome.ids }),
      "plugins.list": async () => ({ plugins: server.plugins }),
    },
    about: { ...about, pid: process.pid, language: () => config().language },
    hide: (payload) => parts.redactor.values(payload),
    lookups: scopeLookups(openedHome),
    called({ caller, method, params, code }) {
      gauges.called({ method, outcome: code ?? "ok" });
      const { runId } = params as { runId?: unknown };
      trail.called({
        caller,
        method,
        ...(typeof runId === "string" ? { runId } : {}),
        ...(code === undefined ? {} : { code }),
      });
    },
    bus,
    clock,
    log,
  });
  const socket = await listenOnSocket({ path: home.gatewaySocket, rpc, tenantId, clock, log });
  if (server.isServed) {
    http = await openHttp({
      gatewayContext,
      rpc,
      limits: server.limits,
      routes: healthRoutes({
        notReady: gauges.notReady,
        metrics: gauges.metrics,
        isMetricsOpen: () => config().gateway.openMetrics,
      }),
      async moreRoutes(doors, tries) {
        const { openRoutes } = await import("../http-routes.ts");
        return openRoutes({ ...server, doors, tries, rpc });
      },
      answered: gauges.answered,
      turnedAway: gauges.turnedAway,
      deviceAsked: (request) => tellOfDevice(server, request),
      watchDoors: (doors) => watchedDoors(doors, gauges, trail),
    }).catch(async (error: unknown) => {
      await socket.close(0);
      throw error;
    });
  }
  return {
    http,
    connections: () => ({ socket: socket.connections(), ...http?.connections() }),
    async close(withinMs) {
      await Promise.all([http?.close(withinMs), socket.close(withinMs)]);
    },
  };
}

/** The owner is told once, and where they let it in. */
function tellOfDevice(
  { gatewayContext, outgoing }: Pick<GatewayServerParts, "gatewayContext" | "outgoing">,
  { id, name, code, address }: DeviceRequest,
): void {
  const parameters = { name, address, code: showPairingCode(code) };
  const text = { key: "access.device-asked", parameters };
  gatewayContext.openedHome.stores.notices
    .add({ kind: "device", text, subject: `device:${id}`, replaces: true })
    .then(() => outgoing.notifier.look())
    .catch((error: unknown) => gatewayContext.trouble("doors", error));
}

/** One for every method that there is; what stands behind them is made with the first one that is called. */
function handlersWhenNeeded(make: () => Promise<Partial<MethodHandlers>>): Partial<MethodHandlers> {
  const made = whenNeeded(make);
  const names = (Object.keys(methods) as MethodName[]).filter(
    (name): name is HandledMethod => !connectionMethods.has(name),
  );
  const handler = (name: HandledMethod) => async (params: never, call: MethodCall) => {
    const handlers = await made();
    const found = handlers[name] as ((params: never, call: MethodCall) => Promise<never>) | undefined;
    if (!found) throw new Error(`nobody answers ${name}`);
    return found(params, call);
  };
  return Object.fromEntries(names.map((name) => [name, handler(name)])) as Partial<MethodHandlers>;
}

/** What the APIs answer with: those of the home, and those of a running gateway. */
function apiParts(server: GatewayServerParts, http: () => HttpSide | undefined): GatewayMethodParts {
  const { gatewayContext, parts, engine, lanes, outgoing, host, router, gauges, stopping } = server;
  const { openedHome } = gatewayContext;
  return {
    ...server.control,
    describeContext: engine.describeContext,
    explainCall: engine.explain,
    answerApproval: engine.approvals.answer,
    commandServices: server.commandServices,
    liveCommands: {
      lanes,
      async stop({ session }) {
        const { outbox, ...stopped } = await lanes.stop(session.workspaceId, session.sessionKey, "stop");
        outgoing.wake(outbox);
        return stopped;
      },
    },
    openedHome,
    database: openedHome.database,
    parts,
    about: server.about,
    config: gatewayContext.config,
    connected: server.connected,
    memory: server.memory,
    effects: server.effects,
    live: () => ({
      channels: host.states().map(channelView),
      turns: lanes.load(),
      address: http()?.address ?? null,
    }),
    gauges: gauges.view,
    running: {
      health: gauges.health,
      channels: gauges.channels,
      accounts: gatewayContext.accounts,
      connector: (channel) => gatewayContext.connectors.get(channel),
      connection: host.connection,
      replies: outgoing.replies,
      served: http,
      stopping,
    },
    signIn: {
      pageAddress: () => http()?.address,
      async makeCode(grant) {
        const doors = await http()?.doors();
        if (!doors) throw new Error("nothing is served here");
        return doors.makeCode(grant);
      },
      // Where nothing is served nobody comes by a secret.
      bindingOf: async (by) => (await http()?.doors())?.bindingOf(by) ?? null,
    },
    onChange: {
      outbox: outgoing.wake,
      turn: (turn) => lanes.offer(turn),
      inbox: (row) => router.accept(row),
      session: (event, { sessionKey, sessionId, agentId }) =>
        server.bus.publish({ event, payload: { sessionKey, sessionId } }, { agentId }),
    },
  };
}

/** Runs and conversations. */
function talkMethods({
  gatewayContext,
  parts,
  engine,
  lanes,
  outgoing,
  media,
  stopping,
}: GatewayServerParts) {
  const { openedHome, config } = gatewayContext;
  const { stores, clock } = openedHome;
  const home = homeOf(gatewayContext);
  return {
    ...createChatMethods({ engine, lanes, stores, media, config, home, wake: outgoing.wake }),
    ...createAgentMethods({
      engine,
      lanes,
      turns: stores.turns,
      entries: stores.entries,
      home,
      clock,
      say: parts.say,
      stopping,
    }),
  };
}

const channelView = ({ reason, ...state }: AccountState): ChannelView => ({
  ...state,
  ...(reason === undefined ? {} : { reason }),
});
