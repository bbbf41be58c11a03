/** The agents of the house, as the config has them. */
import { Type, type TObject } from "typebox";
import { change, language, name, read, type Method } from "./method.ts";
import type { ConfigChangeView } from "./config-methods.ts";

const path = Type.String({ minLength: 1, maxLength: 1024 });
const agentId = Type.String({ minLength: 1, maxLength: 64 });

export const agentsMethods = {
  "agents.list": read({}),
  /** Adds it to the config and makes its directory. One that is there already is refused. */
  "agents.add": change({
    id: agentId,
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    model: Type.Optional(name),
    workspace: Type.Optional(Type.String({ minLength: 1, maxLength: 4096 })),
    language,
  }),
  /** Out of the config only: what it has made and remembered stays where it is. */
  "agents.remove": change({ id: agentId, language }),
  /** What the config says about one agent, or a value of that; secrets are masked. */
  "agents.config": read({ id: agentId, path: Type.Optional(path) }),
  /** Sets one value of an agent; null takes it away, and the default holds. */
  "agents.configure": change({ id: agentId, path, value: Type.Unknown(), language }),
} as const satisfies Record<string, Method<TObject>>;

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

export interface AgentsResults {
  "agents.list": { agents: AgentView[] };
  "agents.add": ConfigChangeView & { agent: AgentView };
  /** `kept`: where its files and conversations still are. */
  "agents.remove": ConfigChangeView & { removed: string; kept: string[] };
  "agents.config": { id: string; path: string | null; value: unknown };
  "agents.configure": ConfigChangeView & { id: string; path: string };
}
