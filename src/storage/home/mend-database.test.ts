import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testSeed } from "../../../scripts/test-seed.ts";
import { systemClock } from "../../infra/clock.ts";
import { surveyDatabase } from "../salvage/salvage-database.ts";
import { checkPages } from "../sqlite/check-pages.ts";
import { examineHome } from "./examine-home.ts";
import { openRecovery } from "./recovery.ts";
import {
  makeHomeStage,
  ruleTexts,
  type DamagedHome,
  type HomeStage,
  type Look,
} from "./testing/damaged-home.ts";

let stage: HomeStage;
beforeAll(async () => {
  stage = await makeHomeStage();
});
afterAll(() => stage.remove());

const recoveryOf = ({ home }: DamagedHome) => openRecovery(join(home, "recovery.json")).read();

/** The damaged databases that are kept. */
const asides = ({ home }: DamagedHome) =>
  readdirSync(home).filter((name) => /^core\.db\.corrupt-[^.]*Z$/.test(name));

function expectPolicy(look: Look, what: string): void {
  expect({ ...look, rules: look.rules.slice(0, 3), said: [] }, `${what}`).toMatchObject({
    rules: ruleTexts,
    isCarolIn: true,
    isMalloryIn: false,
  });
  expect(look.rules, `${what}`).toHaveLength(4);
}

function overwritten(page: number, filling: (size: number) => Buffer): Buffer {
  const bytes = Buffer.from(stage.late);
  filling(stage.pageSize).copy(bytes, (page - 1) * stage.pageSize);
  return bytes;
}

/** As a checkpoint leaves it that was cut off after so many pages: it goes through them in their order. */
function halfCheckpointed(pages: number): Buffer {
  const length = pages * stage.pageSize;
  return Buffer.concat([stage.late.subarray(0, length), stage.early.subarray(length)]);
}

/** `npm run test:deep` takes all of them. */
const share = process.env["PINCER_DAMAGE_SHARE"] ? Number(process.env["PINCER_DAMAGE_SHARE"]) : 12;
const sample = (count: number, always: number) =>
  Array.from({ length: count }, (_, at) => at + 1).filter(
    (page) => page <= always || (page * 31 + testSeed) % share === 0,
  );

describe("a home whose database is damaged", () => {
  it.each([
    ["noise", randomBytes],
    ["zeros", Buffer.alloc],
  ])(
    "opens by itself with %s over each page in turn, with the whole policy and every row that can be read",
    async (_, filling) => {
      for (const page of sample(stage.pages, 6)) {
        const what = `page ${page}`;
        const home = stage.make(overwritten(page, filling), "closed");
        const kept = surveyDatabase(home.database, systemClock).tables;
        const isNoticeable = (await checkPages(home.database)).length > 0;
        expectPolicy(await home.openAndLook(), what);
        // Zeros at the end of a long text are none that SQLite knows of.
        if (!isNoticeable) continue;
        // Whatever is left is mended as soon as a start meets it.
        const look = await home.openAndLook({ isSuspect: true });
        expectPolicy(look, what);
        const entries = kept.find(({ name }) => name === "entries")?.kept ?? 0;
        expect(look.said?.length, `${what}`).toBeGreaterThanOrEqual(entries);
        expect([look.areToolsOff, asides(home).length], `${what}`).toEqual([true, 1]);
        expect(await checkPages(home.database), `${what}`).toEqual([]);
        // None of what was said lies on the first page.
        expect(page > 1 || (entries === 42 && look.said?.length === 42), `${what}`).toBe(true);
      }
    },
    1_200_000,
  );

  it("opens by itself when its log is lost after a checkpoint that was cut off at any page", async () => {
    for (const pages of sample(stage.pages - 1, 6)) {
      const what = `cut off after page ${pages}`;
      const home = stage.make(halfCheckpointed(pages), "without log");
      const look = await home.openAndLook();
      expectPolicy(look, what);
      expect(look.areToolsOff, `${what}`).toBe(true);
      const { stores, close } = await home.open();
      expect(await stores.sessions.listTorn(), `${what}`).toEqual([]);
      await close();
      // What the older state would do again is held, and nothing is left to be done by the next start.
      expect(recoveryOf(home), `${what}`).toMatchObject({ isToHold: false, isToComplete: false });
    }
  }, 1_200_000);

  it("says what came back, what is lost, and where the damaged file is, until the owner has confirmed it", async () => {
    const home = stage.make(overwritten(1, randomBytes), "closed");
    const { stores, close, recovery } = await home.open();
    const said = home.notices.join("\n");
    const [aside = ""] = asides(home);
    expect(said).toMatch(/too damaged to be opened.*sessions 1, entries 42.*Lost: no rows/);
    expect(said).toContain(aside);
    expect(said).toMatch(/rules 4, people 1.*Tools are off/);
    const notices = await stores.notices.list({ limit: 10 });
    expect(notices.map(({ text }) => text.key).toSorted()).toEqual([
      "notice.mended",
      "notice.recovery-damage",
    ]);
    recovery.confirm();
    await close();
    const look = await home.openAndLook();
    expect([look.areToolsOff, look.said?.length]).toEqual([false, 42]);
  });

  it.each(["", "garbage ".repeat(2000)])(
    "of which nothing can be read (%#) is one that was lost",
    async (text) => {
      const home = stage.make(Buffer.from(text), "closed");
      const look = await home.openAndLook();
      expectPolicy(look, "");
      expect(look).toMatchObject({ areToolsOff: true });
      // From the transcript.
      expect(look.said?.length).toBe(42);
      expect(recoveryOf(home)).toMatchObject({ lost: "database", isInDoubt: false });
    },
  );

  it("is in doubt where the copy of its policy is gone, too, unless all of the policy can be read", async () => {
    const read = stage.make(overwritten(1, randomBytes), "closed");
    rmSync(join(read.home, "policy-copy.jsonl"));
    const look = await read.openAndLook();
    expectPolicy(look, "all can be read");
    expect([look.areToolsOff, recoveryOf(read)?.isInDoubt]).toEqual([true, false]);
    const lost = stage.make(Buffer.from("garbage"), "closed");
    rmSync(join(lost.home, "policy-copy.jsonl"));
    expect(await lost.openAndLook()).toMatchObject({ areToolsOff: true, isCarolIn: false, rules: [] });
    expect(recoveryOf(lost)).toMatchObject({ isInDoubt: true });
  });

  it("is mended once where two open it at the same moment", async () => {
    const home = stage.make(overwritten(1, randomBytes), "closed");
    const looks = await Promise.all([home.openAndLook(), home.openAndLook()]);
    for (const look of looks) expectPolicy(look, "");
    expect(asides(home)).toHaveLength(1);
  });

  it("is left as it is by whoever only looks, who is told", async () => {
    const bytes = overwritten(1, randomBytes);
    const home = stage.make(bytes, "without log");
    const examined = examineHome({ ...home.parts, cwd: home.root });
    expect(await examined.database()).toMatchObject({ type: "failed", error: { code: "storage/corrupt" } });
    await examined.closeDatabase();
    expect(readFileSync(home.database).equals(bytes)).toBe(true);
    expectPolicy(await home.openAndLook(), "");
  });
});

