/** The transcript files of a home. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { SessionStore } from "../stores.ts";

export interface TranscriptFile {
  path: string;
  /** As the directory and the file are named; nobody has looked into it. */
  agentId: string;
  sessionId: string;
}

/**
 * Plain `<agentId>/sessions/<sessionId>.jsonl` files in the order of their names: links are not followed out of the directory.
 * What cannot be read is passed over.
 */
export async function listTranscripts(agentsDir: string): Promise<TranscriptFile[]> {
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
  for (const file of await listTranscripts(agentsDir)) {
    if (!(await sessions.get(file.sessionId))) unknown.push(file);
  }
  return unknown;
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
