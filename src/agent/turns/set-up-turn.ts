/** What a turn is run with: model, tools and limits, from the current config and the wishes of the caller. */
import type { Model, ToolCallBlock } from "@pincer/sdk";
import { stepLimit } from "../agent-settings.ts";
import { askModel } from "../ask-model.ts";
import { promptTexts } from "../prompt/trusted-text.ts";
import { createReader } from "../reader/reader.ts";
import type { TurnSetup } from "../turn-runner.ts";
import { merge } from "../../config/config-layers.ts";
import type { Config } from "../../config/schema.ts";
import { failure } from "../../infra/failure.ts";
import type { Clock } from "../../infra/clock.ts";
import type { ModelWish } from "../../models/choose-model.ts";
import type { ManualCallParts } from "../../models/manual-tool-calls.ts";
import { gateReason } from "../../infra/gate-reasons.ts";
import type { ToolRule } from "../../policy/tool-access.ts";
import type { DryCopies } from "../../sandbox/dry-copies.ts";
import type { TurnPlace } from "../../sandbox/snapshots/snapshots.ts";
import type { WallChoice } from "../../sandbox/walls/wall.ts";
import type { SessionRecord } from "../../storage/stores.ts";
import type { TurnRecord } from "../../storage/turns/turns.ts";
import type { AgentInstance, AgentRegistry, AgentTools } from "../agents/agent-registry.ts";
import type { ToolSet } from "../../tools/tool-set.ts";
import { timeNote } from "../context/notes.ts";
import type { AskWithoutTools, TurnGate } from "../../gate/turn-gate.ts";
import type { DryRun } from "../../gate/dry-run.ts";
import type { ShownText } from "../../gate/call-context.ts";
import type { HandleSettings } from "../../gate/labels/earlier-turns.ts";
import type { DescribedTurn } from "../context/describe-context.ts";
import type { Conversation, TurnContexts } from "../context/turn-contexts.ts";
import { gateTools, type CallPlace, type GatedTools } from "../../gate/gated-tools.ts";
import { gateTurn } from "../../gate/gate-turn.ts";
import { filesByWord, filesNamed } from "../../gate/grants/files-named.ts";
import type { ExplainedCall, NamedTool } from "../../gate/weigh-call.ts";
import { instructionWords, withInstructions } from "./caller-instructions.ts";
import { requireOtherNames, withClientTools } from "./client-tools.ts";
import type { TurnWishes } from "./turn-wishes.ts";
import { createWrittenCalls } from "./written-calls.ts";

/** What a model is asked for. */
export interface ModelPurpose {
  turn: Pick<TurnRecord, "sessionKey" | "startedAt"> & { turnId: string | null };
  session: { sessionId: string };
}

/** Who answers a turn. */
export interface TurnModels {
  /** Throws PincerError `model/not-connected` for a wish that cannot be met. */
  check(agent: AgentInstance, wish: ModelWish): Promise<void>;
  /** Throws likewise; without a wish there is always one. `byHand` is about the calls that people write themselves. */
  open(
    agent: AgentInstance,
    wish: ModelWish,
    purpose: ModelPurpose,
    byHand?: Pick<ManualCallParts, "line" | "runsCalls" | "onCall">,
  ): Promise<Model>;
}

export interface TurnSetupParts {
  config(): Config;
  clock: Clock;
  agents: AgentRegistry;
  models: TurnModels;
  contexts: TurnContexts;
  /** Takes what a tool has to say after its turn went on. */
  late(turn: TurnRecord, call: ToolCallBlock, text: string, id: string): Promise<void>;
  /** What a turn's calls are judged by, and who is asked. */
  gate: TurnGate;
  /** Where dry runs change files; left out where nothing runs: then they change none. */
  dryRuns?: DryRunParts | undefined;
  /** Keeps what a call of a turn may change, so that it can be undone. Throws: then it must not run. */
  keep(place: TurnPlace, changes: readonly string[] | "anything", signal: AbortSignal): Promise<void>;
}

