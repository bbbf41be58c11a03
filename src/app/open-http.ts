/**
 * The network side of the gateway: where it listens, who has access, and what answers. Only health and metrics are
 * there from the start; doors, WebSocket and the other routes are loaded with the first request that needs them.
 */
import { networkInterfaces } from "node:os";
import { resolveBind } from "../gateway/doors/bind.ts";
import type { GatewayDoors } from "../gateway/doors/create-doors.ts";
import { createOneTimeChallenges } from "../gateway/doors/one-time-challenges.ts";
import { createOneTimeCodes } from "../gateway/doors/one-time-codes.ts";
import { isTrustedProxy } from "../gateway/doors/check-origin.ts";
import { createHomeSecrets } from "../gateway/doors/home-secrets.ts";
import { createSignInTries, type SignInTries } from "../gateway/doors/sign-in-tries.ts";
import type { HttpRoute } from "../gateway/http/http-route.ts";
import { listenOnHttp, type HttpServerParts } from "../gateway/http/http-server.ts";
import { createRequestChecks } from "../gateway/http/request-checks.ts";
import { isLoopback } from "../gateway/limits/address-key.ts";
import type { RateLimits } from "../gateway/limits/rate-limits.ts";
import { createStrangerSeats } from "../gateway/limits/stranger-seats.ts";
import type { Rpc } from "../gateway/rpc.ts";
import type { WebSocketServer } from "../gateway/websocket-server.ts";
import { whenNeeded } from "../infra/when-needed.ts";
import { ownerCaller, type Caller } from "../policy/caller.ts";
import type { DeviceRequest } from "../storage/access/access.ts";
import { outsideAddresses } from "../operate/reach/outside-addresses.ts";
import type { GatewayContext } from "./gateway-context.ts";

export interface HttpSideParts {
  gatewayContext: GatewayContext;
  rpc: Pick<Rpc, "open">;
  limits: RateLimits;
  /** Those that must answer at once, whatever else is going on. */
  routes: readonly HttpRoute[];
  /** All others; loaded once. */
  moreRoutes(doors: GatewayDoors, tries: SignInTries): Promise<readonly HttpRoute[]>;
  answered?: HttpServerParts["answered"];
  /** A connection was one too many of its address. */
  turnedAway?(): void;
  /** A device asks to be let in. */
  deviceAsked(request: DeviceRequest): void;
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
  /** Those names. */
  carried: readonly string[];
  doors(): Promise<GatewayDoors>;
  /** A link that signs one browser in as the owner, once and for five minutes; from this machine. */
  signInLink(): Promise<string>;
  /** The same for somebody who is perhaps elsewhere, and for whom it names; `isOutside` where there is an address for that. */
  linkFor(by: string): Promise<{ link: string; code: string; isOutside: boolean }>;
  connections(): { http: number; websocket: number };
  /** What runs is answered, unless `withinMs` are over first. Safe to call twice. */
  close(withinMs: number): Promise<void>;
}

