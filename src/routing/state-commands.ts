/** Commands that show state: of the session, of usage, of the person who asks. */
import { timestamp, type Clock } from "../infra/clock.ts";
import type { Say } from "../infra/texts.ts";
import { usageWords } from "../infra/usage-words.ts";
import type { SessionRecord } from "../storage/stores.ts";
import { noTotals, type UsageStore } from "../storage/usage/usage.ts";
import { answered, type Command, type CommandContext, type CommandResult } from "./command.ts";
import type { Lanes } from "./lanes.ts";

export interface StateCommandParts {
  say: Say;
  findActive(workspaceId: string, sessionKey: string): Promise<SessionRecord | undefined>;
  lanes: Pick<Lanes, "running" | "load">;
  usage: Pick<UsageStore, "totals">;
  clock: Clock;
}

type Parts = StateCommandParts;

const tells = { aliases: [], group: "about", usage: "", access: "anyone", arguments: [] } as const;

export const stateCommands: ReadonlyArray<Command<Parts>> = [
  {
    name: "status",
    ...tells,
    help: "command.about.status",
    run: (parts, { context }) => status(parts, context),
  },
  {
    name: "usage",
    ...tells,
    help: "command.about.usage",
    run: (parts, { context }) => usage(parts, context, "usage"),
  },
  {
    name: "cost",
    ...tells,
    help: "command.about.cost",
    run: (parts, { context }) => usage(parts, context, "cost"),
  },
  {
    name: "whoami",
    ...tells,
    help: "command.about.whoami",
    run: async ({ say }, { context }) => answered(whoami(say, context)),
  },
];

async function status(parts: Parts, { session, person }: CommandContext): Promise<CommandResult> {
  const { say } = parts;
  const { workspaceId, sessionKey, agentId } = session;
  const active = await parts.findActive(workspaceId, sessionKey);
  const isRunning = parts.lanes.running().some((turn) => turn.sessionKey === sessionKey);
  const state = say(isRunning ? "routing.command.status.running" : "routing.command.status.idle");
  const messages = active?.messageCount ?? 0;
  const own = say("routing.command.status", { agentId, sessionKey, messages, state });
  // How busy the others are is nobody else's business.
  if (person.role !== "owner") return answered(own);
  return answered(`${own}\n${say("routing.command.status.load", parts.lanes.load())}`);
}

/** What others use together is the owner's business. */
async function usage(
  parts: Parts,
  { session, person }: CommandContext,
  kind: "usage" | "cost",
): Promise<CommandResult> {
  const active = await parts.findActive(session.workspaceId, session.sessionKey);
  const own = active
    ? await parts.usage.totals({ type: "session", sessionId: active.sessionId })
    : noTotals();
  const day = timestamp(parts.clock).slice(0, 10);
  const all =
    person.role === "owner"
      ? {
          today: await parts.usage.totals({ type: "day", day }),
          month: await parts.usage.totals({ type: "month", month: day.slice(0, 7) }),
        }
      : {};
  return answered(usageWords({ session: own, ...all }, kind, parts.say));
}

function whoami(say: Say, { session, person, rule }: CommandContext): string {
  const role = say(person.role === "owner" ? "routing.command.role.owner" : "routing.command.role.peer");
  const name = person.name ? `${person.name} (${person.id})` : person.id;
  const { agentId, sessionKey } = session;
  return say("routing.command.whoami", { person: name, role, agentId, sessionKey, rule });
}
