/**
 * Loads plugins when the gateway starts, in the order of the config. One that cannot be used is reported and skipped,
 * and the gateway starts without it.
 */
import type { Channel, ChannelLog, PluginView, Tool } from "@pincer/sdk";
import { pathToFileURL } from "node:url";
import type { Clock } from "../infra/clock.ts";
import type { Say } from "../infra/texts.ts";
import { locatePlugin, type PluginPlaces } from "./locate-plugin.ts";
import { readPlugin, type ReadPlugin } from "./read-plugin.ts";

export interface PluginParts extends PluginPlaces {
  /** As the config lists them. */
  paths: readonly string[];
  /** What is there already, and may not be brought a second time. */
  taken: { channels: readonly string[]; tools: readonly string[] };
  clock: Clock;
  say: Say;
  log: ChannelLog;
}

export interface LoadedPlugins {
  channels: Channel[];
  tools: Tool[];
  /** One for each path of the config, in its order. */
  report: PluginView[];
  /** Lets each of them go, the last one first. Never throws; safe to call twice. */
  close(): Promise<void>;
}

const patienceMs = 5000;

/** Never throws. */
export async function loadPlugins(parts: PluginParts): Promise<LoadedPlugins> {
  const { paths, taken, say, log } = parts;
  const stopping = new AbortController();
  const names: Names = {
    plugin: new Set(),
    channel: new Set([...ownChannels, ...taken.channels]),
    tool: new Set(taken.tools),
  };
  const loaded: Started[] = [];
  const report: PluginView[] = [];
  for (const path of paths) {
    const outcome = await load(parts, { path, names, signal: stopping.signal });
    report.push(viewOf(path, outcome));
    if (outcome.type === "loaded") loaded.push(outcome);
    else log.warn(say("plugins.notice", { path, problem: outcome.problem }));
  }

  let closing: Promise<void> | undefined;
  async function close(): Promise<void> {
    stopping.abort(new Error("the gateway stops"));
    for (const { plugin, end } of loaded.toReversed()) {
      try {
        await within(parts.clock, say, Promise.resolve(end?.()));
      } catch (error) {
        log.warn(`${plugin.id}: ${reasonOf(error)}`);
      }
    }
  }
  return {
    channels: loaded.flatMap(({ plugin }) => plugin.channels),
    tools: loaded.flatMap(({ plugin }) => plugin.tools),
    report,
    close: () => (closing ??= close()),
  };
}

/** Ways in that are the gateway's own: nobody may come in by a name that stands for the owner's terminal or for the product itself. */
const ownChannels = [
  "system",
  "cli",
  "repl",
  "tui",
  "http",
  "web",
  "websocket",
  "user",
  "hook",
  "default",
  "child",
];

type Names = Record<"plugin" | "channel" | "tool", Set<string>>;

interface Started {
  plugin: ReadPlugin;
  end: (() => Promise<void>) | undefined;
}

type Outcome =
  | (Started & { type: "loaded" })
  | { type: "left-out"; plugin: ReadPlugin | undefined; problem: string };

async function load(
  parts: PluginParts,
  { path, names, signal }: { path: string; names: Names; signal: AbortSignal },
): Promise<Outcome> {
  const { say, clock, log } = parts;
  const located = await locatePlugin(path, parts).catch((error: unknown) => ({
    type: "refused" as const,
    key: "plugins.threw" as const,
    parameters: { reason: reasonOf(error) },
  }));
  if (located.type === "refused") return leaveOut(say(located.key, located.parameters));
  let plugin: ReadPlugin;
  try {
    const module = (await within(clock, say, import(pathToFileURL(located.entry).href))) as {
      default?: unknown;
    };
    plugin = readPlugin(module.default);
  } catch (error) {
    return leaveOut(say("plugins.bad-shape", { reason: reasonOf(error) }));
  }
  const clash = clashOf(plugin, names);
  if (clash) return leaveOut(say("plugins.taken", clash), plugin);
  try {
    const started = Promise.resolve(plugin.start?.({ log, signal }));
    const end = await within(clock, say, started, (late) => late?.().catch(() => undefined));
    for (const { kind, name } of namesOf(plugin)) names[kind].add(name);
    return { type: "loaded", plugin, end: end ?? undefined };
  } catch (error) {
    return leaveOut(say("plugins.threw", { reason: reasonOf(error) }), plugin);
  }
}

const leaveOut = (problem: string, plugin?: ReadPlugin): Outcome => ({ type: "left-out", plugin, problem });

const namesOf = ({ id, channels, tools }: ReadPlugin): Array<{ kind: keyof Names; name: string }> => [
  { kind: "plugin", name: id },
  ...channels.map((channel) => ({ kind: "channel" as const, name: channel.id })),
  ...tools.flatMap((tool) => [tool.name, ...tool.aliases].map((name) => ({ kind: "tool" as const, name }))),
];

/** What it brings that is there already, or twice within itself. */
function clashOf(plugin: ReadPlugin, names: Names): { kind: string; name: string } | undefined {
  const all = namesOf(plugin);
  return all.find(
    ({ kind, name }, index) =>
      names[kind].has(name) || all.findIndex((other) => other.kind === kind && other.name === name) < index,
  );
}

/** What comes too late is handed to `late`, so that it can be let go. */
async function within<Value>(
  clock: Clock,
  say: Say,
  work: Promise<Value>,
  late?: (value: Value) => unknown,
): Promise<Value> {
  const done = new AbortController();
  const over = clock.sleep(patienceMs, done.signal).then(
    () => {
      work.then((value) => late?.(value)).catch(() => undefined); // it was reported as too slow already
      throw new Error(say("plugins.took-too-long", { seconds: patienceMs / 1000 }));
    },
    () => new Promise<never>(() => {}),
  );
  try {
    return await Promise.race([work, over]);
  } finally {
    done.abort();
  }
}

const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, 500);

function viewOf(path: string, outcome: Outcome): PluginView {
  const { plugin } = outcome;
  return {
    path,
    state: outcome.type,
    id: plugin?.id ?? null,
    version: plugin?.version ?? null,
    brings: {
      channels: plugin?.channels.map(({ id }) => id) ?? [],
      tools: plugin?.tools.map(({ name }) => name) ?? [],
    },
    problem: outcome.type === "left-out" ? outcome.problem : null,
  };
}
