/** The plugins that the config lists, checked against where agents write and which names are taken. */
import type { ChannelLog } from "@pincer/sdk";
import type { Home } from "../config/home.ts";
import type { Config } from "../config/schema.ts";
import type { Clock } from "../infra/clock.ts";
import type { Say } from "../infra/texts.ts";
import type { LoadedPlugins } from "./load-plugins.ts";
import type { NoticeStore } from "../storage/outbox/notices.ts";
import type { ConversationAccess } from "../tools/conversation/conversation-access.ts";
import { locateWorkdir } from "../config/locate-workdir.ts";

export interface PluginsParts {
  /** As it is at the start: a change is for the next one. */
  config: Config;
  home: Home;
  cwd: string;
  environment: Readonly<Record<string, string | undefined>>;
  /** What the gateway was told to work in, instead of what the config says. */
  workdir?: string | undefined;
  /** Of the connectors that come with the product. */
  channels: readonly string[];
  notices: Pick<NoticeStore, "add" | "dismiss">;
  clock: Clock;
  say: Say;
  log: ChannelLog;
}

/** Throws what the storage does; whatever is wrong with a plugin is in its report, and the owner is told. */
export async function openPlugins(parts: PluginsParts): Promise<LoadedPlugins> {
  const { config, channels, notices, clock, say, log } = parts;
  const paths = config.plugins.load;
  if (paths.length === 0) return noPlugins;
  const { loadPlugins } = await import("./load-plugins.ts");
  const loaded = await loadPlugins({
    paths,
    workspaces: workspacesOf(parts),
    userId: process.getuid?.(),
    taken: { channels, tools: await toolNames(config) },
    clock,
    say,
    log,
  });
  for (const { path, state, problem } of loaded.report) {
    const subject = `plugin:${path}`;
    if (state === "loaded") await notices.dismiss(subject);
    else {
      const text = { key: "plugins.notice", parameters: { path, problem: problem ?? "" } };
      await notices.add({ kind: "plugin-left-out", subject, replaces: true, text });
    }
  }
  return loaded;
}

const noPlugins: LoadedPlugins = { channels: [], tools: [], report: [], close: async () => {} };

/** Where agents write, and where files that others sent are kept. */
function workspacesOf({ config, home, cwd, environment, workdir }: PluginsParts): string[] {
  const { defaults, list } = config.agents;
  const configured = [defaults.workspace, ...list.map(({ workspace }) => workspace)].filter(
    (each) => each !== undefined,
  );
  const place = { cwd, environment, homeRoot: home.root };
  return [
    home.mediaDir,
    home.programsDir,
    ...configured.map((each) => locateWorkdir({ ...place, flag: undefined, configured: each })),
    ...(workdir === undefined ? [] : [locateWorkdir({ ...place, flag: workdir, configured: undefined })]),
  ];
}

/** Of every tool that comes with the product, aliases included. */
async function toolNames(config: Config): Promise<string[]> {
  const { nameTools } = await import("../agent/name-tools.ts");
  const conversation = { sessions: {}, messages: {} } as unknown as ConversationAccess;
  const tools = nameTools(config, conversation);
  return tools.all().flatMap(({ name, aliases }) => [name, ...aliases]);
}
