/** Servers of models that run on this machine: found by asking once, quickly, and only when somebody wants to know. */
import { fetchJson, type JsonAsker } from "./fetch-json.ts";
import type { ModelEntry } from "./model-entry.ts";
import { readModelList } from "./read-model-list.ts";
import { vendors } from "./vendors/vendors.ts";

export interface LocalServers {
  /** By vendor, what each that answered has. Never throws; what was found is believed for half a minute. */
  find(): Promise<ReadonlyMap<string, readonly ModelEntry[]>>;
}

const patienceMs = 300;
const believedMs = 30_000;

export function createLocalServers(asker: JsonAsker): LocalServers {
  let found: { at: number; servers: Promise<ReadonlyMap<string, readonly ModelEntry[]>> } | undefined;
  return {
    find() {
      const now = asker.clock.monotonic();
      if (!found || now - found.at >= believedMs) found = { at: now, servers: look(asker) };
      return found.servers;
    },
  };
}

async function look(asker: JsonAsker): Promise<ReadonlyMap<string, readonly ModelEntry[]>> {
  const answers = await Promise.all(
    vendors.map(async ({ id, local }): Promise<Array<[string, readonly ModelEntry[]]>> => {
      if (local === undefined) return [];
      const answer = await fetchJson(asker, local, { withinMs: patienceMs });
      const models = answer.ok ? readModelList(answer.value) : undefined;
      return models ? [[id, models]] : [];
    }),
  );
  return new Map(answers.flat());
}
