/** The transcript files of a home, as they lie on the disk. */
import { readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import type { SessionRecord, SessionStore } from "../../storage/stores.ts";
import { isThere } from "./examined-home.ts";

export interface TranscriptFile {
  path: string;
  agentId: string;
  sessionId: string;
}

/** Plain `<agentId>/sessions/<sessionId>.jsonl` files in the order of their names; what cannot be read is passed over. */
export async function listTranscriptFiles(agentsDir: string): Promise<TranscriptFile[]> {
  const files: TranscriptFile[] = [];
  for (const agent of await list(agentsDir)) {
    if (!agent.isDirectory()) continue;
    const directory = join(agentsDir, agent.name, "sessions");
    for (const file of await list(directory)) {
      if (!file.isFile() || !file.name.endsWith(".jsonl")) continue;
      const sessionId = file.name.slice(0, -".jsonl".length);
      files.push({ path: join(directory, file.name), agentId: agent.name, sessionId });
    }
  }
  return files;
}

/** Those whose session the database does not know. */
export async function listUnknownTranscripts(
  agentsDir: string,
  sessions: Pick<SessionStore, "get">,
): Promise<TranscriptFile[]> {
  const unknown: TranscriptFile[] = [];
  for (const file of await listTranscriptFiles(agentsDir)) {
    if (!(await sessions.get(file.sessionId))) unknown.push(file);
  }
  return unknown;
}

/** Keeps a file that is not to count any more under the name that the mirror uses for that, too. */
export async function setAsideTranscript(path: string): Promise<string> {
  let number = 1;
  while (await isThere(`${path}.bak-${number}`)) number++;
  const aside = `${path}.bak-${number}`;
  await rename(path, aside);
  return aside;
}

/** All sessions of a tenant, page by page. */
export async function* eachSession(sessions: Pick<SessionStore, "list">): AsyncIterable<SessionRecord> {
  for (let after: string | null | undefined; after !== null;) {
    const page = await sessions.list({ limit: 500, ...(after ? { after } : {}) });
    yield* page.sessions;
    after = page.next;
  }
}

async function list(directory: string) {
  try {
    const items = await readdir(directory, { withFileTypes: true });
    return items.sort((one, other) => (one.name < other.name ? -1 : 1));
  } catch {
    // No such directory, or none we may read: there is nothing here to list.
    return [];
  }
}
