/** The available models, and which of them answers. */
import { Type } from "typebox";
import type {
  ModelProviderView,
  ModelRefreshView,
  ModelResolutionView,
  ModelStatusView,
  ModelTestView,
  ModelView,
} from "./model-views.ts";
import { answer, method, name } from "./method.ts";

export const modelsMethods = {
  /** Models of providers that can be used now, of `provider`, or of all. */
  "models.list": method({
    params: {
      provider: Type.Optional(name),
      search: Type.Optional(name),
      all: Type.Optional(Type.Boolean()),
    },
    /** `unasked`: providers in the config that have an address and no model list yet. */
    result: answer<{ models: ModelView[]; unconnected: number; unasked: string[] }>(),
    effect: "read",
    permission: "state.view",
    scope: "free",
  }),
  "models.providers": method({
    params: {},
    result: answer<{ providers: ModelProviderView[] }>(),
    effect: "read",
    permission: "state.view",
    scope: "free",
  }),
  /** Resolves the name of a model. */
  "models.resolve": method({
    params: { reference: name },
    result: answer<ModelResolutionView>(),
    effect: "read",
    permission: "state.view",
    scope: "free",
  }),
  /** Which model answers for an agent, and why others do not. */
  "models.status": method({
    params: { agentId: Type.Optional(name) },
    result: answer<ModelStatusView>(),
    effect: "read",
    permission: "state.view",
    scope: "agent",
  }),
  /** Asks a model a tiny question; by default the one that answers. */
  "models.test": method({
    params: { reference: Type.Optional(name), agentId: Type.Optional(name) },
    result: answer<ModelTestView>(),
    effect: "change",
    // It costs what a question costs.
    permission: "agent.run",
    scope: "agent",
  }),
  /** Fetches the provider's model list and stores it. */
  "models.refresh": method({
    params: { provider: name },
    result: answer<ModelRefreshView>(),
    effect: "change",
    permission: "models.policy",
    scope: "tenant",
  }),
};
