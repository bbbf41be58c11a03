/** One case, played through the whole product: a gateway in a home of its own, a network, a web, a mailbox, and a model that does as it is told. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createRecordingChannel, type RecordingChannel } from "@pincer/sdk/testing";
import type { ApprovalRecord } from "../../src/storage/approvals/approvals.ts";
import { plantCanaries, withCanaries, type Canaries } from "./canaries.ts";
import type { Case, Effect, Saying, World } from "./case.ts";
import { createDeskTools } from "./desk-tools.ts";
import { createHijackedModel, type HijackedModel } from "./hijacked-model.ts";
import { openHouse, type House } from "./house.ts";
import { earlierLife, livedInWorld } from "./lived-in.ts";
import { listResults, type ToolOutcome } from "./read-stores.ts";
import type { PlannerParts } from "./scripted-planner.ts";
import { channelId, groups, people, privateLine, usualConfig, usualWorld } from "./usual-world.ts";
import { takePicture, type Places } from "./watch-home.ts";
import { watchSteps, type PlayedStep } from "./watch-steps.ts";
import { openWeb, type Web } from "./web.ts";

export interface Happening {
  canaries: Canaries;
  /** The case with its canaries in place, and all that stands in its world. */
  played: Case;
  world: Required<Pick<World, "files" | "pages" | "search" | "mails" | "calendar" | "parcelError">>;
  effects: Effect[];
  /** The same, saying by saying, with those of an earlier life and those before a task. */
  steps: PlayedStep[];
  /** What was said in the conversation of each saying, since it. */
  replies: string[][];
  /** What the owner was asked, in order. */
  asked: ApprovalRecord[];
  results: ToolOutcome[];
  /** Calls that the model could not make. */
  missed: string[];
  /** Whether a turn was still waiting or running in the end. */
  unfinished: string[];
  log: string[];
  /** The workdir in the end: path to content. */
  files: ReadonlyMap<string, string>;
}

export interface StageOptions {
  /** `off`: the gate does not look at where values come from. */
  provenance?: "off" | undefined;
  /** Unless told: one that reads the owner's words without a slip. */
  planner?: PlannerParts | undefined;
  /** Everyday turns come first, in the same conversations; the seed draws them. */
  livedIn?: { seed: string } | undefined;
}

export async function play(given: Case, options: StageOptions = {}): Promise<Happening> {
  const canaries = plantCanaries();
  const played = withCanaries(options.livedIn ? livedInWorld(given) : given, canaries);
  const log: string[] = [];
  const recorded: Effect[] = [];
  const record = (effect: Effect) => void recorded.push(effect);
  const world = worldOf(played, canaries);
  const root = mkdtempSync(join(tmpdir(), "pincer-gate-"));
  const places = layHome(root, world, canaries);
  const web = await openWeb(world, record);
  writeConfig(places, played, web, canaries);
  const network = createRecordingChannel({ id: channelId });
  const model = createHijackedModel({
    canaries,
    planner: options.planner,
    obeys: played.type === "attack",
    hijack: played.type === "attack" ? played.hijack : undefined,
    contextWindow: played.world?.contextWindow,
    reads: played.world?.reads,
    log: (line) => log.push(line),
  });
  const extras = {
    channels: [network.channel],
    models: [model],
    tools: createDeskTools({ ...world, record }),
    wayOut: web.wayOut,
    ...(options.provenance && { provenance: options.provenance }),
  };
  const house = await openHouse({ home: places.home, canaries, extras, record, log });
  try {
    const scene: Scene = {
      house,
      network,
      model,
      record,
      log,
      usual: played.type === "task" ? "once" : "deny",
    };
    await speak(scene, { by: "peter", text: withCanaries(privateLine, canaries) });
    const steps: PlayedStep[] = [];
    const { requests } = model;
    const watch = await watchSteps({ house, network, places, recorded, requests });
    const step = async (part: PlayedStep["part"], saying: Saying): Promise<string[]> => {
      const replies = await speak(scene, saying);
      steps.push(await watch.end(part, saying));
      return replies;
    };
    for (const saying of options.livedIn ? earlierLife(played, options.livedIn.seed) : [])
      await step("earlier", saying);
    for (const saying of played.before ?? []) await step("before", saying);
    // What a task has before it is how things are; of an attack it is a part.
    const counted = played.type === "task" ? ["says"] : ["before", "says"];
    if (played.type === "task") model.missed.length = 0;
    const replies: string[][] = [];
    for (const saying of played.says) replies.push(await step("says", saying));
    const ofCase = steps.filter(({ part }) => counted.includes(part));
    const { results, unfinished } = await listResults(house.stores);
    return {
      canaries,
      played,
      world,
      effects: ofCase.flatMap((each) => each.effects),
      steps,
      replies,
      asked: ofCase.flatMap((each) => each.asked),
      results,
      missed: model.missed,
      unfinished,
      log,
      files: takePicture(places).workdir,
    };
  } finally {
    await house.close();
    await web.close();
    rmSync(root, { recursive: true, force: true });
  }
}

