/**
 * The first run: what is set up, what can be found on the gateway's machine, and the steps to a first answer. Each
 * step can be repeated.
 */
import { Type } from "typebox";
import type { ChannelView } from "./channels-methods.ts";
import type { ConfigChangeView } from "./config-methods.ts";
import { answer, language, method } from "./method.ts";

export const setupSteps = ["model", "assistant", "channel", "service"] as const;
export type SetupStep = (typeof setupSteps)[number];

/** As in the config: `models.providers.<provider>`. */
const providerName = Type.String({ pattern: "^[a-z0-9][a-z0-9._-]{0,63}$" });
const model = Type.Optional(Type.String({ minLength: 1, maxLength: 256 }));

export const setupMethods = {
  /**
   * What is set up and what comes next. Asks no model, unless `probe`: then it asks the current model a tiny question.
   */
  "setup.status": method({
    params: { probe: Type.Optional(Type.Boolean()), language },
    result: answer<SetupView>(),
    effect: "read",
    permission: "state.view",
    scope: "tenant",
  }),
  /**
   * Keys in the gateway's environment, logins of other programs, and model servers on its machine. Imports nothing;
   * contains no secrets.
   */
  "setup.find": method({
    params: { language },
    result: answer<{ credentials: FoundCredentialView[]; servers: FoundServerView[] }>(),
    effect: "read",
    permission: "setup.machine",
    scope: "tenant",
  }),
  /**
   * Uses something that `setup.find` found, by its id: tests it with a real call, and only if that works stores the
   * credential and selects the model. `model` is one of the provider's model ids; by default its usual one.
   */
  "setup.take": method({
    params: { id: Type.String({ minLength: 1, maxLength: 200 }), model, language },
    result: answer<SetupTryView>(),
    effect: "change",
    permission: "setup.machine",
    scope: "tenant",
  }),
  /**
   * The same with what a person enters. `baseUrl` is for your own server, which may need no key. `write: false` only
   * tests; without a key, a provider is tested with its stored credential.
   */
  "setup.tryModel": method({
    params: {
      provider: providerName,
      key: Type.Optional(Type.String({ minLength: 1, maxLength: 8192 })),
      baseUrl: Type.Optional(Type.String({ pattern: "^https?://", maxLength: 2048 })),
      model,
      write: Type.Optional(Type.Boolean()),
      language,
    },
    result: answer<SetupTryView>(),
    effect: "change",
    permission: "config.write",
    scope: "tenant",
  }),
  /** The name of the assistant; `user` is what it calls its owner. */
  "setup.name": method({
    params: {
      name: Type.String({ minLength: 1, maxLength: 60 }),
      user: Type.Optional(Type.String({ minLength: 1, maxLength: 60 })),
      language,
    },
    result: answer<ConfigChangeView & { agentId: string; name: string }>(),
    effect: "change",
    permission: "agents.write",
    scope: "tenant",
  }),
  /** Marks the step as skipped; without a step, ends the first run. */
  "setup.done": method({
    params: { step: Type.Optional(Type.Enum([...setupSteps])) },
    result: answer<{ done: boolean; step: SetupStep | null }>(),
    effect: "change",
    permission: "config.write",
    scope: "tenant",
  }),
};

export interface SetupStepView {
  step: SetupStep;
  /** open: still to do. done: set up. left-out: skipped. failing: set up, but does not work. */
  state: "open" | "done" | "left-out" | "failing";
  /** In words: what is set up, or what is wrong. */
  note: string;
}

export interface SetupView {
  /** Whether the first run is over: `setup.done` was called, or nothing is left to do. */
  done: boolean;
  doneAt: string | null;
  /** The first step that is open or failing; null if there is none. */
  next: SetupStep | null;
  steps: SetupStepView[];
  /** `answers`: whether it answered just now; null if it was not asked. */
  model: { reference: string | null; ready: boolean; answers: boolean | null; problem: SetupProblem | null };
  assistant: { agentId: string; name: string | null; user: string | null };
  channels: ChannelView[];
  /** Whether somebody on a channel has claimed ownership. */
  owned: boolean;
  service: { installed: boolean; running: boolean; file: string | null };
  /** The gateway's address for browsers; null if none is running, or it serves no HTTP. */
  address: string | null;
}

/**
 * What is wrong, what to do next, and the guide (`docs/guides/<guide>.md`, `/docs/<guide>` in the page) that explains
 * it.
 */
export interface SetupProblem {
  code: string;
  message: string;
  next: string;
  guide: string;
}

export interface FoundCredentialView {
  /** For `setup.take`. */
  id: string;
  source: "environment" | "claude-cli" | "codex-cli";
  provider: string;
  providerName: string;
  /** key: an API key. login: a subscription. */
  kind: "key" | "login";
  /** The name of the variable, or the path of the file. */
  where: string;
  /** The model that would answer; null if unknown. */
  model: string | null;
  /** Already stored here. */
  taken: boolean;
  /** Expired and cannot be renewed. */
  expired: boolean;
  /** A warning to show before it is used; null if there is none. */
  caution: string | null;
}

export interface FoundServerView {
  /** For `setup.take`. */
  id: string;
  provider: string;
  providerName: string;
  baseUrl: string;
  models: Array<{ id: string; name: string }>;
}

export type SetupTryView =
  | {
      ok: true;
      /** `provider/model`: the model that answered. */
      reference: string;
      text: string;
      latencyMs: number;
      /** Ids of the provider's models; at most 200. */
      models: string[];
      /** Name of the stored credential; null if none was stored. */
      credential: string | null;
      /** Null if nothing had to be written. */
      change: ConfigChangeView | null;
    }
  | { ok: false; reference: string | null; problem: SetupProblem };
