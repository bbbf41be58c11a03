/** The models that there are, and which of them answers. */
import { Type, type TObject } from "typebox";
import type {
  ModelProviderView,
  ModelRefreshView,
  ModelResolutionView,
  ModelStatusView,
  ModelTestView,
  ModelView,
} from "./model-views.ts";
import { change, name, read, type Method } from "./method.ts";

export const modelsMethods = {
  /** Models of providers that can be used now, of `provider`, or of all. */
  "models.list": read({
    provider: Type.Optional(name),
    search: Type.Optional(name),
    all: Type.Optional(Type.Boolean()),
  }),
  "models.providers": read({}),
  /** What is meant by the name of a model. */
  "models.resolve": read({ reference: name }),
  /** Who answers for an agent, and why not another. */
  "models.status": read({ agentId: Type.Optional(name) }),
  /** Asks a model a tiny question; without a name, the one that answers. */
  "models.test": change({ reference: Type.Optional(name), agentId: Type.Optional(name) }),
  /** Asks the provider for its models and keeps the answer. */
  "models.refresh": change({ provider: name }),
} as const satisfies Record<string, Method<TObject>>;

export interface ModelsResults {
  /** `unasked`: providers of the config that have an address and no list of models yet. */
  "models.list": { models: ModelView[]; unconnected: number; unasked: string[] };
  "models.providers": { providers: ModelProviderView[] };
  "models.resolve": ModelResolutionView;
  "models.status": ModelStatusView;
  "models.test": ModelTestView;
  "models.refresh": ModelRefreshView;
}
