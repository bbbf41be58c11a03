/** The tools that one run may see and use. The same policy decides which are shown and which may run. */
import { randomUUID } from "node:crypto";
import {
  clean,
  toolFailure,
  type Label,
  type ReadAnswer,
  type ReadRequest,
  type TextProvenance,
  type Tool,
  type ToolCallBlock,
  type ToolCallContext,
  type ToolDescription,
  type ToolResult,
} from "@pincer/sdk";
import { decide, type PolicyObject, type PolicySubject } from "../policy/decide.ts";
import { decisionOf, type Decision } from "../policy/decision.ts";
import type { ToolRule } from "../policy/tool-access.ts";
import type { ToolExecutor } from "../tools/tool-executor.ts";
import type { ToolSet } from "../tools/tool-set.ts";
import type { Admission } from "./admission.ts";
import { approvalQuestion, describeCall } from "./approval-question.ts";
import { dryCall, dryResult, waitedFor, type DryCall, type DryRun } from "./dry-run.ts";
import type { Grant } from "./grants/grant.ts";
import type { CallRound } from "./call-round.ts";
import type { MadeAnew } from "./judge-call.ts";
import { unknownLabel } from "./labels/file-labels.ts";
import {
  createWeighing,
  type ExplainedCall,
  type NamedTool,
  type Weighed,
  type WeighingPlace,
} from "./weigh-call.ts";

export interface GatedTools {
  descriptions: ToolDescription[];
  /** The decision about every tool before any call, including tools that are not shown. */
  standings(): Array<{ tool: Tool; decision: Decision }>;
  /** True also for unknown tools: a call that cannot run can be repeated. */
  isIdempotent(block: ToolCallBlock): boolean;
  acts(block: ToolCallBlock): boolean;
  /** Never throws: a call that may not run is refused with the reason. */
  admit(block: ToolCallBlock, signal: AbortSignal, asking?: Asking): Promise<Admission>;
  /** The policy's decision about a call, and why. Nothing runs, and nobody is asked. Throws what the storage does. */
  explain(block: ToolCallBlock | NamedTool): Promise<ExplainedCall>;
  /** Admits and runs a call that a person made. Never throws. */
  call(block: ToolCallBlock, signal: AbortSignal): Promise<ToolResult>;
}

/** `nobody`: what would have to be asked is refused. With a round it is asked together with the rest of it. */
export type Asking = "nobody" | CallRound;

/** Where the calls of a run are made, and for whom. */
export interface CallPlace extends WeighingPlace {
  sessionKey: string;
  /** Receives a result that arrives after the call has returned; equal ids are one result. */
  later?: ((block: ToolCallBlock, text: string, id: string) => Promise<void>) | undefined;
  /** The turn that makes the calls; left out when a person runs a tool. */
  turnId?: string | undefined;
  /** Of all that the model was shown that makes the call; left out: unknown. Throws what the storage does. */
  contextLabel?(block: ToolCallBlock): Promise<Label>;
  /** Whether a person wrote this call, and how. */
  byHand?(call: ToolCallBlock): ToolCallContext["byHand"];
  /** Snapshots the files that a call may change, so that it can be undone. If it throws, the call does not run. */
  snapshot?:
    | ((changes: readonly string[] | "anything", signal: AbortSignal, isTainted: boolean) => Promise<void>)
    | undefined;
  /** Reads an untrusted document with a model that has no tools; left out if there is none. */
  read?: ((request: ReadRequest, signal: AbortSignal) => Promise<ReadAnswer>) | undefined;
  /** Ends the run before a call that exceeds a limit; returns the reason for people. Never throws. */
  breaker?: ((tool: Tool, input: unknown) => Promise<string | undefined>) | undefined;
  /** Whose a text is that the call wants to keep. Left out: unknown. */
  provenanceOf?: ((call: ToolCallBlock, text: string) => Promise<TextProvenance>) | undefined;
  /** Notes that this grant covers a call that is about to run. If it throws, the call does not run. */
  granted?: ((call: ToolCallBlock, grant: Grant) => Promise<void>) | undefined;
  /** Makes arguments anew, before the call runs; kept, so that a call that is repeated says the same. */
  makeAnew?:
    | ((call: ToolCallBlock, anew: MadeAnew, recipient: string, signal: AbortSignal) => Promise<Remade>)
    | undefined;
  /** Nothing is done, but for what reads and what works in a copy; nobody is asked. */
  dryRun?: DryRun | undefined;
  /** Called with every call that was denied or needs approval. Never throws. */
  decided?: ((call: ToolCallBlock, decision: Decision) => Promise<void>) | undefined;
}

