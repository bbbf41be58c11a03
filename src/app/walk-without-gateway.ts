/** The walk of a question in the process that asks it, where no gateway runs: the same as there, without lanes and channels. */
import type { Effects } from "../agent/effects/effects.ts";
import type { TurnWishes } from "../agent/turns/turn-wishes.ts";
import type { Config } from "../config/schema.ts";
import { whenNeeded } from "../infra/when-needed.ts";
import type { Memory } from "../memory/following/memory.ts";
import type { Commands } from "../routing/commands.ts";
import type { Engine } from "../routing/engine.ts";
import { createQuestions, type Ask } from "../routing/questions.ts";
import { createEventRecorder } from "../routing/record-event.ts";
import { walkRow, type RowEnd, type WalkParts } from "../routing/walk-row.ts";
import type { OpenHome, OpenHomeParts } from "../storage/home/open-home.ts";
import type { InboxRow } from "../storage/inbox/inbox.ts";
import { routingSettings } from "../routing/routing-settings.ts";

export interface WalkWithoutGatewayParts {
  openedHome: OpenHome;
  parts: OpenHomeParts;
  config(): Config;
  memory: Pick<Memory, "unconfirmed">;
  effects: { snapshots?: Effects["snapshots"] | undefined };
  engine: Engine;
}

/** The way in for questions that this process runs itself. */
export function questionsWithoutGateway(
  given: WalkWithoutGatewayParts & { wishes?: TurnWishes },
  walk = walkWithoutGateway(given),
): Ask {
  const { openedHome, parts, engine, wishes } = given;
  return createQuestions({
    ...openedHome,
    ...openedHome.stores,
    walk,
    redactor: parts.redactor,
    route: engine.route,
    setups: engine.setups,
    wishes,
  });
}

export function walkWithoutGateway(given: WalkWithoutGatewayParts): (row: InboxRow) => Promise<RowEnd> {
  const { openedHome, parts, config, engine } = given;
  const { stores, defaultAgentId } = openedHome;
  // Most questions are no commands and do without them.
  const commands = whenNeeded(() => openCommands(given));
  const walk: WalkParts = {
    ...stores,
    door: noDoor,
    commands: { run: async (command, context) => (await commands()).run(command, context) },
    // Nothing is offered to anybody: the process that asks runs the turn.
    lanes: { offer: () => {}, abort: async () => false },
    replies: { drafts: () => [] },
    wakeOutbox: () => {},
    say: parts.say,
    recordEvent: createEventRecorder({ entries: stores.entries, redactor: parts.redactor }),
    settings: () => routingSettings(config(), defaultAgentId, engine.setups),
    gather() {
      throw new Error("questions are not gathered");
    },
  };
  return (row) => walkRow(walk, row, { isRecovered: false });
}

async function openCommands(given: WalkWithoutGatewayParts): Promise<Commands> {
  const { openedHome, parts, config, engine, memory, effects } = given;
  const { stores, leases, mirror, clock } = openedHome;
  const { redactor, say } = parts;
  const [
    { createCommands },
    { openCommandServices },
    { createTape },
    { createSessionUndo },
    { createSessionSettings },
    { openRulebook },
    { beginSession },
  ] = await Promise.all([
    import("../routing/commands.ts"),
    import("../gateway/commands/command-services.ts"),
    import("../routing/tape.ts"),
    import("../routing/session-undo.ts"),
    import("../routing/session-settings.ts"),
    import("../agent/open-rulebook.ts"),
    import("../agent/begin-session.ts"),
  ]);
  const { snapshots } = effects;
  return createCommands({
    ...openCommandServices(openedHome, parts, { config, memory, engine }),
    ...nothingRuns,
    say,
    clock,
    entries: stores.entries,
    usage: stores.usage,
    settings: createSessionSettings(stores),
    rulebook: openRulebook(openedHome),
    describeContext: engine.describeContext,
    tape: createTape({ ...stores, leases, mirror, redactor }),
    undo: snapshots && createSessionUndo({ ...stores, snapshots, leases, mirror, redactor }),
    findActive: (workspaceId, sessionKey) => stores.sessions.findActive(workspaceId, sessionKey),
    async beginSession(session) {
      await beginSession(openedHome, session, config().session.reset);
    },
  });
}

const nothingRuns = {
  stop: async () => ({ count: 0, turnId: undefined }),
  lanes: { running: () => [], load: () => ({ running: 0, waiting: 0 }) },
};

const noDoor: WalkParts["door"] = {
  admit: async () => ({ type: "refused", reason: "disabled" }),
  isAdmitted: async () => false,
  isAdmittedByConfig: () => false,
};
