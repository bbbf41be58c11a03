/**
 * What the keys of the config are for, in Chinese. By the English sentence and not by the path: one that is said of many keys is said once, and
 * one that comes to say something else has no line any more, instead of a wrong one. Loaded only where somebody looks at the config in Chinese.
 */
import { agentsAndChannels } from "./config-descriptions/agents-and-channels.zh.ts";
import { gatewayAndModels } from "./config-descriptions/gateway-and-models.zh.ts";
import { toolsAndHouse } from "./config-descriptions/tools-and-house.zh.ts";

export const configDescriptions: Readonly<Record<string, string>> = {
  ...gatewayAndModels,
  ...agentsAndChannels,
  ...toolsAndHouse,
  // Behind the sentence of every key that holds a secret.
  'Write it as "secret:NAME".': "请写作“secret:NAME”。",
};
