/** Models over a network. The code for them is loaded with the first turn that needs one: most commands never do. */
import { whenNeeded } from "../../infra/when-needed.ts";
import type { ModelServices, ModelServicesParts } from "./model-services.ts";
import type { ConnectedModels } from "./turn-models.ts";

export interface LazyModels extends ConnectedModels {
  /** All model services, loaded on demand. */
  room(): Promise<ModelServices>;
  /** Resolves when what was used so far is written down; loads nothing for it. */
  settled(): Promise<void>;
}

export function openConnectedModels(parts: ModelServicesParts): LazyModels {
  let opened: ModelServices | undefined;
  const room = whenNeeded(async () => {
    const { openModelServices } = await import("./model-services.ts");
    return (opened = await openModelServices(parts));
  });
  return {
    room,
    settled: async () => opened?.settled(),
    check: async (agent, wish) => (await room()).check(agent, wish),
    open: async (agent, wish, purpose) => (await room()).open(agent, wish, purpose),
  };
}
