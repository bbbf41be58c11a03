/** Memory for the rest of the product. It is loaded at first use: most commands never search. */
import { existsSync, statSync } from "node:fs";
import type { Config } from "../../config/schema.ts";
import { languageOf } from "../../infra/language.ts";
import type { Say } from "../../infra/texts.ts";
import { removeDatabaseFiles } from "../../storage/sqlite/sqlite-files.ts";
import { agentSettings } from "../agent-settings.ts";
import { contextSettings } from "../context/context-settings.ts";
import { locateWorkdir } from "../../config/locate-workdir.ts";
import type { LazyModels } from "../models/connected-models.ts";
import type { OpenHome } from "../../storage/home/open-home.ts";
import type { Memory } from "../../memory/following/memory.ts";
import type { OpenMemoryService } from "../../memory/following/memory-service.ts";
import type { AgentPlace } from "../../memory/following/memory-surroundings.ts";

export interface MemoryParts {
  openedHome: Pick<OpenHome, "home" | "clock" | "stores" | "tenantId" | "workspaceId" | "defaultAgentId"> & {
    foundation: Pick<OpenHome["foundation"], "secrets">;
  };
  config(): Config;
  environment: Record<string, string | undefined>;
  cwd: string;
  /** Instead of where the config says that agents work. */
  workdir?: string | undefined;
  connected: Pick<LazyModels, "room">;
  say: Say;
  onError(error: unknown): void;
}

export function openMemory(parts: MemoryParts): Memory {
  let loading: Promise<OpenMemoryService> | undefined;
  let opened: OpenMemoryService | undefined;
  const room = () =>
    (loading ??= load(parts).then((loaded) => {
      opened = loaded;
      return loaded;
    }));
  return {
    search: async (request) => (await room()).search(request),
    get: async (request) => (await room()).get(request),
    status: async (agentId) => (await room()).status(agentId),
    sync: async (options) => (await room()).sync(options),
    unconfirmed: async (agentId) => (await room()).unconfirmed(agentId),
    follow: async () => (await room()).follow(),
    async forget(sessionId) {
      if (opened || existsSync(parts.openedHome.home.indexDb)) await (await room()).forget(sessionId);
    },
    said: (session) => opened?.said(session),
    refresh: () => opened?.refresh(),
    close: async () => (await loading?.catch(() => undefined))?.close(),
  };
}

async function load(parts: MemoryParts): Promise<OpenMemoryService> {
  const [{ createMemoryService }, { startMemoryThread }, { createWorkdirFiles }, { findEmbedder }] =
    await Promise.all([
      import("../../memory/following/memory-service.ts"),
      import("../../memory/index/memory-thread.ts"),
      import("../../sandbox/workdir-files.ts"),
      import("./find-embedder.ts"),
    ]);
  const { openedHome, config } = parts;
  const { home, tenantId, clock, stores } = openedHome;

  const agentIds = () => [
    ...new Set([openedHome.defaultAgentId, ...config().agents.list.map(({ id }) => id)]),
  ];

  function languageNow() {
    const { language } = config();
    return language === "auto" ? languageOf(parts.environment) : language;
  }

  /** Only where it is: looking for memory makes no directory. */
  function places(): AgentPlace[] {
    return agentIds().flatMap((agentId) => {
      const workdir = locateWorkdir({
        flag: parts.workdir,
        configured: agentSettings(config(), agentId).workspace,
        cwd: parts.cwd,
        environment: parts.environment,
        homeRoot: home.root,
      });
      if (!statSync(workdir, { throwIfNoEntry: false })?.isDirectory()) return [];
      return [{ agentId, workdir, files: createWorkdirFiles({ workdir, closed: home.root }) }];
    });
  }

  return createMemoryService({
    config,
    clock,
    stores,
    workspaceId: openedHome.workspaceId,
    homeRoot: home.root,
    places,
    agentCount: () => agentIds().length,
    discardIndex: () => removeDatabaseFiles(home.indexDb),
    timezoneOf: (agentId) => contextSettings(config(), agentId).timezone,
    start: async (embedder, onExit) =>
      startMemoryThread({
        file: home.indexDb,
        tenantId,
        embedder,
        cacheMaxEntries: cacheOf(config()),
        language: languageNow(),
        onExit,
      }),
    chooseEmbedder: () => findEmbedder(parts),
    onError: parts.onError,
  });
}

const cacheOf = ({ agents }: Config): number => {
  const { enabled, maxEntries } = agents.defaults.memorySearch.cache;
  return enabled ? maxEntries : 0;
};