interface HomePlaces extends Places {
  home: string;
}

function layHome(root: string, world: Happening["world"], canaries: Canaries): HomePlaces {
  const home = join(root, "home");
  const workdir = join(home, "workspace");
  const outside = join(root, "outside");
  for (const directory of [workdir, outside]) mkdirSync(directory, { recursive: true });
  for (const [path, content] of Object.entries(world.files)) {
    mkdirSync(dirname(join(workdir, path)), { recursive: true });
    writeFileSync(join(workdir, path), content);
  }
  writeFileSync(join(outside, "diary.txt"), `Dear diary, ${canaries.outside}\n`);
  return { home, workdir, outside, config: join(home, "config.json5") };
}

function writeConfig(places: HomePlaces, { world = {} }: Case, web: Web, canaries: Canaries): void {
  const contacts = { ...usualWorld.contacts, ...world.contacts };
  const config = overlay(overlay(usualConfig(web.searchUrl), { contacts }), world.config ?? {});
  writeFileSync(places.config, JSON.stringify(withCanaries(config, canaries)), { mode: 0o600 });
}

function worldOf({ world = {} }: Case, canaries: Canaries): Happening["world"] {
  const { files, pages = {}, search = {}, mails = [], calendar = [], parcelError = "" } = world;
  return withCanaries(
    { files: { ...usualWorld.files, ...files }, pages, search, mails, calendar, parcelError },
    canaries,
  );
}

const isTable = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function overlay(under: Record<string, unknown>, over: Record<string, unknown>): Record<string, unknown> {
  const merged = { ...under };
  for (const [key, value] of Object.entries(over)) {
    const present = merged[key];
    merged[key] = isTable(present) && isTable(value) ? overlay(present, value) : value;
  }
  return merged;
}

interface Scene {
  house: House;
  network: RecordingChannel;
  model: HijackedModel;
  record(effect: Effect): void;
  log: string[];
  /** What the owner says to questions. */
  usual: NonNullable<Saying["answer"]>;
}

let messages = 0;
/** A turn that asks again and again is a fault of its own. */
const mostQuestions = 12;

/** Says it, lets everything come to its end, answers what is asked; the words that came back. */
async function speak({ house, network, model, log, usual }: Scene, saying: Saying): Promise<string[]> {
  const from = network.ledger.length;
  const who = saying.as ?? people[saying.by ?? "ada"];
  if (!who) throw new Error(`nobody is called ${saying.by}`);
  const group =
    saying.in === undefined || saying.in === "direct" ? undefined : (groups[saying.in] ?? saying.in);
  const id = `m${++messages}`;
  log.push(`${who.name ?? who.id}${group ? ` in ${saying.in}` : ""}: ${saying.text}`);
  model.play(saying);
  await network.say({
    peer: group === undefined ? { kind: "user", id: who.id } : { kind: "group", id: group },
    sender: who,
    message: {
      type: "text",
      id,
      text: saying.text,
      attachments: Object.entries(saying.files ?? {}).map(([name, content]) => attachmentOf(name, content)),
      mentioned: group === undefined || saying.mentioned !== false,
      ...(saying.quotes !== undefined && { replyTo: { id: `q${messages}`, text: saying.quotes } }),
      ...(saying.forwarded && { forwarded: true }),
    },
    timestamp: Date.now(),
  });
  await house.gateway.idle();
  await answerAll(house, saying.answer ?? usual, log);
  const target = group ?? who.id;
  return network.ledger.slice(from).flatMap((item) => (item.target.peerId === target ? [item.text] : []));
}

async function answerAll(house: House, answer: NonNullable<Saying["answer"]>, log: string[]): Promise<void> {
  if (answer === "none") return;
  for (let count = 0; count < mostQuestions; count++) {
    const question = (await house.questions()).find(({ state }) => state === "pending");
    if (!question) return;
    const { id, subject, reason, rule, scopes } = question;
    log.push(`asked ${id}: ${subject.shown} (${reason}; ${rule}), answered: ${answer}`);
    // As far as the card lets a yes reach.
    const scope = answer !== "deny" && scopes.includes(answer) ? answer : "once";
    if (answer === "deny") await house.client.request("approvals.deny", { id });
    else await house.client.request("approvals.approve", { id, scope });
    await house.gateway.idle();
  }
}

function attachmentOf(name: string, content: string) {
  const isImage = /\.(png|jpe?g|gif|webp)$/i.test(name);
  return {
    kind: isImage ? ("image" as const) : ("file" as const),
    media: `bench:${name}`,
    mimeType: isImage ? "image/png" : "text/plain",
    name,
    sizeBytes: Buffer.byteLength(content),
  };
}
