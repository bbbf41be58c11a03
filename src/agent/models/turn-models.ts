/** Which model answers a turn: one passed in, one over a network, or the stub. */
import type { Model } from "@pincer/sdk";
import { failure } from "../../infra/failure.ts";
import type { Say } from "../../infra/texts.ts";
import { wishedReference, type ModelWish } from "../../models/choose-model.ts";
import { withManualToolCalls } from "../../models/manual-tool-calls.ts";
import { createStubModel } from "../../models/stub-model.ts";
import type { AgentInstance } from "../agents/agent-registry.ts";
import type { ModelPurpose, TurnModels } from "../turns/set-up-turn.ts";

export interface ConnectedModels {
  /** Throws PincerError `model/not-connected`, with what to do, where the wish names what there is not. */
  check(agent: AgentInstance, wish: ModelWish): Promise<void>;
  /** The model of the wish, else of the agent; its fallbacks come with it. Throws likewise. */
  open(agent: AgentInstance, wish: ModelWish, purpose: ModelPurpose): Promise<Model>;
}

export interface TurnModelParts {
  /** The first is used for every turn that names no other. */
  given: readonly Model[];
  connected: ConnectedModels;
  say: Say;
  makeCallId(): string;
}

export function createTurnModels({ given, connected, say, makeCallId }: TurnModelParts): TurnModels {
  const there = [...given, createStubModel(say)];
  /** One that is there by its provider or whole name; undefined: it is not for us to say. */
  const find = (reference: string) =>
    there.find(({ provider, id }) => reference === provider || reference === `${provider}/${id}`);

  async function choose(agent: AgentInstance, wish: ModelWish, purpose: ModelPurpose): Promise<Model> {
    const [first] = given;
    const reference = wishedReference(wish) ?? (first ? undefined : agent.settings.model);
    if (reference === undefined) return first ?? there.at(-1) ?? createStubModel(say);
    return find(reference) ?? connected.open(agent, wish, purpose);
  }

  return {
    async check(agent, wish) {
      const reference = wishedReference(wish);
      if (reference !== undefined && !find(reference)) await connected.check(agent, wish);
      else if (wish.credential && !agent.settings.model) throw noModelFor(wish.credential);
    },
    async open(agent, wish, purpose, byHand = {}) {
      const model = await choose(agent, wish, purpose).catch((error: unknown) => missing(agent, wish, error));
      return withManualToolCalls(model, {
        makeCallId,
        nothingPrinted: say("turn.nothing-printed"),
        ...byHand,
      });
    },
  };
}

const noModelFor = (credential: string) =>
  failure(
    "model/not-connected",
    "failure.no-credential",
    { credential },
    { hint: "failure.no-credential.hint" },
  );

/** A tool can be called by hand without a model; asking a model that is missing fails with a clear error. */
function missing(agent: AgentInstance, wish: ModelWish, error: unknown): Model {
  const [provider = "none", ...rest] = (wishedReference(wish) ?? agent.settings.model ?? "").split("/");
  return {
    provider,
    id: rest.join("/"),
    stream() {
      throw error;
    },
  };
}
