/** Plugins: which were loaded when the gateway started, and which were skipped. */
import { answer, method } from "./method.ts";

export const pluginsMethods = {
  "plugins.list": method({
    params: {},
    result: answer<{ plugins: PluginView[] }>(),
    effect: "read",
    permission: "state.view",
    scope: "tenant",
  }),
};

export interface PluginView {
  /** As the config names it. */
  path: string;
  state: "loaded" | "left-out";
  /** Null if loading failed before that. */
  id: string | null;
  version: string | null;
  brings: { channels: string[]; tools: string[] };
  /** Why it was skipped. */
  problem: string | null;
}
