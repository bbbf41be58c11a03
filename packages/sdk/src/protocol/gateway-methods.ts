/** Connecting, subscribing to events, and the gateway itself. */
import { Type } from "typebox";
import { accessRoles } from "./access-methods.ts";
import type { ChannelView } from "./channels-methods.ts";
import { eventTopics } from "./events.ts";
import type { GaugesView } from "./gauge-views.ts";
import { answer, language, method, name, strict } from "./method.ts";

export const gatewayMethods = {
  /**
   * The first request of a connection; the versions must be equal. `auth` is for clients that sent no credentials when
   * they connected; `device` signs the challenge that the gateway sent first.
   */
  connect: method({
    params: {
      protocol: Type.Integer(),
      client: Type.Object({ name, version: Type.String({ maxLength: 100 }) }, strict),
      auth: Type.Optional(
        Type.Object(
          {
            token: Type.Optional(Type.String({ minLength: 1, maxLength: 8192 })),
            device: Type.Optional(
              Type.Object(
                {
                  publicKey: Type.String({ minLength: 1, maxLength: 100 }),
                  signature: Type.String({ minLength: 1, maxLength: 200 }),
                  name: Type.String({ minLength: 1, maxLength: 100 }),
                  wants: Type.Enum([...accessRoles]),
                },
                strict,
              ),
            ),
          },
          strict,
        ),
      ),
    },
    result: answer<WelcomeView>(),
    effect: "read",
    permission: null,
    scope: "free",
  }),

  /**
   * Subscribes to events of these topics, as far as the caller may see them; without topics, to all. Replaces earlier
   * subscriptions.
   */
  "events.subscribe": method({
    params: { topics: Type.Optional(Type.Array(Type.Enum([...eventTopics]))) },
    result: answer<{ stateVersion: number }>(),
    effect: "read",
    // What comes is looked at topic by topic.
    permission: "state.view",
    scope: "free",
  }),
  "events.unsubscribe": method({
    params: {},
    result: answer<Record<string, never>>(),
    effect: "read",
    permission: "state.view",
    scope: "free",
  }),

  "gateway.status": method({
    params: {},
    result: answer<GatewayView>(),
    effect: "read",
    permission: "state.view",
    scope: "free",
  }),
  /** Answers at once; then the gateway finishes running turns, within its time limit, and ends. */
  "gateway.stop": method({
    params: {},
    result: answer<{ pid: number }>(),
    effect: "change",
    permission: "gateway.control",
    scope: "tenant",
  }),
  /**
   * Answers at once; then the gateway finishes or parks running turns, and restarts in the same process: nothing is
   * lost.
   */
  "gateway.restart": method({
    params: {},
    result: answer<{ pid: number }>(),
    effect: "change",
    permission: "gateway.control",
    scope: "tenant",
  }),
  /** Loads the config file now; answers when it is in force, or with the reason why the gateway rejects it. */
  "gateway.reload": method({
    params: { language },
    result: answer<{ inForce: boolean; problems: string[] }>(),
    effect: "change",
    permission: "gateway.control",
    scope: "tenant",
  }),
};

export interface WelcomeView {
  protocol: number;
  version: string;
  pid: number;
  startedAt: string;
  /** As in the config; `auto` is the language of the caller. */
  language: "auto" | "en" | "zh";
  methods: string[];
  /**
   * Methods that change something and take an `idempotencyKey`. once: the key is remembered while the gateway runs.
   * own: for good.
   */
  effects: Record<string, "once" | "own">;
  /** Who the gateway thinks the caller is. */
  caller: { id: string; name: string; role: string };
  connectionId: string;
  stateVersion: number;
}

export interface GatewayView {
  version: string;
  pid: number;
  startedAt: string;
  socket: string;
  /** Its HTTP address; null if it does not listen. */
  address?: string | null | undefined;
  /** How many clients are signed in and connected now. */
  signedIn?: number | undefined;
  channels: ChannelView[];
  turns: { running: number; waiting: number };
  /** `waiting` counts up to 1000. */
  outbox: { waiting: number };
  /** Approval requests that wait for the owner; counts up to 1000. */
  approvals: { waiting: number };
  notices: { open: number };
  /** What it measures about itself; missing if not requested. */
  gauges?: GaugesView | undefined;
}
