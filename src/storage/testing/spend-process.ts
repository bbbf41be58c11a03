/**
 * A process that uses up approvals one after the other and prints the id of each that it got, after a first line `ready`. For tests that start many at once and kill
 * them: `node spend-process.ts <file> <id> …`.
 */
import { systemClock } from "../../infra/clock.ts";
import { createIds } from "../../infra/ids.ts";
import { openSqliteStores } from "../open-sqlite-stores.ts";

const [file = "", ...ids] = process.argv.slice(2);
const stores = await openSqliteStores({ file, clock: systemClock, ids: createIds() });
const { approvals } = stores.tenant("acme");
process.stdout.write("ready\n");
for (const id of ids) if (await approvals.spend(id)) process.stdout.write(`${id}\n`);
await stores.close();