export interface DryRunParts {
  copies: Pick<DryCopies, "workdirOf" | "isMade" | "make">;
  wall(): Promise<WallChoice>;
}

export interface TurnSetups {
  /** Throws PincerError for a wish that cannot be met; asked before a turn is queued. Answers where it will work, and with which tools. */
  check(agentId: string, wishes: TurnWishes): Promise<{ workdir: string; tools: ToolSet }>;
  /** Throws PincerError likewise: the config may have changed since. */
  setUp(turn: TurnRecord, session: SessionRecord, wishes: TurnWishes): Promise<TurnSetup>;
  /** What a turn of the session would be run with now. Throws PincerError. */
  describe(
    agentId: string,
    request: Omit<Conversation, "agent"> & { session: SessionRecord | undefined },
  ): Promise<Pick<DescribedTurn, "model" | "tools" | "context">>;
  /** What the gate would make of a call in the session as it is now; `last` is its newest turn. Throws PincerError. */
  explain(
    agentId: string,
    request: Omit<Conversation, "agent"> & {
      session: SessionRecord | undefined;
      last: TurnRecord | undefined;
    },
    call: ToolCallBlock | NamedTool,
  ): Promise<ExplainedCall>;
  /** The tools that the owner of the home may run by hand, without a turn; snapshots of their changes go under `id`. Throws PincerError. */
  byHand(agentId: string, place: Omit<Conversation, "agent">, id: string): Promise<GatedTools>;
  /** For a turn from a channel: what the gateway's layers say. */
  wishesOf(channel: string): TurnWishes;
  /** Where the agent works, made if need be. Throws PincerError. */
  workdirOf(agentId: string): string;
  /** The same, whether it is there or not. */
  workdirPathOf(agentId: string): string;
  /** Of all agents that the config names, whether they are there or not. */
  workdirPaths(): string[];
}

interface ShownIn {
  workdir: string;
  bound: AgentTools;
  turn: ModelPurpose["turn"];
  session: SessionRecord | undefined;
  later?: CallPlace["later"];
  /** The turn that is run; left out where one is only looked at. */
  run?: TurnRecord;
}

