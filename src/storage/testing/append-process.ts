/**
 * A process that opens the database, appends, prints the seq of what is on the disk, and exits. For tests
 * that start many at once or kill them:
 * `node append-process.ts <file> <session key> <name> <count>`.
 */
import { systemClock } from "../../infra/clock.ts";
import { createIds } from "../../infra/ids.ts";
import { openSqliteStores } from "../open-sqlite-stores.ts";
import { createProcessLiveness } from "../sessions/process-liveness.ts";
import { createSessionLeases } from "../sessions/session-lease.ts";

const [file = "", sessionKey = "", name = "", count = "1"] = process.argv.slice(2);
const stores = await openSqliteStores({ file, clock: systemClock, ids: createIds() });
const { sessions, entries, leases } = stores.tenant("acme");
const liveness = createProcessLiveness();
const sessionLeases = createSessionLeases({
  leases,
  clock: systemClock,
  holder: liveness.self(name),
  isAlive: liveness.isAlive,
});
const origin = { channel: "cli" };
const { session } = await sessions.open({ sessionKey, workspaceId: "w1", agentId: "main", origin, cwd: "/" });
for (let index = 0; index < Number(count); index++) {
  const body = { type: "event", name: "appended", data: { name, index } } as const;
  const append = sessionLeases.hold(sessionKey, (fence) => entries.append(session.sessionId, [body], fence));
  for (const entry of await append) process.stdout.write(`${entry.seq}\n`);
}
await stores.close();
