/** The agents, as the config lists them. */
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
  /** Adds an agent to the config and creates its directory. Refused if it already exists. */
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
  /** Removes an agent from the config only: its files and memory stay. */
  "agents.remove": method({
    params: { id: agentId, language },
    /** `kept`: where its files and conversations still are. */
    result: answer<ConfigChangeView & { removed: string; kept: string[] }>(),
    effect: "change",
    permission: "agents.write",
    scope: "tenant",
  }),
  /** The config of one agent, or one value of it; secrets are masked. */
  "agents.config": method({
    params: { id: agentId, path: Type.Optional(path) },
    result: answer<{ id: string; path: string | null; value: unknown }>(),
    effect: "read",
    permission: "config.view",
    scope: "tenant",
  }),
  /** Sets one value of an agent; null removes it, so that the default applies. */
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
  /** The agent that answers if a request names none. */
  isDefault: boolean;
  /** As the config names it; null: the default applies. */
  model: string | null;
  workspace: string;
  /** False: the built-in agent, which is not in the config. */
  configured: boolean;
}
