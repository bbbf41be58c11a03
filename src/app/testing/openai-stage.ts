/** The API in a home of its own: a real server, real stores and turns, and a model that a test wrote. */
import { questionsWithoutGateway, walkWithoutGateway } from "../walk-without-gateway.ts";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Model, Tool } from "@pincer/sdk";
import { onTestFinished } from "vitest";
import { createMediaStore } from "../../storage/media/media-store.ts";
import { listenOnHttp } from "../../gateway/http/http-server.ts";
import { openAiRoutes } from "../../gateway/openai/openai-routes.ts";
import type { Clock } from "../../infra/clock.ts";
import { createRedactor } from "../../infra/redactor.ts";
import { createSay } from "../../infra/texts.ts";
import { ownerCaller, type Caller } from "../../policy/caller.ts";
import { createLanes } from "../../routing/lanes.ts";
import type { TenantStores } from "../../storage/storage.ts";
import { createRunFollower } from "../../gateway/methods/follow-run.ts";
import { noMemory } from "../../memory/following/no-memory.ts";
import { openConnectedModels } from "../../agent/models/connected-models.ts";
import { openHome, type OpenHomeOverrides } from "../../storage/home/open-home.ts";
import { createEngine } from "../../routing/engine.ts";
import { createOpenAiApi } from "../../gateway/openai/create-openai-api.ts";
import { createTextEmbedder, type TextEmbedder } from "../../gateway/openai/embed-texts.ts";

export interface OpenAiStage {
  /** `http://127.0.0.1:<port>/v1`. */
  baseURL: string;
  stores: TenantStores;
  /** What nobody foresaw. */
  faults: unknown[];
  idle(): Promise<void>;
}

export const owner = ownerCaller("t_default", "token");

export const guest = (id: string, change: Partial<Caller> = {}): Caller => ({
  id: `user:${id}`,
  name: id,
  role: "developer",
  way: "jwt",
  tenantId: "t_default",
  scope: { type: "tenant" },
  ...change,
});

export async function openOpenAiStage(given: {
  models: readonly Model[];
  tools?: readonly Tool[];
  /** By what they send as their key. */
  callers?: Record<string, Caller>;
  config?: object;
  embedder?: TextEmbedder;
  clock?: Clock;
  bodyBytes?: number;
  wrapStores?: OpenHomeOverrides["wrapStores"];
}): Promise<OpenAiStage> {
  const directory = await mkdtemp(join(tmpdir(), "pincer-openai-"));
  const config = { agents: { list: [{ id: "main", default: true }, { id: "helper" }] }, ...given.config };
  await writeFile(join(directory, "config.json5"), JSON.stringify(config), { mode: 0o600 });
  const redactor = createRedactor();
  const say = createSay("en");
  const parts = { environment: { PINCER_HOME: directory }, redactor, say, notify: () => {}, cwd: directory };
  const { wrapStores } = given;
  const openedHome = await openHome(parts, {}, wrapStores ? { wrapStores } : {});
  const clock = given.clock ?? openedHome.clock;
  const configNow = () => openedHome.config;
  const connected = openConnectedModels({ ...parts, openedHome, config: configNow });
  const media = createMediaStore({ directory: openedHome.home.mediaDir, clock });
  const engine = createEngine({
    openedHome,
    parts,
    config: configNow,
    models: given.models,
    tools: given.tools ?? [],
    connected,
    memory: noMemory,
    media,
  });
  const faults: unknown[] = [];
  const lanes = createLanes({
    run: engine.run,
    turns: openedHome.stores.turns,
    clock,
    limit: 4,
    deadlineMs: () => 60_000,
    graceMs: 1000,
    evict: async () => {},
    bury: async () => {},
    onOver: engine.events.watch.over,
    stoppedDrafts: () => [],
    wakeOutbox: () => {},
    onError: (error) => void faults.push(error),
  });
  await lanes.recover();
  const stopping = new AbortController();
  const { turns, entries } = openedHome.stores;
  const embedder =
    given.embedder ?? createTextEmbedder({ openedHome, config: configNow, connected, say, clock });
  const walking = {
    openedHome,
    parts,
    config: configNow,
    memory: noMemory,
    effects: { snapshots: undefined },
    engine,
  };
  const walk = walkWithoutGateway(walking);
  const ask = questionsWithoutGateway(walking, async (row) => {
    const end = await walk(row);
    if (end.type === "queued") lanes.offer(end.turn);
    return end;
  });
  const api = createOpenAiApi({
    config: configNow,
    engine,
    ask,
    lanes,
    turns,
    follow: createRunFollower({ engine, turns, entries, clock, stopping: stopping.signal }),
    media,
    redactor,
    embedder,
    say,
    home: {
      tenantId: openedHome.tenantId,
      workspaceId: openedHome.workspaceId,
      agentId: openedHome.defaultAgentId,
    },
    ids: openedHome.ids,
    stopping: stopping.signal,
  });
  const onError = (error: unknown) => void faults.push(error);
  const callers: Record<string, Caller> = { owner, ...given.callers };
  const server = await listenOnHttp({
    addresses: [{ host: "127.0.0.1", port: 0 }],
    routes: openAiRoutes({ api: async () => api, clock, onError }),
    doors: {
      async admit({ bearer }) {
        if (bearer === undefined) return { type: "nothing-shown" };
        const caller = callers[bearer];
        return caller ? { type: "admitted", caller } : { type: "refused" };
      },
      isStillIn: async () => true,
    },
    checks: { addressOf: () => "127.0.0.1", refusal: () => undefined },
    limits: () => ({ connections: 100, bodyBytes: given.bodyBytes ?? 1_000_000, arriveWithinMs: 10_000 }),
    takeRate: () => undefined,
    clock: openedHome.clock,
    log: { warn() {}, error: (message) => void faults.push(message) },
  });
  onTestFinished(async () => {
    await lanes.drain(1000);
    stopping.abort();
    await server.close(0);
    await embedder.close();
    await openedHome.close();
    await rm(directory, { recursive: true });
  });
  return {
    baseURL: `http://127.0.0.1:${server.addresses[0]?.port}/v1`,
    stores: openedHome.stores,
    faults,
    idle: lanes.idle,
  };
}
