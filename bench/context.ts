/**
 * What it costs to build a prompt, by strategy: `full` with everything read from a workdir of the usual size, the same as turns get it, which
 * keep it, and from facts at hand, and the other strategies; and the tokens of each, counted as bytes / 4. Then a whole request, after few and many turns.
 * `node bench/context.ts [--json]`
 */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { performance } from "node:perf_hooks";
import { buildPrompt, needsOf } from "../src/agent/prompt/build-prompt.ts";
import type { ContextOptions, Prompt, PromptFacts, PromptText } from "../src/agent/prompt/prompt.ts";
import { createAgentRegistry } from "../src/agent/agents/agent-registry.ts";
import { createAgentWorkspace } from "../src/agent/agents/agent-workspace.ts";
import { createBuiltInTools } from "../src/agent/built-in-tools.ts";
import { createPromptCache, type PromptRequest } from "../src/agent/context/prompt-cache.ts";
import { defaultConfig } from "../src/config/default-config.ts";
import { systemClock } from "../src/infra/clock.ts";
import { createSessionMemory } from "../src/storage/sessions/session-memory.ts";
import { createWorkdirFiles, type WorkdirFiles } from "../src/sandbox/workdir-files.ts";
import { readSkills } from "../src/skills/read-skills.ts";
import { measureRequests, printRequests, type RequestFigures } from "./requests.ts";

export interface ContextFigures extends RequestFigures {
  load: number;
  builds: BuildFigure[];
  /** Full as it is read from the disk, as a multiple of lite; the goal is at least 100. */
  liteIsCheaperBy: number;
}

interface BuildFigure {
  name: string;
  /** The median of the rounds. */
  nsPerBuild: number;
  tokens: number;
}

interface Way {
  name: string;
  build(): Prompt | Promise<Prompt>;
}

const full: ContextOptions = {
  strategy: "full",
  includeSkills: [],
  excludeSkills: [],
  includeTools: [],
  excludeTools: [],
  includeMemory: true,
  includeRuntime: true,
};
const lite: ContextOptions = { ...full, strategy: "lite" };
const minimal: ContextOptions = { ...full, strategy: "minimal" };
const none: ContextOptions = { ...full, strategy: "none" };
const custom: ContextOptions = {
  ...full,
  strategy: "custom",
  includeSkills: ["skill-3", "skill-7"],
  includeMemory: false,
};

const workdirFiles = "AGENTS.md SOUL.md USER.md IDENTITY.md TOOLS.md HEARTBEAT.md".split(" ");
const memoryFiles = ["MEMORY.md", "memory/2026-11-14.md", "memory/2026-11-15.md"];

/** In a workdir of its own, which is cleared away; takes a few seconds. */
export async function measureContext({
  rounds = 9,
  msPerRound = 60,
  requests = {} as Parameters<typeof measureRequests>[0],
} = {}): Promise<ContextFigures> {
  const base = await mkdtemp(join(tmpdir(), "pincer-bench-"));
  try {
    const workdir = join(base, "workspace");
    await furnish(workdir);
    const place = { workdir, homeRoot: join(base, "home") };
    const files = createWorkdirFiles({ workdir, closed: place.homeRoot });
    const facts = factsOf(place);
    const known = await gather(files, facts, full);
    const ways: Way[] = [
      { name: "full, read from the disk", build: async () => buildPrompt(await gather(files, facts, full)) },
      {
        name: "custom, read from the disk",
        build: async () => buildPrompt(await gather(files, facts, custom), custom),
      },
      { name: "full, kept", build: keptBuild(place, facts) },
      { name: "full, from facts at hand", build: () => buildPrompt(known, full) },
      { name: "custom, from facts at hand", build: () => buildPrompt(known, custom) },
      { name: "minimal", build: () => buildPrompt(facts, minimal) },
      { name: "none", build: () => buildPrompt(facts, none) },
      { name: "lite", build: () => buildPrompt(facts, lite) },
    ];
    const builds = await measureTogether(ways, { rounds, msPerRound });
    const nsOf = (name: string) => builds.find((each) => each.name === name)?.nsPerBuild ?? Number.NaN;
    const liteIsCheaperBy = Math.round(nsOf("full, read from the disk") / nsOf("lite"));
    return { load: loadavg()[0] ?? 0, builds, liteIsCheaperBy, ...(await measureRequests(requests)) };
  } finally {
    await rm(base, { recursive: true });
  }
}

/** Round by round, each way once per round, so that whatever else the machine does meets all of them. */
async function measureTogether(
  ways: readonly Way[],
  { rounds, msPerRound }: { rounds: number; msPerRound: number },
): Promise<BuildFigure[]> {
  const measured = ways.map((way) => ({ way, rounds: [] as number[] }));
  for (const each of measured) await nsPerBuild(each.way, msPerRound);
  for (let round = 0; round < rounds; round++)
    for (const each of measured) each.rounds.push(await nsPerBuild(each.way, msPerRound));

  return Promise.all(
    measured.map(async ({ way, rounds }) => ({
      name: way.name,
      nsPerBuild: median(rounds),
      tokens: Math.ceil(Buffer.byteLength((await way.build()).text) / 4),
    })),
  );
}

