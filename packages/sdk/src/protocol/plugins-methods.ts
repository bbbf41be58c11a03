/** Plugins: what was loaded when the gateway started, and what was left out. */
import type { TObject } from "typebox";
import { read, type Method } from "./method.ts";

export const pluginsMethods = {
  "plugins.list": read({}),
} as const satisfies Record<string, Method<TObject>>;

export interface PluginsResults {
  "plugins.list": { plugins: PluginView[] };
}

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
