/** Runs commands: input that is answered at once, without the model. The registry lists them. */
import { createSay, type Say } from "../infra/texts.ts";
import {
  answered,
  mayUse,
  outOfReach,
  placeOfCall,
  refusalOf,
  type CommandContext,
  type CommandResult,
} from "./command.ts";
import {
  commandRegistry,
  findCommand,
  isForCommands,
  nearestCommand,
  type RegistryParts,
} from "./command-registry.ts";
import { usageWithin } from "./usage-within.ts";

/** `name` is the command's own, whatever it was called. */
export type ParsedCommand =
  | { type: "known"; name: string; prefix: string; words: string }
  /** Only what is for commands alone (the prefix `!`, names as `tape.x`) makes one of these; else an unknown name is for the model. */
  | { type: "unknown"; name: string; prefix: string; words: string };

/** Undefined when the text is for the model. A name may carry the address of a bot: `/new@pincer`. */
export function parseCommand(text: string, prefixes: readonly string[]): ParsedCommand | undefined {
  const trimmed = text.trim();
  const prefix = prefixes.find((mark) => mark !== "" && trimmed.startsWith(mark));
  if (prefix === undefined) return undefined;
  const match = /^([a-z][a-z0-9_-]*(?:\.[a-z0-9_-]+)*)(?:@\S+)?(?:\s+([\s\S]*))?$/i.exec(
    trimmed.slice(prefix.length),
  );
  const name = match?.[1]?.toLowerCase();
  if (name === undefined) return undefined;
  const words = match?.[2]?.trim() ?? "";
  const known = findCommand(name);
  if (known) return { type: "known", name: known.name, prefix, words };
  // A name with a dot may be anything that people write, unless it begins like one of ours.
  return isForCommands(name, prefix) ? { type: "unknown", name, prefix, words } : undefined;
}

export interface Commands {
  /** Throws what the storage does. Safe to repeat. */
  run(command: ParsedCommand, context: CommandContext): Promise<CommandResult>;
}

export type CommandParts = Omit<RegistryParts, "known">;

export function createCommands(given: CommandParts): Commands {
  const parts: RegistryParts = { ...given, known: commandRegistry };
  return {
    async run({ type, name, prefix, words }, context) {
      const command = type === "known" ? findCommand(name) : undefined;
      const place = placeOfCall(context);
      const say = context.language ? createSay(context.language) : parts.say;
      if (!command) {
        // The model knows the skills by their names.
        if (prefix === "/" && (await isSkill(name, context))) return { enterModel: true, output: "" };
        return answered(unknownWords(name, { prefix, say, place }));
      }
      if (!mayUse(command, place)) return answered(refusalOf(command, prefix, say));
      const beyond = outOfReach(command.name, context.reach);
      if (beyond) return answered(say(`permission.command.${beyond}`, { command: prefix + command.name }));
      const usage = usageWithin(parts.usage, context.reach?.agentIds);
      return command.run({ ...parts, say, usage }, { prefix, words, context });
    },
  };

  async function isSkill(name: string, context: CommandContext): Promise<boolean> {
    const { skills } = await parts.skills(context);
    return skills.some((skill) => skill.name.toLowerCase() === name);
  }
}

/** That there is no such command, and which one may have been meant. */
export function unknownWords(
  name: string,
  { prefix, say, place }: { prefix: string; say: Say; place: ReturnType<typeof placeOfCall> },
): string {
  const none = say("routing.command.unknown", { name: prefix + name, prefix });
  const nearest = nearestCommand(name, place);
  return nearest === undefined ? none : `${none}${say("command.nearest", { command: prefix + nearest })}`;
}