async function nsPerBuild({ build }: Way, ms: number): Promise<number> {
  const start = performance.now();
  let builds = 0;
  let bytes = 0;
  while (performance.now() - start < ms) {
    // The clock is read once per hundred: reading it costs as much as the quickest build.
    const count = builds === 0 ? 1 : Math.min(100, builds);
    for (let left = count; left > 0; left--) {
      const prompt = build();
      bytes += (prompt instanceof Promise ? await prompt : prompt).text.length;
    }
    builds += count;
  }
  const spent = performance.now() - start;
  if (bytes === 0) throw new Error("nothing was built");
  return Math.round((1e6 * spent) / builds);
}

/** What a turn without a cache has to do: read what the strategy needs, and no more. */
async function gather(
  files: WorkdirFiles,
  facts: PromptFacts,
  options: ContextOptions,
): Promise<PromptFacts> {
  const needs = needsOf(options);
  return {
    ...facts,
    files: needs.files ? await readTexts(files, workdirFiles) : [],
    memory: needs.memory ? await readTexts(files, memoryFiles) : [],
    skills: needs.skills ? (await readSkills(files)).skills : [],
  };
}

/** What a turn does: look whether anything has changed, and build again only then. */
function keptBuild(place: { workdir: string; homeRoot: string }, { tools }: PromptFacts): Way["build"] {
  const { workdir, homeRoot } = place;
  const agents = createAgentRegistry({
    config: () => defaultConfig,
    clock: systemClock,
    environment: {},
    home: { root: homeRoot },
    cwd: workdir,
    extraTools: [],
  });
  const agent = agents.get("main");
  const { agentWorkspace } = agent.toolsIn(workdir);
  const sessionMemory = createSessionMemory({ directory: join(homeRoot, "memory") });
  const keeper = createPromptCache({ sessionMemory });
  const said = { channel: "telegram", chatType: "main", turn: "person" } as const;
  const request: PromptRequest = { agent, agentWorkspace, options: full, tools, rules: [], ...said };
  return () => keeper.promptFor(request);
}

async function readTexts(files: WorkdirFiles, names: readonly string[]): Promise<PromptText[]> {
  const texts: PromptText[] = [];
  for (const name of names) {
    const { text, truncated } = await files.read(name, 20_000);
    texts.push({ name, text, truncated });
  }
  return texts;
}

function factsOf({ workdir, homeRoot }: { workdir: string; homeRoot: string }): PromptFacts {
  const agentWorkspace = createAgentWorkspace({
    workdir,
    homeRoot,
    clock: systemClock,
    timezone: "Asia/Shanghai",
    layout: "flat",
  });
  const tools = createBuiltInTools({ clock: systemClock, agentWorkspace });
  return {
    identity: { name: "Molly", user: "Ada" },
    agentId: "main",
    workdir,
    timezone: "Asia/Shanghai",
    channel: "telegram",
    chatType: "main",
    tools: tools.all().map(({ name, description, input }) => ({ name, description, parameters: input })),
    skills: [],
    files: [],
    memory: [],
    rules: [
      { id: 1, text: "Never delete mail until I say so.", enforced: true },
      { id: 2, text: "Speak of me as Ada.", enforced: false },
    ],
  };
}

/** Files of the sizes that people have. */
async function furnish(workdir: string): Promise<void> {
  const sentence = "Ada likes short answers, and tea at four. ";
  const write = async (name: string, text: string) => {
    const path = join(workdir, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  };
  for (const name of workdirFiles) await write(name, `# ${name}\n\n${sentence.repeat(40)}`);
  for (const name of memoryFiles) await write(name, `- ${sentence}\n`.repeat(40));
  for (let index = 0; index < 20; index++) {
    const about = `---\nname: skill-${index}\ndescription: ${sentence}\n---\n`;
    await write(`skills/skill-${index}/SKILL.md`, about + sentence.repeat(100));
  }
}

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;

/** The figures as a table for people. */
export function printContext({ load, builds, liteIsCheaperBy, ...requests }: ContextFigures): void {
  console.log(`load ${load.toFixed(2)}\n\nBuilding a prompt`);
  const lite = builds.find((each) => each.name === "lite")?.nsPerBuild ?? Number.NaN;
  console.table(
    builds.map((each) => ({ ...each, "× lite": Math.round((10 * each.nsPerBuild) / lite) / 10 })),
  );
  const verdict = liteIsCheaperBy >= 100 ? "met" : "MISSED";
  console.log(`lite is ${liteIsCheaperBy} × cheaper than full from the disk (goal ≥ 100 ×: ${verdict})`);
  printRequests(requests);
}

if (import.meta.main) {
  const figures = await measureContext();
  if (process.argv.includes("--json")) console.log(JSON.stringify(figures));
  else printContext(figures);
}
