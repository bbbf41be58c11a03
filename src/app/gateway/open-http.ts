/**
 * The gateway's side that faces the network: where it listens, who is let in, and what answers. Only what watches over it is there from the
 * start; doors, WebSocket and the rest of the routes are loaded with the first request that needs them.
 */
import { networkInterfaces } from "node:os";
import { resolveBind } from "../../gateway/doors/bind.ts";
import type { GatewayDoors } from "../../gateway/doors/create-doors.ts";
import { createOneTimeCodes } from "../../gateway/doors/one-time-codes.ts";
import { createHomeSecrets } from "../../gateway/doors/home-secrets.ts";
import { createSignInTries, type SignInTries } from "../../gateway/doors/sign-in-tries.ts";
import type { HttpRoute } from "../../gateway/http/http-route.ts";
import { listenOnHttp, type HttpServerParts } from "../../gateway/http/http-server.ts";
import { createRequestChecks } from "../../gateway/http/request-checks.ts";
import type { RateLimits } from "../../gateway/limits/rate-limits.ts";
import type { Rpc } from "../../gateway/rpc.ts";
import type { WebSocketServer } from "../../gateway/websocket-server.ts";
import { whenNeeded } from "../../infra/when-needed.ts";
import { ownerCaller, type Caller } from "../../policy/caller.ts";
import type { GatewayFloor } from "./gateway-floor.ts";

export interface HttpSideParts {
  floor: GatewayFloor;
  rpc: Pick<Rpc, "open">;
  limits: RateLimits;
  /** Those that must answer at once, whatever else is going on. */
  routes: readonly HttpRoute[];
  /** All others; loaded once. */
  moreRoutes(doors: GatewayDoors, tries: SignInTries): Promise<readonly HttpRoute[]>;
  answered?: HttpServerParts["answered"];
  /** Somebody was let in, or not. */
  watchDoors?(doors: GatewayDoors): GatewayDoors;
}

export interface HttpSide {
  /** Where browsers and programs reach it, such as http://localhost:18650. */
  address: string;
  /** Whether others than this machine can reach it. */
  isWide: boolean;
  port: number;
  /** From now on it is called by this name, too. */
  answersTo(host: string): void;
  doors(): Promise<GatewayDoors>;
  /** A link that signs one browser in, once and for five minutes. */
  signInLink(): Promise<string>;
  connections(): { http: number; websocket: number };
  /** What runs is answered, unless `withinMs` are over first. Safe to call twice. */
  close(withinMs: number): Promise<void>;
}

/** Throws PincerError where the config would let strangers in, or the port is taken. */
export async function openHttp(parts: HttpSideParts): Promise<HttpSide> {
  const { floor, rpc, limits } = parts;
  const { ground, config, log } = floor;
  const { clock, tenantId } = ground;
  const homeSecrets = createHomeSecrets({
    config,
    secrets: ground.foundation.secrets,
    secretsFile: ground.home.secretsFile,
    onMade: floor.parts.redactor.add,
  });
  const bind = await resolveBind(config(), {
    interfaces: networkInterfaces,
    secrets: async () => ({ token: await homeSecrets.token(), password: await homeSecrets.password() }),
  });
  if (bind.type === "refused") throw bind.error;

  // Whoever tries what does not fit is counted in one place, whichever way they try it.
  const tries = createSignInTries({ clock, perMinute: () => config().gateway.limits.signInTries });
  const codes = createOneTimeCodes({ clock });
  const doors = whenNeeded(async () => {
    const { createDoors } = await import("../../gateway/doors/create-doors.ts");
    const made = createDoors({
      access: ground.stores.access,
      homeSecrets,
      codes,
      tries,
      config,
      clock,
      tenantId,
      workspaceId: ground.workspaceId,
      homeRoot: ground.home.root,
      onError: (error) => floor.trouble("doors", error),
    });
    return parts.watchDoors?.(made) ?? made;
  });

  /** Names under which others carry it here. */
  const carried: string[] = [];
  const named = () => {
    const { gateway } = config();
    return { gateway: { ...gateway, allowedHosts: [...gateway.allowedHosts, ...carried] } };
  };

  const openWebSockets = whenNeeded(async () => {
    const { createWebSocketServer } = await import("../../gateway/websocket-server.ts");
    return createWebSocketServer({
      rpc,
      doors: await doors(),
      limits: () => config().gateway.limits,
      takeRate: (caller) => takeRate(limits, { caller }),
      clock,
      log,
    });
  });
  let sockets: WebSocketServer | undefined;

  const server = await listenOnHttp({
    addresses: bind.addresses,
    routes: parts.routes,
    moreRoutes: async () => parts.moreRoutes(await doors(), tries),
    doors: {
      admit: async (shown, from) => (await doors()).admit(shown, from),
      isStillIn: async (caller) => (await doors()).isStillIn(caller),
    },
    checks: createRequestChecks(named),
    limits: () => ({ ...config().gateway.limits, arriveWithinMs }),
    takeRate: (who) => takeRate(limits, who),
    upgrade(request, socket, head, address) {
      openWebSockets().then(
        (opening) => {
          sockets = opening;
          opening.upgrade(request, socket, head, address);
        },
        (error: unknown) => {
          floor.trouble("WebSocket", error);
          socket.destroy();
        },
      );
    },
    ...(parts.answered ? { answered: parts.answered } : {}),
    clock,
    log,
  });

  const [first] = server.addresses;
  const address = `http://localhost:${first?.port ?? config().gateway.port}`;
  return {
    address,
    port: first?.port ?? config().gateway.port,
    isWide: bind.addresses.some(({ host }) => host !== "127.0.0.1" && host !== "::1"),
    answersTo: (host) => void carried.push(host),
    doors,
    async signInLink() {
      const { id: by, scope } = ownerCaller(tenantId, "socket");
      const { code } = codes.make({ role: "owner", scope, by, boundTo: null });
      // In the fragment: it stays in the browser, and in no log.
      return `${address}/#code=${code}`;
    },
    connections: () => ({ http: server.connections(), websocket: sockets?.connections() ?? 0 }),
    async close(withinMs) {
      // At once: nothing new comes in by one way while the other one ends.
      await Promise.all([sockets?.close(withinMs), server.close(withinMs)]);
    },
  };
}

/** How long a request may take to arrive. */
const arriveWithinMs = 30_000;

function takeRate(limits: RateLimits, who: { address: string } | { caller: Caller }): number | undefined {
  if ("address" in who) return secondsOf(limits.take("address", who.address));
  const { id, tenantId } = who.caller;
  return secondsOf(limits.take("user", id)) ?? secondsOf(limits.take("tenant", tenantId));
}

const secondsOf = (taken: ReturnType<RateLimits["take"]>): number | undefined =>
  taken.ok ? undefined : taken.retryAfterSeconds;
