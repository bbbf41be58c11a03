/** A command: its declaration, its input, and its answer. */
import type { Destination } from "@pincer/sdk";
import type { Say, TextKey } from "../infra/texts.ts";
import type { Language } from "../infra/texts/table.ts";
import { holds, permissionOfCommand, type Role } from "../policy/permission-points.ts";
import type { CallerReach } from "../storage/inbox/inbox.ts";
import type { OpenSession } from "../storage/stores.ts";
import type { TurnPerson } from "../storage/turns/turns.ts";

export interface CommandContext {
  person: TurnPerson;
  session: OpenSession;
  /** Where it was said. */
  destination: Destination | null;
  /** What decided the route. */
  rule: string;
  /** The message that it came with: the same one may be run again after a crash. */
  input: string;
  /** When that message came, RFC 3339: nobody can have meant what was asked later. */
  receivedAt: string;
  /** A running turn that was aborted for this command before its message came to its place. */
  abortedTurnId?: string | undefined;
  /** What the caller's sign-in method and scope leave out; without it everything is within reach. */
  reach?: CallerReach | undefined;
  /** Instead of the configured one. */
  language?: Language | undefined;
}

export interface CommandResult {
  /** Whether the message goes on to the model. */
  enterModel: boolean;
  /** What is said at once; empty when the model answers. */
  output: string;
  /** Wishes for the turn, when the model is entered. */
  options?: Record<string, unknown>;
  /** The running turn that the command ended, whose own last line would say the same. */
  stoppedTurnId?: string;
  /** Whether the message goes to the last turn, which goes on with it; what is said when it cannot is not decided here. */
  goesOn?: true;
}

/** As it was written: `/new plan a trip`. */
export interface CommandCall {
  prefix: string;
  words: string;
  context: CommandContext;
}

export const commandGroups = ["conversation", "answers", "gate", "tape", "about"] as const;
export type CommandGroup = (typeof commandGroups)[number];

/**
 * owner-in-groups: in a group many talk and one session listens, so what changes it for all of them is the owner's. owner-alone: the owner's, and
 * only where nobody else reads along.
 */
export type CommandAccess = "anyone" | "owner" | "owner-alone" | "owner-in-groups";

export interface CommandArgument {
  name: string;
  /** Where it is one of a few. */
  choices?: readonly string[];
}

/** One command, under every mark and at every front door. What it may change is in the table of permission points, under its name. */
export interface Command<Parts> {
  name: string;
  aliases: readonly string[];
  group: CommandGroup;
  /** What can stand behind it: `[name]`; empty where nothing can. */
  usage: string;
  /** What it is for. */
  help: TextKey;
  access: CommandAccess;
  /** Why it is refused, where that is more than that it is the owner's. */
  refusal?: TextKey;
  arguments: readonly CommandArgument[];
  /** Throws what the storage does. Safe to repeat. Asked only of those who may use it. */
  run(parts: Parts, call: CommandCall): Promise<CommandResult>;
}

export const answered = (output: string): CommandResult => ({ enterModel: false, output });

/** Where somebody stands who wants to use a command. */
export interface CommandPlace {
  role: TurnPerson["role"];
  isGroup: boolean;
}

export const placeOfCall = ({ destination, person }: CommandContext): CommandPlace => ({
  role: person.role,
  isGroup: destination !== null && destination.target.peerKind !== "user",
});

/** Whether they may: by the command's own access, and by the permission point of what it changes. */
export function mayUse(
  { name, access }: Pick<Command<never>, "name" | "access">,
  { role, isGroup }: CommandPlace,
): boolean {
  if (role !== "owner" && (access === "owner" || access === "owner-alone")) return false;
  if (isGroup && access === "owner-alone") return false;
  if (role !== "owner" && access === "owner-in-groups" && isGroup) return false;
  const point = permissionOfCommand(name);
  return point === null || holds(roleOf(role), point);
}

/** These let browsers in and out; a caller who is not at home hands on no more than they have, which is what `access.*` is for. */
const atHome: ReadonlySet<string> = new Set(["signin", "browsers"]);
/** These reach every agent. */
const ofTenant: ReadonlySet<string> = new Set(["approvals", "approve", "deny", "config", "rule", "rules"]);

/** What stands between the caller and the command: how they came, or what their sign-in leads to; undefined where nothing does. */
export function outOfReach(name: string, reach: CallerReach | undefined): "at-home" | "scope" | undefined {
  if (!reach || reach.isAtHome) return undefined;
  if (atHome.has(name)) return "at-home";
  return ofTenant.has(name) && reach.agentIds !== undefined ? "scope" : undefined;
}

/** Why somebody may not use a command, naming it. */
export function refusalOf(
  { name, refusal, access }: Pick<Command<never>, "name" | "refusal" | "access">,
  prefix: string,
  say: Say,
): string {
  const usual = access === "owner-in-groups" ? "tape.owner-only" : "command.owner-only";
  return say("command.refused", { command: `${prefix}${name}`, reason: say(refusal ?? usual) });
}

/** In a group many talk and one session listens: what changes it for all of them is the owner's. */
export const isForOwnerOnly = ({ destination, person }: CommandContext): boolean =>
  person.role !== "owner" && destination !== null && destination.target.peerKind !== "user";

/** What the product does by itself has no commands. */
const roleOf = (role: TurnPerson["role"]): Role => (role === "owner" ? "owner" : "peer");
