/** The provider that the config names, for answers that did not get as far as a model. */
import { locateHome } from "../config/home.ts";
import { loadConfig } from "../config/load-config.ts";
import type { Config } from "../config/schema.ts";
import { agentSettings } from "../agent/agent-settings.ts";
import { defaultAgentOf } from "../config/default-agent.ts";
import { wishedProvider } from "./ask-turn.ts";

/** Undefined where no model is configured. */
export function providerFor(config: Config, agentId = defaultAgentOf(config)): string | undefined {
  const { model } = agentSettings(config, agentId);
  return model === undefined ? undefined : wishedProvider({ model });
}

/** The same from the home's file. Undefined also where it cannot be read: this is about an error already, and must not be another. */
export async function configuredProvider(
  environment: Record<string, string | undefined>,
  agentId: string | undefined,
): Promise<string | undefined> {
  try {
    const { config } = await loadConfig({ home: locateHome(environment), environment });
    return providerFor(config, agentId);
  } catch {
    return undefined;
  }
}
