/** A small home with a policy, as it was at two moments, and ways to damage it. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRedactor } from "../../../infra/redactor.ts";
import { createSay } from "../../../infra/texts.ts";
import { openMarkOf } from "../../sqlite/lost-log.ts";
import type { TenantStores } from "../../storage.ts";
import { openHome } from "../open-home.ts";

export const ruleTexts = ["never run commands", "never send money", "never delete files"];
const person = { channel: "telegram", accountId: "bot", senderId: "carol" };

export interface DamagedHome {
  root: string;
  home: string;
  database: string;
  /** What opening it said. */
  notices: string[];
  parts: Parameters<typeof openHome>[0];
  open(options?: { isSuspect?: boolean }): ReturnType<typeof openHome>;
  /** What limits the assistant after opening it, and what was said there. */
  openAndLook(options?: { isSuspect?: boolean }): Promise<Look>;
}

export interface Look {
  rules: string[];
  isCarolIn: boolean;
  isMalloryIn: boolean;
  areToolsOff: boolean;
  /** Undefined where it cannot be read: not all damage keeps a home from opening. */
  said: string[] | undefined;
}

export interface HomeStage {
  pageSize: number;
  /** Pages of the whole database. */
  pages: number;
  /** The same as it was before somebody was turned away and the last rules were set. */
  early: Buffer;
  late: Buffer;
  /** A copy of the home, with this database, that was closed or killed. Removed with the stage. */
  make(database: Buffer, how: "closed" | "without log"): DamagedHome;
  remove(): void;
}

export async function makeHomeStage(): Promise<HomeStage> {
  const stage = mkdtempSync(join(tmpdir(), "pincer-damaged-"));
  const first = homeIn(join(stage, "first"));
  const opened = await first.open();
  const { stores, workspaceId } = opened;
  const origin = { channel: "cli" };
  const wish = { workspaceId, agentId: "main", origin, cwd: "/" };
  const { session } = await stores.sessions.open({ ...wish, sessionKey: "agent:main:main" });
  const say = (text: string) =>
    stores.entries.append(session.sessionId, [{ type: "event", name: "said", data: { text } }]);
  await say("one");
  await stores.pairing.allow([{ ...person, senderId: "mallory", by: "owner" }]);
  await stores.rules.add(rule(ruleTexts[0] ?? ""));
  await opened.close();
  const early = readFileSync(first.database);
  const again = await first.open();
  for (let turn = 0; turn < 40; turn++)
    await again.stores.entries.append(session.sessionId, [
      { type: "event", name: "said", data: { text: `${turn} ${"words ".repeat(turn * 10)}` } },
    ]);
  for (const text of ruleTexts.slice(1)) await again.stores.rules.add(rule(text));
  await again.stores.rules.add(rule("a rule that takes more than one page: ".padEnd(3000, "x")));
  await again.stores.pairing.allow([{ ...person, by: "owner" }]);
  await again.stores.pairing.revoke({ ...person, senderId: "mallory" });
  await again.mirror((await again.stores.sessions.get(session.sessionId)) ?? session);
  await again.auditAnchors.write("now");
  await again.close();
  const late = readFileSync(first.database);
  const pageSize = late.readUInt16BE(16);
  let made = 0;

  return {
    pageSize,
    pages: late.length / pageSize,
    early,
    late,
    make(database, how) {
      const root = join(stage, String(++made));
      cpSync(join(stage, "first"), root, { recursive: true });
      const copy = homeIn(root);
      writeFileSync(copy.database, database, { mode: 0o600 });
      if (how === "without log") writeFileSync(openMarkOf(copy.database), "an earlier start\n");
      return copy;
    },
    remove: () => rmSync(stage, { recursive: true }),
  };
}

const rule = (text: string) => ({ text, enforcement: null, agentId: null, setBy: "cli:owner" });

function homeIn(root: string): DamagedHome {
  const home = join(root, "home");
  const notices: string[] = [];
  const parts = {
    environment: { HOME: root, PINCER_HOME: home },
    redactor: createRedactor(),
    say: createSay("en"),
    notify: (text: string) => void notices.push(text),
    cwd: root,
  };
  const open: DamagedHome["open"] = (options = {}) => openHome(parts, options);
  return {
    root,
    home,
    database: join(home, "core.db"),
    notices,
    parts,
    open,
    async openAndLook(options = {}) {
      const { stores, close, recovery } = await open(options);
      try {
        const rules = await stores.rules.list();
        return {
          rules: rules.filter(({ id }) => id !== 0).map(({ text }) => text),
          isCarolIn: await stores.pairing.isAllowed(person),
          isMalloryIn: await stores.pairing.isAllowed({ ...person, senderId: "mallory" }),
          areToolsOff: recovery.isOpen() && rules.some(({ id }) => id === 0),
          said: await readSaid(stores).catch(() => undefined),
        };
      } finally {
        await close();
      }
    },
  };
}

async function readSaid({
  sessions,
  entries,
}: Pick<TenantStores, "sessions" | "entries">): Promise<string[]> {
  const [session] = (await sessions.list({ limit: 10 })).sessions;
  const all = session ? await entries.after(session.sessionId, 0, 1000) : [];
  return all.map((entry) => (entry.type === "event" ? String(entry.data["text"]) : entry.type));
}