/** Throws PincerError where the config would let strangers in, or the port is taken. */
export async function openHttp(parts: HttpSideParts): Promise<HttpSide> {
  const { gatewayContext, rpc, limits } = parts;
  const { openedHome, config, log } = gatewayContext;
  const { clock, tenantId } = openedHome;
  const homeSecrets = createHomeSecrets({
    config,
    secrets: openedHome.foundation.secrets,
    secretsFile: openedHome.home.secretsFile,
    onMade: gatewayContext.parts.redactor.add,
  });
  const bind = await resolveBind(config(), {
    interfaces: networkInterfaces,
    secrets: async () => ({ token: await homeSecrets.token(), password: await homeSecrets.password() }),
  });
  if (bind.type === "refused") throw bind.error;

  // Failed tries are counted in one place, whichever way they come.
  const tries = createSignInTries({ clock, perMinute: () => config().gateway.limits.signInTries });
  const codes = createOneTimeCodes({ clock });
  const doors = whenNeeded(async () => {
    const { createDoors } = await import("../gateway/doors/create-doors.ts");
    const made = createDoors({
      access: openedHome.stores.access,
      passkeys: openedHome.stores.passkeys,
      homeSecrets,
      codes,
      challenges: createOneTimeChallenges({ clock }),
      tries,
      config: named,
      clock,
      tenantId,
      workspaceId: openedHome.workspaceId,
      homeRoot: openedHome.home.root,
      isOwnerInChat: async (person) => config().owners.includes(person) || isClaimed(person),
      asked: parts.deviceAsked,
      onError: (error) => gatewayContext.trouble("doors", error),
    });
    return parts.watchDoors?.(made) ?? made;
  });

  /** Cut at the first colon: ids may hold more of them, channels none. */
  const isClaimed = (person: string): Promise<boolean> => {
    const cut = person.indexOf(":");
    return openedHome.stores.pairing.isOwner(person.slice(0, cut), person.slice(cut + 1));
  };

  /** Names under which others carry it here. */
  const carried: string[] = [];
  const named = () => {
    const { gateway } = config();
    return { gateway: { ...gateway, allowedHosts: [...gateway.allowedHosts, ...carried] } };
  };

  const seats = createStrangerSeats({
    most: () => config().gateway.limits.connectionsPerAddress,
    isExempt: (address) => isLoopback(address) || isTrustedProxy(address, config().gateway.trustedProxies),
    refused: () => parts.turnedAway?.(),
  });
  const openWebSockets = whenNeeded(async () => {
    const { createWebSocketServer } = await import("../gateway/websocket-server.ts");
    return createWebSocketServer({
      rpc,
      doors: await doors(),
      limits: () => config().gateway.limits,
      takeRate: (caller) => takeRate(limits, { caller }),
      seats,
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
    seats,
    upgrade(request, socket, head, address) {
      openWebSockets().then(
        (opening) => {
          sockets = opening;
          opening.upgrade(request, socket, head, address);
        },
        (error: unknown) => {
          gatewayContext.trouble("WebSocket", error);
          socket.destroy();
        },
      );
    },
    ...(parts.answered ? { answered: parts.answered } : {}),
    clock,
    log,
  });

  const { scope } = ownerCaller(tenantId, "socket");
  const makeCode = (by: string) => codes.make({ role: "owner", scope, by, boundTo: null }).code;
  const [first] = server.addresses;
  const address = `http://localhost:${first?.port ?? config().gateway.port}`;
  return {
    address,
    port: first?.port ?? config().gateway.port,
    isWide: bind.addresses.some(({ host }) => host !== "127.0.0.1" && host !== "::1"),
    answersTo: (host) => void carried.push(host),
    carried,
    doors,
    signInLink: async () => linkTo(address, makeCode("owner")),
    async linkFor(by) {
      const [outside] = outsideAddresses(config().gateway, carried);
      const code = makeCode(by);
      return { link: linkTo(outside ?? address, code), code, isOutside: outside !== undefined };
    },
    connections: () => ({ http: server.connections(), websocket: sockets?.connections() ?? 0 }),
    async close(withinMs) {
      // At once: nothing new comes in by one way while the other one ends.
      await Promise.all([sockets?.close(withinMs), server.close(withinMs)]);
    },
  };
}

/** In the fragment: it stays in the browser, and in no log. */
const linkTo = (address: string, code: string): string => `${address}/#code=${code}`;

/** How long a request may take to arrive. */
const arriveWithinMs = 30_000;

function takeRate(limits: RateLimits, who: { address: string } | { caller: Caller }): number | undefined {
  if ("address" in who) return secondsOf(limits.take("address", who.address));
  const { id, tenantId } = who.caller;
  return secondsOf(limits.take("user", id)) ?? secondsOf(limits.take("tenant", tenantId));
}

const secondsOf = (taken: ReturnType<RateLimits["take"]>): number | undefined =>
  taken.ok ? undefined : taken.retryAfterSeconds;
