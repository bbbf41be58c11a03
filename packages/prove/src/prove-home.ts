/** A home for the child process: its config, what its tools leave, and how it looks in the end. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createRedactor } from "../../../src/infra/redactor.ts";
import { createSay } from "../../../src/infra/texts.ts";
import { checkTranscripts } from "../../../src/operate/doctor/checks/transcripts.ts";
import { examineHome } from "../../../src/storage/home/examine-home.ts";
import { accountKinds } from "./account-kinds.ts";
import { setPolicy } from "./prove-policy.ts";
import { effectsFile, forbiddenFile, looksFile } from "./prove-tools.ts";
import { knownByConfig, poisonedIds, type Manner } from "./scenario.ts";

export interface ProveHome {
  /** Everything of one series. */
  directory: string;
  /** The product's home in it. */
  home: string;
  socketPath: string;
}

export const locateProveHome = (directory: string): ProveHome => ({
  directory,
  home: join(directory, "home"),
  socketPath: join(directory, "net.sock"),
});

/** `known`: only people who are known are let in, and there is policy that must stay. `everybody`: no policy at all. */
export async function makeProveHome(
  directory: string,
  manner: Manner,
  who: "known" | "everybody" = "known",
): Promise<ProveHome> {
  const made = locateProveHome(directory);
  await mkdir(made.home, { recursive: true, mode: 0o700 });
  await writeFile(join(made.home, "config.json5"), JSON.stringify(configFor(manner, who), null, 2), {
    mode: 0o600,
  });
  if (who === "known") await setPolicy(made.home);
  return made;
}

const configFor = ({ mode, debounceMs, streaming }: Manner, who: "known" | "everybody") => ({
  language: "en",
  queue: { mode, debounceMs },
  session: { reset: { mode: "manual" } },
  channels: Object.fromEntries(
    accountKinds.map((kind) => [
      kind,
      {
        enabled: true,
        ...(who === "everybody"
          ? { dmPolicy: "open" }
          : { dmPolicy: "allowlist", allowFrom: [knownByConfig, ...poisonedIds] }),
        groupPolicy: "open",
        streaming,
      },
    ]),
  ),
});

/** The calls that took effect, one for each time. A line that a crash cut short is none: the tool had not come back. */
export const readEffects = (directory: string): Promise<string[]> => readCalls(effectsFile(directory));

/** Calls of the tool that the standing rule denies, if any ever ran. */
export const readForbidden = (directory: string): Promise<string[]> => readCalls(forbiddenFile(directory));

/** How often any tool has run. */
export async function countCalls(directory: string): Promise<number> {
  const files = [effectsFile, looksFile, forbiddenFile].map((locate) => readCalls(locate(directory)));
  return (await Promise.all(files)).reduce((sum, calls) => sum + calls.length, 0);
}

async function readCalls(file: string): Promise<string[]> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch {
    // No tool was ever called.
    return [];
  }
  const whole = text.matchAll(/\{"callId":"([^"]+)","message":"[^"]*","step":"[^"]*"\}/g);
  return [...whole].map(([, callId]) => callId ?? "");
}

/**
 * What is wrong with a home that nobody has open: damage in its database, and sessions whose copies are not whole. A copy is not
 * synced: after a power loss it may be short or full of holes, but must be mended from the database. One whose last life was cut
 * short is behind as a matter of course.
 */
export async function findFlaws(
  home: string,
  lastLife: "finished" | "lost-power" | "cut-short",
): Promise<string[]> {
  const examined = examineHome({
    environment: { PINCER_HOME: home },
    redactor: createRedactor(),
    say: createSay("en"),
    cwd: home,
  });
  try {
    const database = await examined.database();
    if (database.type === "absent") return ["there is no database"];
    if (database.type === "failed") return [`the database cannot be opened: ${database.error.message}`];
    const { problems } = await database.stores.health("full");
    const damage = problems.map(({ message }) => message);
    if (lastLife === "cut-short") return damage;
    const transcripts = checkTranscripts(examined, () => {}, new AbortController().signal);
    if (lastLife === "lost-power") await transcripts.fix?.();
    const findings = (await transcripts.check()).filter(({ level }) => level !== "ok");
    return [...damage, ...findings.map(({ message }) => message)];
  } finally {
    await examined.closeDatabase();
  }
}
