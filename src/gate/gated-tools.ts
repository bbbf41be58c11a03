/** The tools that one run may see and use. The same policy decides which are shown and which may run. */
import { randomUUID } from "node:crypto";
import {
  toolFailure,
  type ReadAnswer,
  type ReadRequest,
  type Tool,
  type ToolCallBlock,
  type ToolCallContext,
  type ToolDescription,
  type ToolResult,
} from "@pincer/sdk";
import { decide, type PolicyObject } from "../policy/decide.ts";
import type { Decision } from "../policy/decision.ts";
import type { Provenance } from "../policy/provenance/provenance.ts";
import type { ToolRule } from "../policy/tool-access.ts";
import type { ToolExecutor } from "../tools/tool-executor.ts";
import type { ToolSet } from "../tools/tool-set.ts";
import type { Admission } from "./admission.ts";
import { approvalQuestion, describeCall } from "./approval-question.ts";
import type { CallApprovals } from "./call-approvals.ts";
import { createWeighing, type ExplainedCall, type NamedTool, type WeighingPlace } from "./weigh-call.ts";

export interface GatedTools {
  descriptions: ToolDescription[];
  /** The decision about every tool before any call, including tools that are not shown. */
  standings(): Array<{ tool: Tool; decision: Decision }>;
  /** True also for unknown tools: a call that cannot run can be repeated. */
  isIdempotent(block: ToolCallBlock): boolean;
  acts(block: ToolCallBlock): boolean;
  /** Never throws: a call that may not run is refused with the reason. */
  admit(block: ToolCallBlock, signal: AbortSignal, asking?: "nobody"): Promise<Admission>;
  /** The policy's decision about a call, and why. Nothing runs, and nobody is asked. Throws what the storage does. */
  explain(block: ToolCallBlock | NamedTool): Promise<ExplainedCall>;
  /** Admits and runs a call that a person made. Never throws. */
  call(block: ToolCallBlock, signal: AbortSignal): Promise<ToolResult>;
}

/** Where the calls of a run are made, and for whom. */
export interface CallPlace extends WeighingPlace {
  sessionKey: string;
  /** Receives a result that arrives after the call has returned; equal ids are one result. */
  later?: ((block: ToolCallBlock, text: string, id: string) => Promise<void>) | undefined;
  /** The turn that makes the calls; left out when a person runs a tool. */
  turnId?: string | undefined;
  /** Whether a person wrote this call, and how. */
  byHand?(call: ToolCallBlock): ToolCallContext["byHand"];
  /** Snapshots the files that a call may change, so that it can be undone. If it throws, the call does not run. */
  snapshot?: ((changes: readonly string[] | "anything", signal: AbortSignal) => Promise<void>) | undefined;
  /** Reads an untrusted document with a model that has no tools; left out if there is none. */
  read?: ((request: ReadRequest, signal: AbortSignal) => Promise<ReadAnswer>) | undefined;
  /** Ends the run before a call that exceeds a limit; returns the reason for people. Never throws. */
  breaker?: ((tool: Tool, input: unknown) => Promise<string | undefined>) | undefined;
  /** Called with every call that was denied or needs approval. Never throws. */
  decided?: ((call: ToolCallBlock, decision: Decision) => Promise<void>) | undefined;
}

