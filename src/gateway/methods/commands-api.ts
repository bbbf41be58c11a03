/** The commands of a chat, for whoever holds the home: at a terminal, on a page. The same ones, from the same registry, as on channels. */
import type { Config } from "../../config/schema.ts";
import { failure } from "../../infra/failure.ts";
import type { Redactor } from "../../infra/redactor.ts";
import { createSay, type Say } from "../../infra/texts.ts";
import type { Caller } from "../../policy/caller.ts";
import { permissionOfCommand } from "../../policy/permission-points.ts";
import { commandFacts, findCommand } from "../../routing/command-registry.ts";
import { createCommands, parseCommand, type CommandParts } from "../../routing/commands.ts";
import type { CommandServices } from "../../routing/router.ts";
import { createSessionSettings } from "../../routing/session-settings.ts";
import { createSessionUndo } from "../../routing/session-undo.ts";
import { createTape } from "../../routing/tape.ts";
import type { Snapshots } from "../../sandbox/snapshots/snapshots.ts";
import type { OpenSession, SessionRecord } from "../../storage/stores.ts";
import { beginSession } from "../../agent/begin-session.ts";
import { terminalMarks } from "../../routing/commands/terminal-commands.ts";
import type { OpenHome } from "../../storage/home/open-home.ts";
import { openRulebook } from "../../agent/open-rulebook.ts";
import type { Api } from "./api.ts";
import { routeOf, type FindSessionParts } from "./find-session.ts";
import { usageWithin } from "./usage-within.ts";

export interface CommandsApiParts extends FindSessionParts {
  openedHome: FindSessionParts["openedHome"] & Pick<OpenHome, "leases" | "mirror" | "clock" | "home" | "ids">;
  config(): Config;
  say: Say;
  redactor: Pick<Redactor, "text">;
  describeContext: CommandParts["describeContext"];
  /** Left out where what turns change is not kept. */
  snapshots: Pick<Snapshots, "list" | "find" | "undo"> | undefined;
  /** Made when somebody asks for it: it takes what it takes to run turns. */
  room(): Promise<CommandServices & { workdirOf(agentId: string): string }>;
  /** What runs here; left out where nothing does. */
  live?: Pick<CommandParts, "stop" | "lanes"> | undefined;
}

const owner = { role: "owner" as const, id: "cli:owner" };
const nothingRuns: Pick<CommandParts, "stop" | "lanes"> = {
  stop: async () => ({ count: 0, turnId: undefined }),
  lanes: { running: () => [], load: () => ({ running: 0, waiting: 0 }) },
};

export function createCommandsApi(parts: CommandsApiParts): Api<"commands"> {
  const { openedHome, config, redactor, snapshots } = parts;
  const { stores, leases, mirror, clock, workspaceId } = openedHome;
  const tape = createTape({ ...stores, leases, mirror, redactor });
  const undo = snapshots && createSessionUndo({ ...stores, snapshots, leases, mirror, redactor });
  const routed = (idOrKey: string | undefined) =>
    routeOf(idOrKey === undefined ? {} : { sessionKey: idOrKey }, parts);

  /** By id or key; without one, the main session. Undefined where it has not begun. */
  async function find(idOrKey: string | undefined): Promise<SessionRecord | undefined> {
    const byId = idOrKey === undefined ? undefined : await stores.sessions.get(idOrKey);
    return byId ?? stores.sessions.findActive(workspaceId, routed(idOrKey).sessionKey);
  }

  async function placeOf(
    idOrKey: string | undefined,
    found: SessionRecord | undefined,
    workdirOf: (agentId: string) => string,
  ): Promise<{ session: OpenSession; rule: string }> {
    if (found) {
      const { sessionKey, agentId, origin } = found;
      const first = await stores.entries.at(found.sessionId, 1);
      const cwd = first?.type === "session" ? first.cwd : "";
      return { session: { sessionKey, workspaceId, agentId, origin, cwd }, rule: routed(sessionKey).rule };
    }
    const { sessionKey, agentId, rule } = routed(idOrKey);
    const session = { sessionKey, workspaceId, agentId, origin: { channel: "cli" } };
    return { session: { ...session, cwd: workdirOf(agentId) }, rule };
  }

  return {
    async list({ language }) {
      return { commands: commandFacts(language ? createSay(language) : parts.say) };
    },
    async run({ sessionKey: idOrKey, line, language }, until) {
      const command = parseCommand(line, terminalMarks);
      if (!command) return { name: null, output: "", turn: { continues: false, wishes: {} } };
      if (!isWithinReach(command.name, until?.caller)) throw tooFar(command.name);
      const found = await find(idOrKey);
      if (found?.state === "ended" && changesSession(command.name)) throw isOver(found);
      const room = await parts.room();
      const commands = createCommands({
        ...room,
        ...(parts.live ?? nothingRuns),
        say: language ? createSay(language) : parts.say,
        findActive: async () => found,
        entries: stores.entries,
        usage: usageWithin(stores.usage, until?.caller?.scope),
        clock,
        tape,
        undo,
        settings: createSessionSettings(stores),
        rulebook: openRulebook(openedHome),
        describeContext: parts.describeContext,
        async beginSession(session) {
          await beginSession(openedHome, session, config().session.reset);
        },
      });
      const place = await placeOf(idOrKey, found, room.workdirOf);
      const { output, ...then } = await commands.run(command, {
        ...place,
        person: owner,
        destination: null,
        // Each line is a message of its own: what the same one undoes is undone once.
        input: openedHome.ids.make("q"),
        receivedAt: new Date(clock.now()).toISOString(),
      });
      const isForTurn = then.enterModel || then.goesOn === true;
      const turn = isForTurn ? { continues: then.goesOn === true, wishes: then.options ?? {} } : null;
      return { name: command.name, output, turn };
    },
  };
}

/** These let in and put out as the owner at home does: whoever came by another door hands on no more than they have, which is the affair of `access.*`. */
const atHome: ReadonlySet<string> = new Set(["signin", "browsers"]);
/** These reach every agent. */
const ofTenant: ReadonlySet<string> = new Set(["approvals", "approve", "deny", "config"]);

function isWithinReach(given: string, caller: Caller | undefined): boolean {
  const name = findCommand(given)?.name ?? given;
  if (caller === undefined || caller.way === "socket") return true;
  return !atHome.has(name) && !(ofTenant.has(name) && caller.scope.type === "agent");
}

const tooFar = (command: string) =>
  failure("permission/missing", "permission.command", { command }, { hint: "permission.command.hint" });

/** One that is over is only read. */
function changesSession(name: string): boolean {
  const group = findCommand(name)?.group;
  return (group === "tape" || group === "answers") && permissionOfCommand(name) !== null;
}

const isOver = ({ sessionId }: SessionRecord) =>
  failure("usage/bad-argument", "tape.ended", { sessionId }, { hint: "tape.ended.hint" });
