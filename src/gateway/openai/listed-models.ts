/** What a caller may name as a model: the agents within the caller's scope, and the models in the config. */
import type { Config } from "../../config/schema.ts";
import { modelChoiceOf } from "../../models/model-choice.ts";
import type { Caller } from "../../policy/caller.ts";
import { holds } from "../../policy/permission-points.ts";
import { defaultAgentOf } from "../../config/default-agent.ts";
import { modelName, product, reaches } from "./place-question.ts";

export function listedModels(config: Config, caller: Caller): Array<{ id: string; owner: string }> {
  const everyone = [...new Set([defaultAgentOf(config), ...config.agents.list.map(({ id }) => id)])];
  const agents = everyone.filter((agentId) => reaches(caller, agentId));
  const own = agents.includes(defaultAgentOf(config)) ? [product] : [];
  const chosen = agents.flatMap((agentId) => {
    const { primary, fallbacks } = modelChoiceOf(config.agents, agentId);
    return [...(primary === undefined ? [] : [primary]), ...fallbacks];
  });
  const offered = Object.entries(config.models.providers).flatMap(([provider, { models = [] }]) =>
    models.map(({ id }) => `${provider}/${id}`),
  );
  const mayChoose = own.length > 0 && holds(caller.role, "models.policy");
  const models = mayChoose ? [...new Set([...chosen, ...offered])] : [];
  return [
    ...[...own, ...agents.map(modelName)].map((id) => ({ id, owner: product })),
    ...models.map((id) => ({ id, owner: id.split("/")[0] ?? product })),
  ];
}
