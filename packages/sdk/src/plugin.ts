/**
 * A plugin is code that the owner installs: it adds channels and tools. It runs in the gateway's own process with all
 * its permissions, so only plugins that the owner lists in the config (`plugins.load`) are loaded. Its tools pass the
 * same gate as all others.
 */
import type { Type } from "typebox";
import type { Channel, ChannelLog, defineChannel } from "./channel.ts";
import type { defineTool, Tool } from "./tool.ts";

/** What a plugin is made with: handed over, so that a plugin needs no packages of its own. */
export interface PluginKit {
  Type: typeof Type;
  defineTool: typeof defineTool;
  defineChannel: typeof defineChannel;
}

/** What a plugin is given when the gateway starts. */
export interface PluginHost {
  log: ChannelLog;
  /** Aborts when the gateway ends. */
  signal: AbortSignal;
}

export interface Plugin {
  /** Lower case letters, digits and `-`; unique among the plugins. */
  id: string;
  version?: string;
  /** The config names one under `channels.<id>`, as it does those that come with the product. */
  channels?: readonly Channel[];
  tools?: readonly Tool[];
  /**
   * Called once, before anything of it is used; within five seconds. Throws: then the plugin is left out and the gateway starts without
   * it. What it returns is called when the gateway ends.
   */
  start?(host: PluginHost): Promise<void | (() => Promise<void>)>;
}

/** Ties the shape; the default export of a plugin's entry is what this returns, or the function itself. */
export const definePlugin = (make: (kit: PluginKit) => Plugin): ((kit: PluginKit) => Plugin) => make;