export type Remade =
  /** Those that are different now. */
  | { type: "made"; arguments: Record<string, string> }
  /** Nobody could: the owner is asked about the call as it is. */
  | { type: "failed"; reason: string };

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

  async function admit(block: ToolCallBlock, signal: AbortSignal, asking?: Asking): Promise<Admission> {
    try {
      return await judge(block, signal, asking);
    } catch (error) {
      // What cannot be looked up cannot be allowed.
      const reason = error instanceof Error ? error.message : String(error);
      return refused(`${block.name} may not run: the rules could not be read: ${reason}`);
    }
  }

  async function judge(
    block: ToolCallBlock,
    signal: AbortSignal,
    asking: Asking | undefined,
  ): Promise<Admission> {
    const weighed = await weighing.weigh(block, where.byHand?.(block));
    if (weighed.type === "failed") return { type: "refused", result: weighed.result };
    const { object, decision, byHand, judged } = weighed;
    if (where.dryRun && decision.verdict !== "allow") return list(block, object, decision);
    if (decision.verdict === "deny") return deny(block, decision);
    const runs = { ...runsOf(weighed.subject, object, decision, byHand), grant: judged?.grant };
    if (decision.verdict === "ask") return askOwner({ block, object, decision, runs, asking }, signal);
    if (where.dryRun) return admitDry(where.dryRun, { block, weighed, runs }, signal);
    if (judged?.anew) return admitAnew({ block, weighed, anew: judged.anew, asking }, signal);
    // Last, when nothing else speaks against it: what is counted was said.
    const owed = runs.isApproved || !weighed.facts ? undefined : await where.pay?.(block, weighed.facts);
    if (!owed) return refuseIfLimitReached(object, { type: "run", run: (until) => run(block, runs, until) });
    const unpaid = decide(weighed.subject, "run", object, [owed]);
    if (unpaid.verdict === "ask") return askOwner({ block, object, decision: unpaid, runs, asking }, signal);
    if (unpaid.verdict === "deny") return deny(block, unpaid);
    return refuseIfLimitReached(object, { type: "run", run: (until) => run(block, runs, until) });
  }

  /** As `judge` does for what may run, but for what would be seen by anybody else. */
  async function admitDry(
    dryRun: DryRun,
    { block, weighed, runs }: { block: ToolCallBlock; weighed: WeighedCall; runs: Runs },
    signal: AbortSignal,
  ): Promise<Admission> {
    const { object, subject, decision, facts } = weighed;
    const owed = runs.isApproved || !facts ? undefined : await where.pay?.(block, facts);
    if (owed) return list(block, object, decide(subject, "run", object, [owed]));
    const dry = await dryCall(dryRun, object, signal);
    if (!dry) return list(block, object, decision);
    // Not under the grant: nobody is told anything.
    const made = dry.isProgram ? waitedFor(block) : block;
    return { type: "run", run: (until) => run(made, { ...runs, grant: undefined, dry }, until) };
  }

  async function list(block: ToolCallBlock, object: PolicyObject, decision: Decision): Promise<Admission> {
    return { type: "refused", result: await dryResult(block, object, decision, where) };
  }

  /** What the model must not word or choose is made anew; where nobody can, the owner is asked about the call as it is. */
  async function admitAnew(
    { block, weighed, anew, asking }: CallMadeAnew,
    signal: AbortSignal,
  ): Promise<Admission> {
    const { subject, object, byHand } = weighed;
    const recipient = object.description?.recipient ?? "";
    const made = await where.makeAnew?.(block, anew, recipient, signal);
    if (made?.type === "made") {
      const said = { ...block, arguments: { ...block.arguments, ...made.arguments } };
      const runs: Runs = { byHand, isApproved: false, isConfirmed: false, grant: weighed.judged?.grant };
      return refuseIfLimitReached(object, {
        type: "run",
        run: async (until) => toldAnew(await run(said, runs, until), made.arguments),
      });
    }
    const decision = decide(subject, "run", object, anew.instead);
    const runs = runsOf(subject, object, decision, byHand);
    if (decision.verdict === "deny") return deny(block, decision);
    if (decision.verdict === "ask") return askOwner({ block, object, decision, runs, asking }, signal);
    return refuseIfLimitReached(object, { type: "run", run: (until) => run(block, runs, until) });
  }

  async function askOwner(
    {
      block,
      object,
      decision,
      runs,
      asking,
    }: {
      block: ToolCallBlock;
      object: PolicyObject;
      decision: Decision;
      runs: Runs;
      asking: Asking | undefined;
    },
    signal: AbortSignal,
  ): Promise<Admission> {
    if (!approvals || asking === "nobody") {
      void where.decided?.(block, decision);
      return refused(`${block.name} may not run without the owner's approval: ${decision.reason}`);
    }
    const description =
      object.description ?? (await describeCall(object.tool, object.input, { place, conversation }));
    const question = approvalQuestion(block, { ...object, description }, decision);
    await where.decided?.(block, decision);
    const answer = await approvals.ask(question, signal, asking);
    if (answer.type === "waiting") return { type: "pause", approvalId: answer.approvalId };
    if (answer.type === "not-asked") {
      void where.decided?.(
        block,
        decisionOf("deny", decision.rule, [answer.why, ...decision.reasons], decision.cause),
      );
      return refused(`Denied: ${answer.reason}`);
    }
    if (answer.type === "denied") return refused(`Denied: ${answer.reason}`);
    return refuseIfLimitReached(object, {
      type: "run",
      async run(until) {
        if (!(await approvals.spend(answer.approvalId)))
          return toolFailure(
            "execution_error",
            `${block.name} did not run: its approval was used or taken back`,
          );
        const approved = { isApproved: true, isConfirmed: true, exact: description.exact };
        return run(block, { ...runs, ...approved }, until);
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

  /** What a person writes by hand has seen nothing else; the owner's own is clean. */
  async function labelOfContext(block: ToolCallBlock, byHand: ToolCallContext["byHand"]): Promise<Label> {
    const isOwners = place?.userRoles.includes("owner") === true;
    if (byHand !== undefined) return isOwners ? clean : { untrusted: true, sources: [] };
    try {
      return (await where.contextLabel?.(block)) ?? unknownLabel;
    } catch {
      return unknownLabel;
    }
  }

  async function run(
    block: ToolCallBlock,
    { byHand, isApproved, isConfirmed, exact, grant, dry }: Runs,
    signal: AbortSignal,
  ): Promise<ToolResult> {
    const outcomeId = randomUUID();
    const before = async (asked: Tool, input: unknown) => {
      if (grant) await where.granted?.(block, grant);
      const changes = changesOf(asked, input);
      if (changes !== undefined && changes.length > 0)
        await snapshot?.(changes, signal, (await labelOfContext(block, byHand)).untrusted);
      return undefined;
    };
    const shownPlace = dry?.isProgram && place ? { ...place, isSensitive: true } : place;
    return (dry?.executor ?? executor).execute(
      { name: block.name, arguments: block.invalidArguments ?? block.arguments },
      {
        callId: block.id,
        sessionKey,
        signal,
        ...(turnId !== undefined && { turnId }),
        ...(byHand !== undefined && { byHand }),
        ...(isApproved && { approved: true as const }),
        ...(isConfirmed && { confirmed: true as const }),
        contextLabel: () => labelOfContext(block, byHand),
        ...(exact !== undefined && { exact }),
        ...(shownPlace && { place: shownPlace }),
        ...(conversation && { conversation }),
        ...(later && { later: ({ text }) => later(block, text, outcomeId) }),
        ...(where.provenanceOf && { provenanceOf: provenanceOf(where.provenanceOf, block) }),
        ...(read && { read: (request) => read(request, signal) }),
      },
      before,
    );
  }
}

interface Runs {
  byHand: ToolCallContext["byHand"];
  isApproved: boolean;
  /** The owner was shown this very call, or wrote it. */
  isConfirmed: boolean;
  exact?: string;
  /** What the owner's words allow it by. */
  grant?: Grant | undefined;
  dry?: DryCall | undefined;
}

type WeighedCall = Extract<Weighed, { type: "weighed" }>;

interface CallMadeAnew {
  block: ToolCallBlock;
  weighed: WeighedCall;
  anew: MadeAnew;
  asking: Asking | undefined;
}

function runsOf(
  subject: PolicySubject,
  object: PolicyObject,
  { rule }: Decision,
  byHand: ToolCallContext["byHand"],
): Runs {
  const exact = rule.layer === "grant" ? object.description?.exact : undefined;
  const isApproved = subject.isOwnersCall === true || rule.layer === "grant";
  const isConfirmed = subject.isOwnersCall === true;
  return { byHand, isApproved, isConfirmed, ...(exact !== undefined && { exact }) };
}

/** The model hears what was sent in place of its own words. */
function toldAnew(result: ToolResult, given: Record<string, string>): ToolResult {
  if (!result.ok || Object.keys(given).length === 0) return result;
  const text = `Made anew, from the owner's words and the sources that they name: ${JSON.stringify(given)}`;
  return { ...result, content: [...result.content, { type: "text", text }] };
}

const provenanceOf =
  (source: NonNullable<CallPlace["provenanceOf"]>, block: ToolCallBlock) =>
  async (text: string): Promise<TextProvenance> => {
    try {
      return await source(block, text);
    } catch {
      // Unknown origin counts as untrusted.
      return { trusted: false };
    }
  };

/** In our own words. */
const refused = (message: string): Admission => ({
  type: "refused",
  // Our own words about what the model wrote itself.
  result: { ...toolFailure("execution_error", message), origin: "system", label: clean },
});

/** Undefined if the call changes nothing in the workdir. */
function changesOf(tool: Tool, input: unknown): readonly string[] | "anything" | undefined {
  if (tool.changes) return tool.changes(input);
  return tool.effect === "write" ? "anything" : undefined;
}
