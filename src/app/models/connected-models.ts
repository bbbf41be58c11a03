/** Models that are asked over a network. What it takes to ask them is loaded with the first turn that needs one: most commands never do. */
import { whenNeeded } from "../../infra/when-needed.ts";
import type { ModelRoom, ModelRoomParts } from "./model-room.ts";
import type { ConnectedModels } from "./turn-models.ts";

export interface LazyModels extends ConnectedModels {
  /** The whole room, loaded now if it was not. */
  room(): Promise<ModelRoom>;
  /** Resolves when what was used so far is written down; loads nothing for it. */
  settled(): Promise<void>;
}

export function openConnectedModels(parts: ModelRoomParts): LazyModels {
  let opened: ModelRoom | undefined;
  const room = whenNeeded(async () => {
    const { openModelRoom } = await import("./model-room.ts");
    return (opened = await openModelRoom(parts));
  });
  return {
    room,
    settled: async () => opened?.settled(),
    check: async (agent, wish) => (await room()).check(agent, wish),
    open: async (agent, wish, purpose) => (await room()).open(agent, wish, purpose),
  };
}
