/** Plugins: what was loaded when the gateway started, and what was left out. */
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
  /** Null where it did not get so far as to say. */
  id: string | null;
  version: string | null;
  brings: { channels: string[]; tools: string[] };
  /** Why it was left out. */
  problem: string | null;
}
