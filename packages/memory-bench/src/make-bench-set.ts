/** A set of questions out of what an agent remembers: the lines that a search would find, each with a place to name it by. */
import { existsSync } from "node:fs";
import type { MemoryLine, MemoryStore } from "@pincer/sdk";
import { failure } from "../../../src/infra/failure.ts";
import type { BenchDoc, BenchSet } from "./bench-set.ts";
import { knownItem, knownItemQuestions } from "./known-items.ts";
import { linesOfEntry } from "../../../src/memory/index/lines-of-entry.ts";
import { syncFiles } from "../../../src/memory/index/sync-files.ts";
import { agentSettings } from "../../../src/agent/agent-settings.ts";
import { defaultAgentOf } from "../../../src/config/default-agent.ts";
import { contextSettings } from "../../../src/agent/context/context-settings.ts";
import { requireKnownAgent } from "../../../src/gateway/methods/auth-known.ts";
import { openApi, type ApiParts } from "../../../src/app/open-api.ts";
import { openFoundation } from "../../../src/storage/home/foundation.ts";
import { locateWorkdir } from "../../../src/config/locate-workdir.ts";
import { createSessionApi } from "../../../src/operate/session-api.ts";
import { createBenchSet } from "./bench-set-file.ts";
import { labelOf, sessionPath } from "../../../src/memory/following/conversation-feed.ts";

export interface MakeBenchSetRequest {
  file: string;
  agentId?: string | undefined;
  questions: number;
}

const sessionsAtOnce = 500;

/** Nothing of it leaves the machine. Throws PincerError: the file is there already, nobody knows the agent, or it remembers nothing. */
export async function makeBenchSet(
  { file, questions, ...request }: MakeBenchSetRequest,
  parts: ApiParts & { signal: AbortSignal },
): Promise<{ file: string; lines: number; questions: number }> {
  const { home, loaded } = await openFoundation(parts);
  const { config } = loaded;
  const defaultAgentId = defaultAgentOf(config);
  requireKnownAgent(request.agentId, { agents: config.agents, defaultAgentId });
  const agentId = request.agentId ?? defaultAgentId;
  const { timezone } = contextSettings(config, agentId);
  const workdir = locateWorkdir({
    flag: undefined,
    configured: agentSettings(config, agentId).workspace,
    cwd: parts.cwd,
    environment: parts.environment,
    homeRoot: home.root,
  });
  const docs = [
    ...(await docsOfFiles({ agentId, workdir, closed: home.root, timezone }, parts.signal)),
    ...(await docsOfSessions({ agentId, timezone }, parts)),
  ];
  if (docs.length === 0) throw failure("usage/not-found", "memory.bench.made.none", { agentId });
  const queries = knownItemQuestions(docs, questions);
  const collections = [{ name: agentId, docs, queries }];
  const set: BenchSet = { name: `memory of ${agentId}`, headline: [knownItem], collections };
  await createBenchSet(file, set, parts.cwd);
  return { file, lines: docs.length, questions: queries.length };
}

async function docsOfFiles(place: Parameters<typeof syncFiles>[1], signal: AbortSignal): Promise<BenchDoc[]> {
  if (!existsSync(place.workdir)) return [];
  const docs: BenchDoc[] = [];
  // It reads as it would for the index; what comes is only written down.
  const collecting: Pick<MemoryStore, "put" | "remove" | "sources"> = {
    async put({ path }, lines) {
      docs.push(...docsOf(path, () => path, lines));
      return { added: lines.length, removed: 0, moved: 0 };
    },
    remove: async () => false,
    sources: async () => [],
  };
  await syncFiles(collecting, place, { signal });
  return docs;
}

async function docsOfSessions(
  { agentId, timezone }: { agentId: string; timezone: string },
  parts: ApiParts & { signal: AbortSignal },
): Promise<BenchDoc[]> {
  const api = createSessionApi(await openApi("sessions", parts), parts.cwd);
  const docs: BenchDoc[] = [];
  try {
    for (let after: string | undefined; ;) {
      const page = await api.list({
        limit: sessionsAtOnce,
        agentId,
        ...(after === undefined ? {} : { after }),
      });
      for (const session of page.sessions) {
        parts.signal.throwIfAborted();
        const path = sessionPath(session);
        const label = labelOf(session.sessionKey);
        const lines: MemoryLine[] = [];
        for await (const entry of api.entries(session))
          if (entry.type === "message") lines.push(...linesOfEntry(entry, { label, timezone }));
        // A conversation goes on for months: what was said on one day belongs together.
        docs.push(...docsOf(path, (line) => `${path} ${line.time?.slice(0, 10) ?? ""}`, lines));
      }
      if (page.next === null) return docs;
      after = page.next;
    }
  } finally {
    await api.close();
  }
}

/** Parts of one line are one document again. */
function docsOf(
  path: string,
  sessionOf: (line: MemoryLine) => string,
  lines: readonly MemoryLine[],
): BenchDoc[] {
  return [...Map.groupBy(lines, ({ line }) => line)].flatMap(([number, parts]) => {
    const [first] = parts;
    if (!first) return [];
    return [
      {
        id: `${path}:${number}`,
        text: parts.map(({ text }) => text).join(" "),
        ...(first.time === undefined ? {} : { date: first.time }),
        ...(first.who === undefined ? {} : { speaker: first.who }),
        session: sessionOf(first),
      },
    ];
  });
}
