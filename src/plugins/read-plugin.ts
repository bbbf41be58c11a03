/** Validates what a plugin's entry exports. */
import { defineChannel, defineTool, type Channel, type Plugin, type PluginKit, type Tool } from "@pincer/sdk";
import { Type } from "typebox";

export interface ReadPlugin {
  id: string;
  version: string | null;
  channels: Channel[];
  tools: Tool[];
  start: Plugin["start"];
}

const kit: PluginKit = { Type, defineTool, defineChannel };

/** Throws an Error whose words say what is wrong, or whatever the plugin throws. */
export function readPlugin(exported: unknown): ReadPlugin {
  const made: unknown =
    typeof exported === "function" ? (exported as (kit: PluginKit) => unknown)(kit) : exported;
  if (!isRecord(made)) throw new Error("its default export is no plugin");
  const { id, version = null, channels = [], tools = [], start } = made;
  if (typeof id !== "string" || !/^[a-z][a-z0-9-]{0,63}$/.test(id)) throw new Error("its id is none");
  if (version !== null && (typeof version !== "string" || version.length > 64))
    throw new Error("its version is none");
  if (start !== undefined && typeof start !== "function") throw new Error("start is no function");
  return {
    id,
    version,
    channels: listOf(channels, "channels").map(readChannel),
    tools: listOf(tools, "tools").map(readTool),
    start: start && ((host) => (start as NonNullable<Plugin["start"]>).call(made as unknown as Plugin, host)),
  };
}

function readChannel(value: unknown): Channel {
  if (!isRecord(value)) throw new Error("one of its channels is none");
  const { id, config, traits, connect } = value;
  if (typeof id !== "string" || !/^[a-z][a-z0-9_-]{0,63}$/.test(id))
    throw new Error("a channel's id is none");
  const isWhole = isRecord(config) && isRecord(traits) && typeof connect === "function";
  if (!isWhole) throw new Error(`the channel ${id} lacks config, traits or connect`);
  if (typeof traits["textLimit"] !== "number" || typeof traits["idempotentSend"] !== "boolean") {
    throw new Error(`the traits of the channel ${id} lack textLimit or idempotentSend`);
  }
  return value as unknown as Channel;
}

const effects: readonly unknown[] = ["read", "write", "act"];

/** Made anew by `defineTool`: what the plugin left out is then on the safe side. */
function readTool(value: unknown): Tool {
  if (!isRecord(value)) throw new Error("one of its tools is none");
  const { name, effect, description, input, run } = value;
  if (typeof name !== "string" || !/^[a-z][a-z0-9_]{0,63}$/.test(name))
    throw new Error("a tool's name is none");
  if (!effects.includes(effect)) throw new Error(`the effect of the tool ${name} is none`);
  const isWhole = typeof description === "string" && typeof run === "function" && isObjectSchema(input);
  if (!isWhole) throw new Error(`the tool ${name} lacks description, input or run`);
  return defineTool(value as unknown as Parameters<typeof defineTool>[0]);
}

const isObjectSchema = (value: unknown): boolean =>
  isRecord(value) && value["type"] === "object" && isRecord(value["properties"]);

function listOf(value: unknown, name: string): unknown[] {
  if (!Array.isArray(value) || value.length > 100) throw new Error(`${name} is no list, or too long`);
  return value;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
