/** A real home in a temporary directory, with a few sessions in it, for breaking. */
import { mkdtemp, mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Clock } from "../../../infra/clock.ts";
import { createRedactor } from "../../../infra/redactor.ts";
import { createSay } from "../../../infra/texts.ts";
import type { SessionRecord } from "../../../storage/stores.ts";
import { personalTenant } from "../../../storage/home/open-home.ts";
import type { Check, Level } from "../check.ts";
import {
  examineHome,
  type ExaminedHome,
  type ExaminedHomeParts,
} from "../../../storage/home/examine-home.ts";
import { runDoctor, type DoctorReport } from "../run-doctor.ts";

export interface TestHome {
  examined: ExaminedHome;
  parts: ExaminedHomeParts;
  environment: Record<string, string>;
  /** Inside the home. */
  path(...names: string[]): string;
  write(name: string, text: string): Promise<void>;
  /** Says something in a session, with its transcript; the database is closed again. */
  talk(sessionKey: string, ...texts: string[]): Promise<SessionRecord>;
  doctor(fix?: "fix"): Promise<DoctorReport>;
  remove(): Promise<void>;
}

export async function createTestHome(given: { clock?: Clock; made?: boolean } = {}): Promise<TestHome> {
  const root = await mkdtemp(join(tmpdir(), "pincer-doctor-"));
  const environment = { HOME: root, PINCER_HOME: join(root, "home"), PINCER_PORT: "0" };
  const parts: ExaminedHomeParts = {
    environment,
    redactor: createRedactor(),
    say: createSay("en"),
    cwd: root,
    ...(given.clock ? { clock: given.clock } : {}),
  };
  const examined = examineHome(parts);
  const path = (...names: string[]) => join(examined.home.root, ...names);
  if (given.made !== false) await mkdir(path("workspace"), { recursive: true, mode: 0o700 });
  return {
    examined,
    parts,
    environment,
    path,
    async write(name, text) {
      await mkdir(dirname(path(name)), { recursive: true, mode: 0o700 });
      await writeFile(path(name), text, { mode: 0o600 });
    },
    async talk(sessionKey, ...texts) {
      const { tenant, transcripts } = await examined.makeDatabase();
      const { workspaceId } = personalTenant;
      const request = { sessionKey, workspaceId, agentId: "main", origin: { channel: "cli" }, cwd: "/" };
      const { sessionId } = (await tenant.sessions.open(request)).session;
      const bodies = texts.map((text) => ({ type: "event" as const, name: "said", data: { text } }));
      await tenant.entries.append(sessionId, bodies);
      const session = await tenant.sessions.get(sessionId);
      if (!session) throw new Error("the session is gone");
      await transcripts.complete(session);
      await examined.closeDatabase();
      return session;
    },
    doctor: (fix) => runDoctor(parts, { fix: fix === "fix", signal: new AbortController().signal }),
    async remove() {
      await examined.closeDatabase();
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** What one check says, as `level message`. */
export async function findingsOf(check: Check): Promise<string[]> {
  return (await check.check()).map(({ level, message }) => `${level} ${message}`);
}

export const levelsOf = async (check: Check): Promise<Level[]> =>
  (await check.check()).map(({ level }) => level);
