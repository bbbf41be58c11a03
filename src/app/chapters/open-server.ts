/** The server of the gateway: what commands, pages and programs may ask, and the doors by which they come. */
import type { ChannelView, PincerError } from "@pincer/sdk";
import type { AccountState } from "../../channels/account-supervisor.ts";
import { healthRoutes } from "../../gateway/http/health-routes.ts";
import { tellOfDevice } from "../../gateway/doors/tell-of-device.ts";
import { handlersWhenNeeded } from "../../gateway/handlers-when-needed.ts";
import { createNodeMethods } from "../../gateway/nodes/node-registry.ts";
import { createRpc, type Rpc } from "../../gateway/rpc.ts";
import { listenOnSocket } from "../../gateway/socket-server.ts";
import type { GatewayMethodParts } from "../gateway-methods.ts";
import { createAgentMethods } from "../../gateway/methods/agent-methods.ts";
import { createChatMethods } from "../../gateway/methods/chat-methods.ts";
import { homeOf, type GatewayServerParts } from "../server-parts.ts";
import { openHttp, type HttpSide } from "../open-http.ts";
import { keepHttp, type KeptHttp } from "../keep-http.ts";
import { scopeLookups } from "../../gateway/scope-lookups.ts";
import { watchedDoors } from "../../gateway/watch-doors.ts";
import type { ObservedBase } from "./open-observers.ts";
import type { Inbound } from "./open-inbound.ts";
import type { Outbound } from "./open-outbound.ts";
import type { Turns } from "./open-turns.ts";

export interface GatewayServer {
  /** Undefined where nothing is served, or nothing can be served now. */
  http(): HttpSide | undefined;
  /** Why nothing can be served now. */
  httpTrouble(): PincerError | undefined;
  /** Calls as soon as something is served: now, or when a port or an address has become free. */
  whenServed(call: (http: HttpSide) => void): void;
  connections(): Record<string, number>;
  /** What runs is answered, unless `withinMs` are over first. Safe to call twice. */
  close(withinMs: number): Promise<void>;
}

/** Throws PincerError where the socket cannot be opened; nothing stays open then. */
export async function openServer(
  base: ObservedBase,
  { outbound, turns, inbound, control }: OtherChapters,
): Promise<GatewayServer> {
  const { gatewayContext, parts, options, observers, stopping } = base;
  const { gauges } = observers;
  return listen({
    ...base,
    ...turns,
    ...inbound,
    outgoing: outbound,
    gauges,
    limits: gauges.countLimits(base.limits),
    plugins: base.plugins.report,
    about: { version: parts.version, startedAt: base.startedAt },
    stopping: stopping.signal,
    control,
    isServed: options.isServed === true && gatewayContext.config().gateway.http,
  });
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
  let kept: KeptHttp | undefined;
  let told = "";
  const http = () => kept?.current();
  const waiting: Array<(http: HttpSide) => void> = [];
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
        return apiMethods(apiParts(server, http));
      }),
      ...talkMethods(server, connections.push),
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
    const open = () =>
      openHttp({
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
        deviceAsked(request) {
          const { look } = server.outgoing.notifier;
          tellOfDevice({ notices: openedHome.stores.notices, look }, request).catch((error: unknown) =>
            gatewayContext.trouble("doors", error),
          );
        },
        watchDoors: (doors) => watchedDoors(doors, gauges, trail),
      });
    kept = await keepHttp({
      open,
      clock,
      onTrouble({ message }) {
        // The same trouble is told once, however often it is tried.
        if (message !== told) log.error(`http: ${message}`);
        told = message;
      },
      onLate(side) {
        log.note(parts.say("gateway.served-late", { address: side.address }));
        for (const call of waiting.splice(0)) call(side);
      },
    });
  }
  return {
    http,
    httpTrouble: () => kept?.trouble(),
    whenServed(call) {
      const side = http();
      if (side) call(side);
      else waiting.push(call);
    },
    connections: () => ({ socket: socket.connections(), ...http()?.connections() }),
    async close(withinMs) {
      await Promise.all([kept?.close(withinMs), socket.close(withinMs)]);
    },
  };
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
    openedHome,
    database: openedHome.database,
    parts,
    about: server.about,
    config: gatewayContext.config,
    connected: server.connected,
    memory: server.memory,
    effects: server.effects,
    labels: server.labels,
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
function talkMethods(
  { gatewayContext, parts, engine, ask, lanes, outgoing, media, stopping }: GatewayServerParts,
  push: Rpc["push"],
) {
  const { openedHome } = gatewayContext;
  const { stores, clock } = openedHome;
  const home = homeOf(gatewayContext);
  return {
    ...createChatMethods({ engine, ask, lanes, stores, media, home, wake: outgoing.wake }),
    ...createAgentMethods({
      engine,
      ask,
      lanes,
      turns: stores.turns,
      inbox: stores.inbox,
      entries: stores.entries,
      home,
      clock,
      say: parts.say,
      push,
      onError: (error) => gatewayContext.trouble("streams", error),
      stopping,
    }),
  };
}

const channelView = ({ reason, ...state }: AccountState): ChannelView => ({
  ...state,
  ...(reason === undefined ? {} : { reason }),
});
