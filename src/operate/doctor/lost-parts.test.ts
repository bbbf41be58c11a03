/**
 * Less policy than before, never: whatever is deleted, cut off or damaged of a home's files, and whoever opens it first, rules and people are
 * complete afterwards, or no tool runs and nobody but the owner is let in until the owner has looked.
 */
import { cp, mkdir, mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { testSeed } from "../../../scripts/test-seed.ts";
import { createRedactor } from "../../infra/redactor.ts";
import { createSay } from "../../infra/texts.ts";
import { examineHome, type ExaminedHome } from "../../storage/home/examine-home.ts";
import { openHome } from "../../storage/home/open-home.ts";
import { checkDatabase } from "./checks/database.ts";

const partsIn = (root: string) => ({
  environment: { HOME: root, PINCER_HOME: join(root, "home"), PINCER_PORT: "0" },
  redactor: createRedactor(),
  say: createSay("en"),
  cwd: root,
  notify: () => {},
});
const texts = ["never run commands", "never send money", "never delete files"];
const person = { channel: "telegram", accountId: "bot", senderId: "carol" };
/** `npm run test:deep` tries more. */
const lostRuns = process.env["PINCER_LOST_RUNS"] ? Number(process.env["PINCER_LOST_RUNS"]) : 15;
let root: string;

/** Two homes with the same policy: one that was closed, and one whose process was killed, so that its log holds nearly everything. */
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "pincer-lost-"));
  const home = join(root, "home");
  await mkdir(join(home, "workspace"), { recursive: true, mode: 0o700 });
  const opened = await openHome(partsIn(root), {});
  const { stores } = opened;
  const origin = { channel: "cli" };
  const { workspaceId } = opened;
  const { session } = await stores.sessions.open({
    sessionKey: "agent:main:main",
    workspaceId,
    agentId: "main",
    origin,
    cwd: "/",
  });
  await stores.entries.append(session.sessionId, [{ type: "event", name: "said", data: { text: "hello" } }]);
  await opened.mirror((await stores.sessions.get(session.sessionId)) ?? session);
  await stores.pairing.allow([{ ...person, senderId: "mallory", by: "owner" }]);
  for (const text of texts)
    await stores.rules.add({ text, enforcement: null, agentId: null, setBy: "cli:owner" });
  await stores.pairing.allow([{ ...person, by: "owner" }]);
  await stores.pairing.revoke({ ...person, senderId: "mallory" });
  await opened.auditAnchors.write("now");
  await cp(home, join(root, "killed"), { recursive: true });
  await opened.close();
  await cp(home, join(root, "closed"), { recursive: true });
});
afterAll(() => rm(root, { recursive: true }));

const deleted = (path: string) => rm(path, { force: true });
const emptied = (path: string) => truncate(path).catch(() => {});
const halved = async (path: string) => {
  const bytes = await readFile(path).catch(() => undefined);
  if (bytes) await truncate(path, Math.floor(bytes.length / 2));
};
const kept = async () => {};
const spoilLine = (which: number) => async (path: string) => {
  const lines = (await readFile(path, "utf8")).trimEnd().split("\n");
  const at = (which + lines.length) % lines.length;
  const spoilt = lines.map((line, index) => (index === at ? `x${line}` : line));
  await writeFile(path, `${spoilt.join("\n")}\n`);
};

const damages = {
  "core.db": { kept, deleted, emptied },
  "core.db-wal": { kept, deleted, emptied, halved },
  "policy-copy.jsonl": {
    kept,
    deleted,
    emptied,
    lastSpoilt: spoilLine(-1),
    secondSpoilt: spoilLine(1),
    firstSpoilt: spoilLine(0),
  },
};

/** Who opens the home before the gateway does. */
const firsts: Record<string, (examined: ExaminedHome) => Promise<unknown>> = {
  nobody: async () => {},
  "somebody who looks": (examined) => examined.database(),
  "the doctor": (examined) => checkDatabase(examined).check(),
  "a repair": async (examined) => checkDatabase(examined).fix?.(),
};

it("OBS-01 whatever is lost of a home, the policy is complete, or tools are off until the owner has looked", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        ending: fc.constantFrom("killed", "closed"),
        "core.db": fc.constantFrom(...Object.keys(damages["core.db"])),
        "core.db-wal": fc.constantFrom(...Object.keys(damages["core.db-wal"])),
        "policy-copy.jsonl": fc.constantFrom(...Object.keys(damages["policy-copy.jsonl"])),
        first: fc.constantFrom(...Object.keys(firsts)),
      }),
      async ({ ending, first, ...what }) => {
        const place = await mkdtemp(join(tmpdir(), "pincer-lost-"));
        try {
          await cp(join(root, ending), join(place, "home"), { recursive: true });
          for (const [file, how] of Object.entries(what)) {
            const ways: Record<string, (path: string) => Promise<void>> =
              damages[file as keyof typeof damages];
            await ways[how]?.(join(place, "home", file));
          }
          const parts = partsIn(place);
          const examined = examineHome(parts);
          await firsts[first]?.(examined);
          await examined.closeDatabase();
          const opened = await openHome(parts, {});
          const rules = (await opened.stores.rules.list())
            .filter(({ id }) => id !== 0)
            .map(({ text }) => text);
          const isIn = (senderId: string) => opened.stores.pairing.isAllowed({ ...person, senderId });
          const isComplete = texts.every((text) => rules.includes(text)) && (await isIn("carol"));
          const recovery = opened.recovery.read();
          const isSomebodyBack = await isIn("mallory");
          await opened.close();
          expect(isComplete || recovery !== undefined).toBe(true);
          expect(isSomebodyBack).toBe(false);
        } finally {
          await rm(place, { recursive: true });
        }
      },
    ),
    { numRuns: lostRuns, seed: testSeed },
  );
});
