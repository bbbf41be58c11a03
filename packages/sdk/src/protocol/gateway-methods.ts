/** How a connection begins, what it hears of, and the gateway itself. */
import { Type } from "typebox";
import { accessRoles } from "./access-methods.ts";
import type { ChannelView } from "./channels-methods.ts";
import { eventTopics } from "./events.ts";
import type { GaugesView } from "./gauge-views.ts";
import { answer, language, method, name, strict } from "./method.ts";

export const gatewayMethods = {
  /**
   * The first request of a connection; the versions must be equal. `auth` is for those who did not show anything when they connected; what
   * `device` signs is bound to the challenge that the gateway sent first.
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

  /** From now on events of these topics come, as far as the caller may see them; without topics, of all. Replaces what was subscribed before. */
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
  /** Answers at once; the gateway then finishes what runs, within its bound, and ends. */
  "gateway.stop": method({
    params: {},
    result: answer<{ pid: number }>(),
    effect: "change",
    permission: "gateway.control",
    scope: "tenant",
  }),
  /** Answers at once; the gateway then finishes or parks what runs, and serves again in the same process: nothing is lost. */
  "gateway.restart": method({
    params: {},
    result: answer<{ pid: number }>(),
    effect: "change",
    permission: "gateway.control",
    scope: "tenant",
  }),
  /** Takes the config file up now; answers when it is in force, or with why the gateway refuses it. */
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
  /** What the config says; `auto` is the language of whoever asks. */
  language: "auto" | "en" | "zh";
  methods: string[];
  /** Those of them that change something, and take an `idempotencyKey`. once: it is remembered while the gateway runs. own: for good. */
  effects: Record<string, "once" | "own">;
  /** Who the gateway takes the other side for. */
  caller: { id: string; name: string; role: string };
  connectionId: string;
  stateVersion: number;
}

export interface GatewayView {
  version: string;
  pid: number;
  startedAt: string;
  socket: string;
  /** Where it is reached over HTTP; null where it does not listen. */
  address?: string | null | undefined;
  /** How many have signed in and are connected now. */
  signedIn?: number | undefined;
  channels: ChannelView[];
  turns: { running: number; waiting: number };
  /** `waiting` counts to 1000. */
  outbox: { waiting: number };
  /** Questions that wait for the owner; counts likewise. */
  approvals: { waiting: number };
  notices: { open: number };
  /** What it measures of itself; left out where it was not asked. */
  gauges?: GaugesView | undefined;
}
