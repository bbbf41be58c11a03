/** `/tools`, `/tool.describe`, `/skills`: what the assistant can do here, for the person who asks. */
import type { GateReason } from "@pincer/sdk";
import { quotedLine } from "../gate/approvals/quoted-line.ts";
import { inEnglish, sayReasons } from "../infra/gate-reasons.ts";
import { oneLine, shorten } from "../infra/one-line.ts";
import type { Say } from "../infra/texts.ts";
import { answered, type Command, type CommandCall, type CommandContext } from "./command.ts";

/** A tool, and whether the person who asks may use it here. */
export interface ToolStanding {
  name: string;
  description: string;
  verdict: "allow" | "ask" | "deny";
  /** Why not, or why it asks first; empty where it may be used. */
  reasons: readonly GateReason[];
}

export interface ToolCommandParts {
  say: Say;
  tools: {
    /** Throws what the storage does. */
    list(context: CommandContext): Promise<ToolStanding[]>;
    /** Undefined where there is none of that name. `input` is the schema of its arguments. Throws what the storage does. */
    describe(name: string, context: CommandContext): Promise<(ToolStanding & { input: unknown }) | undefined>;
  };
  /** Never throws; `where` is where they are looked for. */
  skills(context: CommandContext): Promise<{
    where: string;
    skills: ReadonlyArray<{ name: string; description: string }>;
    skipped: ReadonlyArray<{ path: string; reason: string }>;
  }>;
}

type Parts = ToolCommandParts;

const longest = 160;
const longestInput = 2000;

export const toolCommands: ReadonlyArray<Command<Parts>> = [
  {
    name: "tools",
    aliases: [],
    group: "about",
    usage: "",
    help: "command.about.tools",
    access: "anyone",
    arguments: [],
    run: async (parts, { context }) => answered(await tools(parts, context)),
  },
  {
    name: "tool.describe",
    aliases: [],
    group: "about",
    usage: "<tool>",
    help: "command.about.tool.describe",
    access: "anyone",
    arguments: [{ name: "tool" }],
    run: async (parts, call) => answered(await describe(parts, call)),
  },
  {
    name: "skills",
    aliases: [],
    group: "about",
    usage: "",
    help: "command.about.skills",
    access: "anyone",
    arguments: [],
    run: async (parts, { context }) => answered(await skills(parts, context)),
  },
];

async function tools({ say, tools: room }: Parts, context: CommandContext): Promise<string> {
  const found = await room.list(context);
  // What they may not use is nothing to tell others about, but that it is there.
  const told = context.person.role === "owner" ? found : found.filter(({ verdict }) => verdict !== "deny");
  if (told.length === 0) return say("command.tools.none");
  return told.map((each) => standingWords(each, say)).join("\n");
}

function standingWords({ name, description, verdict, reasons }: ToolStanding, say: Say): string {
  return say(`command.tools.${verdict}`, {
    name,
    description: shorten(forPeople(oneLine(description)), longest),
    reason: reasons.length === 0 ? "" : sayReasons({ reasons, reason: inEnglish(reasons) }, say, quotedLine),
  });
}

/** The first clause: what stands behind it is told to models. */
const forPeople = (description: string): string => description.replace(/[.;] .*$/s, ".");

async function describe(
  { say, tools: room }: Parts,
  { words, prefix, context }: CommandCall,
): Promise<string> {
  const [name = ""] = words.split(/\s+/);
  if (name === "") return say("command.tools.which", { prefix });
  const found = await room.describe(name, context);
  if (!found) return say("command.tools.unknown", { name, prefix });
  const { description, verdict, input } = found;
  return [
    `${found.name}: ${description}`,
    ...(verdict === "allow" ? [] : [standingWords(found, say)]),
    say("command.tools.input", { input: shorten(JSON.stringify(input), longestInput) }),
  ].join("\n");
}

async function skills(parts: Parts, context: CommandContext): Promise<string> {
  const { say } = parts;
  const found = await parts.skills(context);
  // Where things lie on the machine, and what is wrong with them, is the owner's to know.
  const isOwner = context.person.role === "owner";
  const where = isOwner ? found.where : "skills/";
  const skipped = isOwner ? found.skipped : [];
  const unusable = skipped.map(({ path, reason }) => say("command.skills.skipped", { path, reason }));
  if (found.skills.length === 0) return [say("command.skills.none", { where }), ...unusable].join("\n");
  return [
    say("command.skills.title", { where }),
    ...found.skills.map(({ name, description }) => `${name} – ${shorten(oneLine(description), longest)}`),
    ...unusable,
  ].join("\n");
}