export function gateTools(
  { tools, executor }: { tools: ToolSet; executor: ToolExecutor },
  rules: readonly ToolRule[],
  where: CallPlace,
): GatedTools {
  const { sessionKey, conversation, later, visibility: place, turnId, snapshot, approvals, read } = where;
  const weighing = createWeighing({ tools, executor }, rules, where);

  return {
    descriptions: standings()
      .filter(({ decision }) => decision.verdict === "allow")
      .map(({ tool: { name, description, input } }) => ({ name, description, parameters: input })),
    standings,
    isIdempotent: (block) => tools.find(block.name)?.idempotent ?? true,
    acts: (block) => (tools.find(block.name)?.effect ?? "read") !== "read",
    admit,
    explain: weighing.explain,
    async call(block, signal) {
      const admission = await admit(block, signal);
      if (admission.type === "run") return admission.run(signal);
      if (admission.type === "refused") return admission.result;
      return toolFailure("execution_error", `${block.name} may not run`);
    },
  };

  function standings(): ReturnType<GatedTools["standings"]> {
    return tools.all().map((tool) => ({ tool, decision: decide({ place, rules }, "show", { tool }) }));
  }

  async function admit(block: ToolCallBlock, signal: AbortSignal, asking?: "nobody"): Promise<Admission> {
    try {
      return await judge(block, signal, asking === "nobody" ? undefined : approvals);
    } catch (error) {
      // What cannot be looked up cannot be allowed.
      const reason = error instanceof Error ? error.message : String(error);
      return refused(`${block.name} may not run: the rules could not be read: ${reason}`);
    }
  }

  async function judge(
    block: ToolCallBlock,
    signal: AbortSignal,
    approvals: CallApprovals | undefined,
  ): Promise<Admission> {
    const weighed = await weighing.weigh(block, where.byHand?.(block));
    if (weighed.type === "failed") return { type: "refused", result: weighed.result };
    const { object, decision, byHand, provenance } = weighed;
    if (decision.verdict === "deny") return deny(block, decision);
    const isApproved = weighed.subject.isOwnersCall === true || decision.rule.layer === "grant";
    const exact = decision.rule.layer === "grant" ? object.description?.exact : undefined;
    const runs = {
      byHand,
      provenance: provenance ?? where.provenance,
      isApproved,
      ...(exact !== undefined && { exact }),
    };
    if (decision.verdict === "allow")
      return refuseIfLimitReached(object, { type: "run", run: (until) => run(block, runs, until) });
    return askOwner({ block, object, decision, runs, approvals }, signal);
  }

  async function askOwner(
    {
      block,
      object,
      decision,
      runs,
      approvals,
    }: {
      block: ToolCallBlock;
      object: PolicyObject;
      decision: Decision;
      runs: Runs;
      approvals: CallApprovals | undefined;
    },
    signal: AbortSignal,
  ): Promise<Admission> {
    if (!approvals) {
      void where.decided?.(block, decision);
      return refused(`${block.name} may not run without the owner's approval: ${decision.reason}`);
    }
    const description =
      object.description ?? (await describeCall(object.tool, object.input, { place, conversation }));
    const question = approvalQuestion(block, { ...object, description }, decision);
    await where.decided?.(block, decision);
    const answer = await approvals.ask(question, signal);
    if (answer.type === "waiting") return { type: "pause", approvalId: answer.approvalId };
    if (answer.type === "denied") return refused(`Denied: ${answer.reason}`);
    return refuseIfLimitReached(object, {
      type: "run",
      async run(until) {
        if (!(await approvals.spend(answer.approvalId)))
          return toolFailure(
            "execution_error",
            `${block.name} did not run: its approval was used or taken back`,
          );
        return run(block, { ...runs, isApproved: true, exact: description.exact }, until);
      },
    });
  }

  /** Counts a call when it is about to run, not when it is only asked about. */
  async function refuseIfLimitReached(
    { tool, input }: PolicyObject,
    admission: Admission,
  ): Promise<Admission> {
    const reason = await where.breaker?.(tool, input);
    return reason === undefined ? admission : { type: "break", reason };
  }

  function deny(block: ToolCallBlock, decision: Decision): Admission {
    // Not awaited, so that refusals keep the order of the calls.
    void where.decided?.(block, decision);
    return refused(`${block.name} may not run: ${decision.reason}`);
  }

  interface Runs {
    byHand: ToolCallContext["byHand"];
    provenance: Provenance | CallPlace["provenance"];
    isApproved: boolean;
    exact?: string;
  }

  async function run(
    block: ToolCallBlock,
    { byHand, provenance, isApproved, exact }: Runs,
    signal: AbortSignal,
  ): Promise<ToolResult> {
    const outcomeId = randomUUID();
    const before = async (asked: Tool, input: unknown) => {
      const changes = changesOf(asked, input);
      if (changes !== undefined && changes.length > 0) await snapshot?.(changes, signal);
      return undefined;
    };
    return executor.execute(
      { name: block.name, arguments: block.invalidArguments ?? block.arguments },
      {
        callId: block.id,
        sessionKey,
        signal,
        ...(turnId !== undefined && { turnId }),
        ...(byHand !== undefined && { byHand }),
        ...(isApproved && { approved: true as const }),
        ...(exact !== undefined && { exact }),
        ...(place && { place }),
        ...(conversation && { conversation }),
        ...(later && { later: ({ text }) => later(block, text, outcomeId) }),
        ...(provenance && { provenanceOf: provenanceOf(provenance, block) }),
        ...(read && { read: (request) => read(request, signal) }),
      },
      before,
    );
  }
}

const provenanceOf =
  (source: Provenance | NonNullable<CallPlace["provenance"]>, block: ToolCallBlock) =>
  async (text: string) => {
    try {
      const known = typeof source === "function" ? await source(block) : source;
      return known.of(text);
    } catch {
      // Unknown origin counts as untrusted.
      return { trusted: false };
    }
  };

const refused = (message: string): Admission => ({
  type: "refused",
  result: toolFailure("execution_error", message),
});

/** A call that a person wrote. Arguments that are not a JSON object pass unchanged, for the executor to refuse. */
export function manualCall({ name, arguments: args }: { name: string; arguments: unknown }): ToolCallBlock {
  const block = { type: "toolCall" as const, id: "manual", name, arguments: {} };
  const isObject = typeof args === "object" && args !== null && !Array.isArray(args);
  return isObject
    ? { ...block, arguments: args as Record<string, unknown> }
    : { ...block, invalidArguments: JSON.stringify(args) ?? "" };
}

/** Undefined if the call changes nothing in the workdir. */
function changesOf(tool: Tool, input: unknown): readonly string[] | "anything" | undefined {
  if (tool.changes) return tool.changes(input);
  return tool.effect === "write" ? "anything" : undefined;
}
