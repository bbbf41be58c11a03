/**
 * A turn that nobody asked for, played through when the gateway has nothing to do: what runs for the first time has to be loaded and
 * compiled, and whoever writes first would wait for that. The stage is a database without a file and a provider that is not there; of what
 * is played on it nothing is left, here or elsewhere.
 */
import { defaultScope, protocolVersion, type MethodName } from "@pincer/sdk";
import { createEventBus } from "../gateway/event-bus.ts";
import { createRpc, type Rpc } from "../gateway/rpc.ts";
import { timestamp } from "../infra/clock.ts";
import { ownerCaller } from "../policy/caller.ts";
import { createMemoryStores } from "../storage/memory-stores.ts";
import { openSessions } from "../storage/home/open-sessions.ts";
import { noMemory } from "../memory/following/no-memory.ts";
import type { ModelServices } from "../agent/models/model-services.ts";
import type { AskAnswer } from "../routing/ask-turn.ts";
import { createAgentMethods } from "../gateway/methods/agent-methods.ts";
import type { Outgoing } from "./build-outgoing.ts";
import type { Effects } from "../agent/effects/effects.ts";
import { noEffects } from "../agent/effects/no-effects.ts";
import { buildTurns } from "./build-turns.ts";
import type { GatewayContext } from "./gateway-context.ts";
import type { GatewayLog } from "../gateway/logs/gateway-log.ts";

export interface RehearsalParts {
  gatewayContext: GatewayContext;
  outgoing: Outgoing;
  room: Pick<ModelServices, "rehearsal">;
  /** Its tools are shown to the model, and none is called. */
  effects: Pick<Effects, "toolsIn" | "stamp">;
  /** Programs ask over HTTP, too: that is played as well. */
  isServed: boolean;
  /** Aborts when the gateway stops. */
  signal: AbortSignal;
}

/** Whether it went all the way. Never throws: what is wrong the first turn will say. */
export async function rehearse({
  gatewayContext,
  outgoing,
  room,
  effects: { toolsIn, stamp },
  isServed,
  signal,
}: RehearsalParts): Promise<boolean> {
  const { openedHome, parts, config } = gatewayContext;
  const { clock, ids, home, tenantId, workspaceId, defaultAgentId } = openedHome;
  const database = createMemoryStores({ clock, ids });
  let stage: ReturnType<typeof buildTurns> | undefined;
  try {
    const stores = database.tenant(tenantId);
    await stores.directory.ensure({
      tenant: { name: "rehearsal", plan: config().edition },
      workspace: { id: workspaceId, name: "rehearsal" },
      agent: { id: defaultAgentId, name: defaultAgentId },
    });
    const { leases } = openSessions({ stores, home, clock, ids });
    stage = buildTurns(
      {
        ...gatewayContext,
        openedHome: { ...openedHome, database, stores, leases, mirror: async () => {} },
        log: silentLog,
        trouble() {},
      },
      { ...outgoing, wake() {}, notifier: { look() {}, idle: async () => {} } },
      {
        models: [],
        tools: [],
        connected: room.rehearsal(stores.usage),
        memory: noMemory,
        effects: { ...noEffects, toolsIn, stamp },
        wishes: { workdir: parts.cwd },
        received() {},
      },
    );
    const { engine, lanes } = stage;
    await lanes.recover();
    const rpc = createRpc({
      methods: createAgentMethods({
        engine,
        lanes,
        turns: stores.turns,
        entries: stores.entries,
        home: defaultScope,
        clock,
        say: parts.say,
        stopping: signal,
      }),
      about: {
        version: "",
        pid: process.pid,
        startedAt: timestamp(clock),
        language: () => config().language,
      },
      hide: (payload) => parts.redactor.values(payload),
      bus: createEventBus({ clock }),
      clock,
      log: { warn() {}, error() {} },
    });
    const request = asker(rpc);
    await request("connect", { protocol: protocolVersion, client: { name: "rehearsal", version: "" } });
    const { runId } = (await request("agent.run", {
      input: "How are you?",
      idempotencyKey: "rehearsal",
    })) as { runId: string };
    const answer = (await request("agent.wait", { runId })) as AskAnswer;
    if (answer.stage !== "done") return false;
    if (isServed) {
      const { rehearseChat } = await import("./rehearse-chat.ts");
      await rehearseChat({ engine, lanes, stores, gatewayContext, stopping: signal });
    }
    // The stage was asked what the house will be asked.
    if (!signal.aborted) openedHome.database.prepare(database.prepared());
    return true;
  } catch {
    // It does not work, or the gateway stops: nobody waited for it.
    return false;
  } finally {
    await stage?.lanes.drain(0);
    await database.close();
  }
}

/** What is played is nobody's run. */
const silentLog: GatewayLog = { debug() {}, note() {}, info() {}, warn() {}, error() {}, close() {} };

/** Speaks to it as a client does, without a socket. */
function asker(rpc: Rpc): (method: MethodName, params: object) => Promise<unknown> {
  const answers = new Map<string, PromiseWithResolvers<unknown>>();
  const connection = rpc.open(
    (frame) => {
      if (frame.type !== "res") return;
      if (frame.ok) answers.get(frame.id)?.resolve(frame.payload);
      else answers.get(frame.id)?.reject(new Error(frame.error.message));
    },
    { caller: ownerCaller(defaultScope.tenantId, "socket") },
  );
  return (method, params) => {
    const answer = Promise.withResolvers<unknown>();
    const id = `r${answers.size}`;
    answers.set(id, answer);
    connection.receive(JSON.stringify({ type: "req", id, method, params }));
    return answer.promise;
  };
}
