/** The agents of the house, as the config has them. */
import { Type } from "typebox";
import { answer, language, method, name } from "./method.ts";
import type { ConfigChangeView } from "./config-methods.ts";

const path = Type.String({ minLength: 1, maxLength: 1024 });
const agentId = Type.String({ minLength: 1, maxLength: 64 });

export const agentsMethods = {
  "agents.list": method({
    params: {},
    result: answer<{ agents: AgentView[] }>(),
    effect: "read",
    permission: "state.view",
    scope: "tenant",
  }),
  /** Adds it to the config and makes its directory. One that is there already is refused. */
  "agents.add": method({
    params: {
      id: agentId,
      name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
      model: Type.Optional(name),
      workspace: Type.Optional(Type.String({ minLength: 1, maxLength: 4096 })),
      language,
    },
    result: answer<ConfigChangeView & { agent: AgentView }>(),
    effect: "change",
    permission: "agents.write",
    scope: "tenant",
  }),
  /** Out of the config only: what it has made and remembered stays where it is. */
  "agents.remove": method({
    params: { id: agentId, language },
    /** `kept`: where its files and conversations still are. */
    result: answer<ConfigChangeView & { removed: string; kept: string[] }>(),
    effect: "change",
    permission: "agents.write",
    scope: "tenant",
  }),
  /** What the config says about one agent, or a value of that; secrets are masked. */
  "agents.config": method({
    params: { id: agentId, path: Type.Optional(path) },
    result: answer<{ id: string; path: string | null; value: unknown }>(),
    effect: "read",
    permission: "config.view",
    scope: "tenant",
  }),
  /** Sets one value of an agent; null takes it away, and the default holds. */
  "agents.configure": method({
    params: { id: agentId, path, value: Type.Unknown(), language },
    result: answer<ConfigChangeView & { id: string; path: string }>(),
    effect: "change",
    permission: "agents.write",
    scope: "tenant",
  }),
};

export interface AgentView {
  id: string;
  name: string | null;
  /** The one that answers where nobody says which. */
  isDefault: boolean;
  /** As the config names it; null: what the defaults say. */
  model: string | null;
  workspace: string;
  /** False: it is there because there is always one, and not in the config. */
  configured: boolean;
}
