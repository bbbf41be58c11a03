/** A generated home with a long history: many sessions over months, with usage. For measuring the page. */
import { join } from "node:path";
import type { Entry } from "@pincer/sdk";
import { systemClock } from "../src/infra/clock.ts";
import { createIds } from "../src/infra/ids.ts";
import { openSqliteStores } from "../src/storage/open-sqlite-stores.ts";
import type { TenantStores } from "../src/storage/storage.ts";
import { addUsage } from "../src/storage/testing/add-usage.ts";

export interface FillWishes {
  sessions: number;
  /** Requests to models, spread over the last 90 days. */
  calls: number;
  /** Number of messages of the newest session; 4 by default. */
  longest?: number;
}

const hour = 3_600_000;
const channels = ["cli", "telegram", "irc", "web"];
const models = ["swift", "deep", "tiny", "local-8b"];
const openings = [
  "Where should we go in spring?",
  "Summarise the notes of yesterday's meeting",
  "Why does the build fail on the second run?",
  "帮我写一封给房东的信",
  "Remind me what we decided about the garden",
];

/** Nothing else may have the home open. Answers with the key of the newest session. */
export async function fillHome(home: string, wishes: FillWishes): Promise<string> {
  const stores = await openSqliteStores({
    file: join(home, "core.db"),
    clock: systemClock,
    ids: createIds(),
    // Nobody misses it after a power cut.
    fdatasync: async () => {},
  });
  try {
    const tenant = stores.tenant("t_default");
    await tenant.directory.ensure({
      tenant: { name: "default", plan: "personal" },
      workspace: { id: "w_default", name: "default" },
      agent: { id: "main", name: "main" },
    });
    for (let made = 0; made < wishes.sessions; made += 250) {
      const batch = Array.from({ length: Math.min(250, wishes.sessions - made) }, (_, index) => made + index);
      await Promise.all(batch.map((place) => addSession(tenant, place, wishes)));
    }
    for (let made = 0; made < wishes.calls; made += 250) {
      const batch = Array.from({ length: Math.min(250, wishes.calls - made) }, (_, index) => made + index);
      await Promise.all(batch.map((place) => addCall(tenant, place, wishes.calls)));
    }
    return keyOf(0);
  } finally {
    await stores.close();
  }
}

const keyOf = (place: number): string => `agent:main:named:conversation-${place}`;

/** The first is the newest; each other one is an hour and a bit older. */
async function addSession(tenant: TenantStores, place: number, { longest = 4 }: FillWishes): Promise<void> {
  const sessionId = `s_made${String(place).padStart(6, "0")}`;
  const begun = Date.now() - (place + 1) * 1.1 * hour;
  const messages = place === 0 ? longest : 2 + (place % 9);
  const time = (seq: number) => new Date(begun + (seq * hour) / (messages + 2)).toISOString();
  const channel = channels[place % channels.length] ?? "cli";
  const header: Entry = {
    type: "session",
    id: sessionId,
    cwd: "/",
    tenantId: "t_default",
    workspaceId: "w_default",
    agentId: "main",
    sessionKey: keyOf(place),
    origin: { channel },
    version: 1,
    seq: 1,
    time: time(1),
  };
  const said = Array.from({ length: messages }, (_, index): Entry => {
    const seq = index + 2;
    const opening = `${openings[place % openings.length]} (${place})`;
    return { type: "message", message: message(index, opening), seq, time: time(seq) };
  });
  const entries = [header, ...said];
  await tenant.sessions.restore(entries);
  await tenant.sessions.markMirrored(sessionId, entries.length);
}

function message(index: number, opening: string): Extract<Entry, { type: "message" }>["message"] {
  const text =
    index === 0 ? opening : `Thing ${index} to think about. ${"A line of words. ".repeat(index % 12)}`;
  const content = [{ type: "text" as const, text }];
  if (index % 2 === 0) return { role: "user", content };
  const usage = { input: 900, output: 120, cacheRead: 400, cacheWrite: 0, total: 1420, cost: 0.004 };
  return { role: "assistant", content, provider: "made", model: "up", usage, stopReason: "stop" };
}

async function addCall(tenant: TenantStores, place: number, all: number): Promise<void> {
  const model = models[(place * 7) % models.length] ?? "swift";
  const input = 500 + ((place * 37) % 4000);
  const output = 50 + ((place * 13) % 700);
  const cacheRead = (place * 53) % 6000;
  await addUsage(tenant.usage, {
    turnId: null,
    sessionId: null,
    sessionKey: keyOf(place % 40),
    agentId: "main",
    provider: "made",
    model,
    credential: place % 3 === 0 ? "made:work" : "made:home",
    usage: {
      input,
      output,
      cacheRead,
      cacheWrite: 0,
      total: input + output + cacheRead,
      cost: (input * 3 + output * 15) / 1e6,
    },
    outcome: place % 29 === 0 ? "overloaded" : "ok",
    startedAt: new Date(Date.now() - (place / all) ** 1.4 * 90 * 24 * hour).toISOString(),
    durationMs: 900,
    firstByteMs: 200,
  });
}
