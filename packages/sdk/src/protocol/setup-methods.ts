/** The first run: what is there already, what lies around on the gateway's machine, and the steps to a first answer. Each may be done again. */
import { Type } from "typebox";
import type { ChannelView } from "./channels-methods.ts";
import type { ConfigChangeView } from "./config-methods.ts";
import { answer, language, method } from "./method.ts";

export const setupSteps = ["model", "assistant", "channel", "service"] as const;
export type SetupStep = (typeof setupSteps)[number];

/** As it stands in the config: `models.providers.<provider>`. */
const providerName = Type.String({ pattern: "^[a-z0-9][a-z0-9._-]{0,63}$" });
const model = Type.Optional(Type.String({ minLength: 1, maxLength: 256 }));

export const setupMethods = {
  /** What is set up and what comes next. Asks no model, unless `probe`: then the one that would answer is asked a tiny question. */
  "setup.status": method({
    params: { probe: Type.Optional(Type.Boolean()), language },
    result: answer<SetupView>(),
    effect: "read",
    permission: "state.view",
    scope: "tenant",
  }),
  /** Keys in the gateway's environment, logins of other programs, and model servers on its machine. Takes nothing; no secret is in it. */
  "setup.find": method({
    params: { language },
    result: answer<{ credentials: FoundCredentialView[]; servers: FoundServerView[] }>(),
    effect: "read",
    permission: "setup.machine",
    scope: "tenant",
  }),
  /**
   * Takes something that `setup.find` found, by its id: tries it with a real call, and only when that answers stores the credential and has
   * the model answer from now on. `model` is one of the provider's, by its id; left out, its usual one.
   */
  "setup.take": method({
    params: { id: Type.String({ minLength: 1, maxLength: 200 }), model, language },
    result: answer<SetupTryView>(),
    effect: "change",
    permission: "setup.machine",
    scope: "tenant",
  }),
  /**
   * The same with what a person enters. `baseUrl` is for a server of one's own, which also may need no key. `write: false` only tries; a
   * provider that has a credential already is tried with it where no key is given.
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
  /** What the assistant is called, and calls itself; `user` is what it calls its owner. */
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
  /** Nobody is led to the step again; without a step, the first run is over. */
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
  /** open: still to do. done: it is there. left-out: somebody did not want it. failing: it is there and does not work. */
  state: "open" | "done" | "left-out" | "failing";
  /** In words: what there is, or what is wrong. */
  note: string;
}

export interface SetupView {
  /** Whether the first run is over: `setup.done` was called, or nothing is left to do. */
  done: boolean;
  doneAt: string | null;
  /** The first step that is open or failing; null when there is none. */
  next: SetupStep | null;
  steps: SetupStepView[];
  /** `answers`: whether it did when it was asked just now; null where nobody asked. */
  model: { reference: string | null; ready: boolean; answers: boolean | null; problem: SetupProblem | null };
  assistant: { agentId: string; name: string | null; user: string | null };
  channels: ChannelView[];
  /** Whether somebody on a channel has shown that the assistant is theirs. */
  owned: boolean;
  service: { installed: boolean; running: boolean; file: string | null };
  /** Where browsers reach the gateway; null where none runs, or it serves no HTTP. */
  address: string | null;
}

/** What is wrong in words, what to do next, and the guide (`docs/guides/<guide>.md`, `/docs/<guide>` in the page) that says more. */
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
  /** key: an API key. login: of a subscription. */
  kind: "key" | "login";
  /** The name of the variable, or the path of the file. */
  where: string;
  /** The model that would answer; null where nobody knows one. */
  model: string | null;
  /** Already stored here. */
  taken: boolean;
  /** Has run out and cannot be renewed. */
  expired: boolean;
  /** In words, what to think of before it is taken; null where there is nothing. */
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
      /** `provider/model`, who answered. */
      reference: string;
      text: string;
      latencyMs: number;
      /** Ids of models that the provider has; at most 200. */
      models: string[];
      /** Name of the credential that was stored; null where none was. */
      credential: string | null;
      /** Null where nothing was to be written. */
      change: ConfigChangeView | null;
    }
  | { ok: false; reference: string | null; problem: SetupProblem };