export function createTurnSetups({
  config,
  clock,
  agents,
  models,
  contexts,
  late,
  keep,
  dryRuns,
  gate: turnGate,
}: TurnSetupParts): TurnSetups {
  function place(
    agentId: string,
    wishes: TurnWishes,
  ): { agent: AgentInstance; workdir: string; bound: AgentTools } {
    const agent = agents.get(agentId);
    const workdir = agent.workdir(wishes.workdir);
    const bound = agent.toolsIn(workdir);
    const missing = (wishes.tools?.allow ?? []).filter((name) => !bound.tools.find(name));
    if (missing.length > 0) throw noSuchTools(missing);
    requireOtherNames(bound.tools, wishes.clientTools ?? []);
    return { agent, workdir, bound };
  }

  const keeping =
    (turn: { turnId: string; sessionKey: string }, { agentId }: AgentInstance, workdir: string) =>
    async (changes: readonly string[] | "anything", signal: AbortSignal, isTainted: boolean) =>
      keep(
        { turnId: turn.turnId, sessionKey: turn.sessionKey, agentId, workdir, isTainted },
        changes,
        signal,
      );

  /** What a dry run changes, it changes in a copy. */
  function dryRunOf(turnId: string, agent: AgentInstance, workdir: string): DryRun {
    if (!dryRuns) return { isWalled: async () => false, inCopy: noCopies, copied: async () => undefined };
    const { copies, wall } = dryRuns;
    const executor = () => agent.toolsIn(copies.workdirOf(turnId)).executor;
    return {
      isWalled: async () => (await wall()).type === "walled",
      async inCopy(signal) {
        await copies.make(turnId, workdir, signal);
        return executor();
      },
      copied: async () => ((await copies.isMade(turnId)) ? executor() : undefined),
    };
  }

  /** The planner's and the writer's model: the config's, or that of the turn. */
  async function plannerFor(
    { agent, wishes }: Pick<Conversation, "agent" | "wishes">,
    purpose: ModelPurpose,
    turns: Model,
  ): Promise<Model> {
    const wanted = config().policy.planner.model;
    if (wanted === undefined) return turns;
    return models.open(agent, { ...wishes, model: wanted }, purpose).catch(() => turns);
  }

  /** Who answers, with which tools, being told what. */
  async function show(conversation: Conversation, { workdir, bound, turn, session, later, run }: ShownIn) {
    const { agent, sessionKey, destination, person, wishes } = conversation;
    const purpose = { turn, session: { sessionId: session?.sessionId ?? "" } };
    const written = createWrittenCalls();
    const byHand = { line: wishes.shellLine, runsCalls: person.role !== "system", onCall: written.note };
    const [model, gate] = await Promise.all([
      models.open(agent, wishes, purpose, byHand),
      contexts.gateFor(conversation),
    ]);
    const rules = [...runRules(wishes), ...agent.settings.toolRules, ...gate.rules];
    let prompt: readonly ShownText[] = [];
    let handles: HandleSettings | undefined;
    const without =
      (asked: Model): AskWithoutTools =>
      (ask, signal) =>
        askModel(asked, { ...ask, tools: [], signal, clock, onEvent: undefined });
    const reader = createReader({ ask: without(model) });
    const isDry = wishes.dryRun === true && turn.turnId !== null;
    const { gated, judged } = gateTurn({
      gate: turnGate,
      bound,
      rules,
      turn: run &&
        session && {
          run,
          session,
          turnId: run.turnId,
          sessionId: session.sessionId,
          firstSeq: run.firstSeq,
          filesNamed: (text) => filesNamed(bound.agentWorkspace.files, text),
          filesByWord: (text) => filesByWord(bound.agentWorkspace.files, text),
          labelOfFile: async (path) => {
            const { files, labels } = bound.agentWorkspace;
            return labels?.of([(await files.version(path)).version]);
          },
          files: bound.agentWorkspace.files,
          isOwners: gate.place.userRoles.includes("owner"),
          isGroup: gate.place.chatType === "group",
          maxMessages: agent.settings.maxContextMessages,
          prompt: () => prompt,
          handles: () => handles,
          now: timeNote(run.queuedAt, agent.context.timezone) ?? "",
          ask:
            model.provider === "stub" ? undefined : without(await plannerFor(conversation, purpose, model)),
          read: (request, signal) => reader.read(request, signal),
        },
      place: {
        ...(isDry && { dryRun: dryRunOf(turn.turnId ?? "", agent, workdir) }),
        read: reader.read,
        sessionKey,
        workdir,
        visibility: gate.place,
        rulesNow: gate.rulesNow,
        conversation: destination ?? undefined,
        later,
        turnId: turn.turnId ?? undefined,
        byHand: written.take,
        snapshot:
          turn.turnId === null || isDry
            ? undefined
            : keeping({ ...turn, turnId: turn.turnId }, agent, workdir),
      },
    });
    const tools = withClientTools(gated, wishes.clientTools);
    const { agentWorkspace } = bound;
    const { standing } = gate;
    const told = {
      model,
      session,
      tools: tools.descriptions,
      agentWorkspace,
      standing,
      isRun: turn.turnId !== null,
    };
    const context = withInstructions(await contexts.setUp(conversation, told), wishes);
    prompt = [...promptTexts(context.prompt), ...instructionWords(conversation)];
    handles = context.view.handles;
    return { model, tools, context, guard: judged.guard };
  }

  return {
    workdirOf: (agentId) => agents.get(agentId).workdir(),
    workdirPathOf: (agentId) => agents.get(agentId).workdirPath(),
    workdirPaths: () => [...new Set(agents.named().map((agent) => agent.workdirPath()))],
    async check(agentId, wishes) {
      const { agent, workdir, bound } = place(agentId, wishes);
      await models.check(agent, wishes);
      return { workdir, tools: bound.tools };
    },
    async setUp(turn, session, wishes) {
      const { sessionKey, destination, person } = turn;
      const { agent, workdir, bound } = place(turn.agentId, wishes);
      const { settings } = agent;
      const later: CallPlace["later"] = (call, text, id) => late(turn, call, text, id);
      const shown = await show(
        { agent, sessionKey, destination, channel: turn.origin.channel, person, wishes },
        { workdir, bound, turn, session, later, run: turn },
      );
      return {
        ...shown,
        maxSteps: stepLimit(config(), settings, {
          channel: turn.origin.channel,
          attended: wishes.attended,
          maxSteps: wishes.tools?.maxSteps,
        }),
        maxRepeatedCalls: settings.maxRepeatedCalls,
        voice: { reasoning: reasoningFor(turn, settings.reasoning), blockBreak: settings.blockBreak },
        maxAnswerCharacters: settings.maxAnswerCharacters,
        ...(wishes.compact && { compact: wishes.compact }),
      };
    },
    async describe(agentId, { session, ...request }) {
      const { agent, workdir, bound } = place(agentId, request.wishes);
      const turn = { turnId: null, sessionKey: request.sessionKey, startedAt: null };
      return show({ agent, ...request }, { workdir, bound, turn, session });
    },
    async explain(agentId, { session, last, ...request }, call) {
      const { agent, workdir, bound } = place(agentId, request.wishes);
      const turn = { turnId: null, sessionKey: request.sessionKey, startedAt: null };
      const run = last && session && last.sessionId === session.sessionId ? { run: last } : {};
      const { tools } = await show({ agent, ...request }, { workdir, bound, turn, session, ...run });
      return tools.explain(call);
    },
    async byHand(agentId, request, id) {
      const { agent, workdir, bound } = place(agentId, request.wishes);
      const gate = await contexts.gateFor({ agent, ...request });
      return gateTools(bound, [...agent.settings.toolRules, ...gate.rules], {
        sessionKey: request.sessionKey,
        workdir,
        visibility: gate.place,
        rulesNow: gate.rulesNow,
        byHand: () => "call",
        snapshot: keeping({ turnId: id, sessionKey: request.sessionKey }, agent, workdir),
      });
    },
    wishesOf(channel) {
      const { default: all, channels } = config().gateway;
      const own = Object.hasOwn(channels, channel) ? channels[channel] : {};
      const layer = merge(all, own) as Config["gateway"]["default"];
      return {
        ...(layer.provider ? { provider: layer.provider } : {}),
        ...(layer.profile ? { credential: layer.profile } : {}),
        ...(layer.memory === undefined ? {} : { memory: layer.memory }),
        tools: {
          enabled: layer.withTools,
          allow: layer.toolAllow ?? [],
          ...(layer.toolMaxSteps === undefined ? {} : { maxSteps: layer.toolMaxSteps }),
        },
      };
    },
  };
}

const noCopies = () => Promise.reject(new Error("there is no copy of the workdir for a dry run here"));

/** A network has no place for thoughts beside the words: there they are part of the reply. */
const reasoningFor = (
  { destination }: Pick<TurnRecord, "destination">,
  wanted: "off" | "on" | "stream",
): "off" | "on" | "stream" => (wanted === "stream" && destination ? "on" : wanted);

/** What this one run is limited to, whatever the config says besides. */
export function runRules({ tools }: TurnWishes): ToolRule[] {
  if (!tools) return [];
  const only: ToolRule = { type: "only", source: "--tool-allow", names: tools.allow };
  return tools.enabled
    ? [only]
    : [{ type: "off", source: "--no-with-tools", names: [], why: gateReason("tools-off") }];
}

/** A slip in the list would allow less than was meant, and nobody would know why. */
const noSuchTools = (names: string[]) =>
  failure(
    "tool/not-found",
    "failure.no-tool-to-allow",
    { name: names.join(", ") },
    { hint: "failure.no-tool.hint" },
  );
