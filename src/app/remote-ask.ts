/** Asks the running gateway. A gateway that goes away in the middle goes on with the turn when it is back, and the caller goes on waiting. */
import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { asPincerError, type MethodParams } from "@pincer/sdk";
import { coreEventOf } from "../client/core-service.ts";
import type { GatewayClient } from "../client/gateway-client.ts";
import type { Clock } from "../infra/clock.ts";
import { languageAt } from "../gateway/connect-to-gateway.ts";
import { failure } from "../infra/failure.ts";
import type { Say } from "../infra/texts.ts";
import { unanswered, type Ask, type AskRequest } from "./ask.ts";
import type { AskAnswer } from "../routing/ask-turn.ts";

export interface RemoteAskParts {
  client: GatewayClient;
  /** Undefined while no gateway listens. */
  reconnect(): Promise<GatewayClient | undefined>;
  say: Say;
  /** The provider that the config names for the agent; asked only when there is no answer to tell it. */
  configured(agentId: string | undefined): Promise<string | undefined>;
  clock: Clock;
  environment: Readonly<Record<string, string | undefined>>;
  cwd: string;
  workdir?: string;
}

const patienceMs = 15_000;
const pauseMs = 200;
/** How often a run that has said nothing yet is looked after. */
const lookMs = 1000;
/** How long an answer to a stop is waited for. */
const stopMs = 5000;

export interface RemoteAsk {
  ask: Ask;
  /** Whether a gateway is there: the one that was, or one that was started since. Throws `gateway/…`. */
  isBack(): Promise<boolean>;
  close(): void;
}

export function createRemoteAsk(parts: RemoteAskParts): RemoteAsk {
  const { say, clock } = parts;
  let client = watched(parts.client);

  return {
    close: () => client.close(),
    async isBack() {
      if (!client.hasEnded()) return true;
      const back = await parts.reconnect();
      if (back) client = watched(back);
      return back !== undefined;
    },
    async ask(request) {
      try {
        return await run(request);
      } catch (thrown) {
        const error = request.signal.aborted
          ? failure("turn/aborted", "failure.aborted", {}, { cause: thrown })
          : asPincerError(thrown);
        return unanswered(request, error, { say, configured: await parts.configured(request.agentId) });
      }
    },
  };

  async function run(request: AskRequest): Promise<AskAnswer> {
    const { input, sessionKey, agentId, wishes, signal, typed, pasted } = request;
    const workdir = wishes.workdir ?? parts.workdir;
    signal.throwIfAborted();
    // Under the same key the question is asked once, also when the first try got lost on the way.
    const question = {
      input,
      ...wishes,
      ...(sessionKey === undefined ? {} : { sessionKey }),
      ...(agentId === undefined ? {} : { agentId }),
      ...(workdir === undefined ? {} : { workdir: resolve(parts.cwd, workdir) }),
      idempotencyKey: randomUUID(),
      typed,
      ...(pasted === undefined ? {} : { pasted: [...pasted] }),
    };
    const { runId } = await persist(
      () =>
        request.continues
          ? client.request("agent.continue", continuation(question))
          : client.request("agent.run", { ...question, language: languageAt(client, parts) }),
      request,
    );
    const giveUp = new AbortController();
    const stop = () => {
      // What the gateway answers is the answer of the turn itself; it is waited for below.
      client.request("agent.abort", { runId }).catch(() => giveUp.abort());
      void clock.sleep(stopMs, giveUp.signal).then(
        () => giveUp.abort(signal.reason),
        () => {},
      );
    };
    const begun = new AbortController();
    const onEvent = (event: string, payload: unknown) => {
      begun.abort();
      tell(request, event, payload);
    };
    void nameApprovalInTheWay(runId, request, begun.signal);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
    try {
      const answer = await persist(
        () => client.request("agent.wait", { runId, stream: true }, { signal: giveUp.signal, onEvent }),
        request,
      );
      return answer as AskAnswer;
    } catch (error) {
      if (asPincerError(error).code !== "gateway/stopped" || signal.aborted) throw error;
      throw failure("gateway/stopped", "ask.kept", { runId }, { hint: "ask.kept.hint", cause: error });
    } finally {
      signal.removeEventListener("abort", stop);
      giveUp.abort();
      begun.abort();
    }
  }

  /** Says once that a turn before it in its session waits for an approval. Never throws: it is a hint, and the answer comes all the same. */
  async function nameApprovalInTheWay(
    runId: string,
    { onWait }: Pick<AskRequest, "onWait">,
    begun: AbortSignal,
  ): Promise<void> {
    try {
      for (;;) {
        await clock.sleep(lookMs, begun);
        const { approvals } = await client.request("approvals.list", { limit: 100, states: ["pending"] });
        if (approvals.length === 0) continue;
        const { run: own } = await client.request("runs.events", { runId });
        if (own.state !== "queued") return;
        const first = approvals.find(({ sessionKey }) => sessionKey === own.sessionKey);
        if (!first || begun.aborted) continue;
        return onWait?.(say("ask.waits-for-approval", { tool: first.tool, id: first.id }));
      }
    } catch {
      // The run has begun, the gateway is gone, or the caller may not see approvals.
    }
  }

  /** Tries again over a new connection when the gateway went away, for as long as a restart takes. */
  async function persist<Answer>(
    work: () => Promise<Answer>,
    { signal, onWait }: Pick<AskRequest, "signal" | "onWait">,
  ): Promise<Answer> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (asPincerError(error).code !== "gateway/stopped" || signal.aborted) throw error;
        onWait?.(say("gateway.waiting"));
        const back = await waitForGateway(signal);
        if (!back) throw error;
        client = watched(back);
      }
    }
  }

  async function waitForGateway(signal: AbortSignal): Promise<GatewayClient | undefined> {
    for (const until = clock.monotonic() + patienceMs; ;) {
      const back = await parts.reconnect().catch(() => undefined);
      if (back || clock.monotonic() >= until) return back;
      await clock.sleep(pauseMs, signal);
    }
  }
}

/** A client that knows whether its gateway is still at the other end. */
function watched(client: GatewayClient): GatewayClient & { hasEnded(): boolean } {
  let ended = false;
  void client.closed.then(() => (ended = true));
  return { ...client, hasEnded: () => ended };
}

/** A turn goes on in its session, with the memory that it has, and where it worked. */
function continuation({
  newSession: _session,
  memory: _memory,
  workdir: _workdir,
  dryRun: _dryRun,
  ...rest
}: MethodParams<"agent.run"> & { idempotencyKey: string }): MethodParams<"agent.continue"> {
  return rest;
}

function tell({ onEvent }: AskRequest, event: string, payload: unknown): void {
  const told = coreEventOf(event, payload);
  if (told) onEvent?.(told);
}