/** One step of mending fails, in a process of its own. */
function openFailing(home: DamagedHome, how: "kill" | "full" | "not", at = 0) {
  const script = fileURLToPath(new URL("testing/failing-open-process.ts", import.meta.url));
  const args = [script, home.root, how, String(at)];
  const { stdout, stderr, signal } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (signal === "SIGKILL") return { ending: "killed", steps: [] };
  expect(stderr).toBe("");
  return JSON.parse(stdout) as { steps: string[]; ending: string };
}

function makeTorn(): DamagedHome {
  const home = stage.make(overwritten(1, randomBytes), "without log");
  writeFileSync(`${home.database}-shm`, "");
  return home;
}

async function expectMended(home: DamagedHome, what: string): Promise<void> {
  const look = await home.openAndLook();
  expectPolicy(look, what);
  expect([look.areToolsOff, look.said?.length], `${what}`).toEqual([true, 42]);
  expect(asides(home), `${what}`).toHaveLength(1);
  expect(readFileSync(join(home.home, asides(home)[0] ?? "")).length, `${what}`).toBe(stage.late.length);
  expect(
    readdirSync(home.home).filter((name) => /repaired|mending/.test(name)),
    `${what}`,
  ).toEqual([]);
  expect(recoveryOf(home), `${what}`).toMatchObject({ isToHold: false, isToComplete: false });
}

describe("a home whose mending is cut off", () => {
  const steps: string[] = [];
  beforeAll(() => void steps.push(...openFailing(makeTorn(), "not").steps));
  const some = () => steps.map((_, at) => at + 1).filter((at) => (at + testSeed) % Math.min(share, 4) === 0);

  it("goes through the steps that are cut off here", () => {
    const all = steps.join("\n");
    for (const step of [
      /writeFileSync .*recovery/,
      /openSync .*repaired/,
      /renameSync .*mending/,
      /rename .*core.db$/m,
    ])
      expect(all).toMatch(step);
  });

  it("by a kill before any step, is mended by the next one who opens it", async () => {
    for (const at of some()) {
      const home = makeTorn();
      expect(openFailing(home, "kill", at).ending).toBe("killed");
      await expectMended(home, `killed before ${steps[at - 1]}`);
    }
  }, 240_000);

  it("by a full disk, keeps the damaged file, says so, and is mended when there is room", async () => {
    const endings = new Set<string>();
    for (const at of some()) {
      const home = makeTorn();
      const { ending } = openFailing(home, "full", at);
      endings.add(ending);
      await expectMended(home, `full from ${steps[at - 1]}`);
    }
    expect([...endings].filter((ending) => !["storage/full", "opened"].includes(ending))).toEqual([]);
  }, 240_000);

  it("by a disk that is full before anything else, has lost nothing and says so", async () => {
    const home = makeTorn();
    const before = readFileSync(home.database);
    expect(openFailing(home, "full", 1).ending).toBe("storage/full");
    expect(readFileSync(home.database).equals(before)).toBe(true);
    await expectMended(home, "full");
  });

  it("asks its owner all the same who confirmed it in between", async () => {
    const home = makeTorn();
    const at = steps.findIndex((step) => /rename .*core.db$/.test(step)) + 1;
    expect(openFailing(home, "kill", at).ending).toBe("killed");
    rmSync(join(home.home, "recovery.json"));
    await expectMended(home, "confirmed in between");
  });

  it("with half of a new database left, begins anew", async () => {
    const home = makeTorn();
    writeFileSync(`${home.database}.repaired`, stage.early.subarray(0, 5000));
    await expectMended(home, "half of a new one");
  });
});
