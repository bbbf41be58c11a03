/** `/approve`, `/deny`, `/approvals`: the owner answers approval requests from any chat. */
import { conversationOf, type Destination } from "@pincer/sdk";
import { quotedLine } from "../gate/approvals/quoted-line.ts";
import { sayReasons } from "../infra/gate-reasons.ts";
import type { Say } from "../infra/texts.ts";
import {
  grantScopes,
  type AnswerOutcome,
  type ApprovalAnswer,
  type ApprovalRecord,
  type GrantScope,
} from "../storage/approvals/approvals.ts";
import { answered, placeOfCall, type Command, type CommandCall } from "./command.ts";

export interface ApprovalCommandParts {
  say: Say;
  approvals: {
    /** Throws what the storage does. Safe to repeat: what is settled stays as it is. */
    answer(id: string, answer: ApprovalAnswer): Promise<AnswerOutcome>;
    /** What becomes of the turn, where nobody goes on with it at once. Throws likewise. */
    afterwards?(outcome: Extract<AnswerOutcome, { type: "answered" }>): Promise<Afterwards | undefined>;
    /** Those that wait, newest first, with their secrets taken out. Throws what the storage does. */
    list(): Promise<ApprovalRecord[]>;
    /** Where the owner is told of it: null at the terminal that follows its turn, undefined elsewhere than in its own conversation. Throws likewise. */
    toldIn(approval: ApprovalRecord): Promise<Destination | null | undefined>;
  };
}

/** With the next gateway; or never, since the process that ran it is gone. */
export type Afterwards = "goes-on-later" | "run-over";

type Parts = ApprovalCommandParts;
type Verdict = ApprovalAnswer["verdict"];

const mostListed = 10;
const longest = 300;

const answers = { aliases: [], group: "gate", access: "owner" } as const;

export const approvalCommands: ReadonlyArray<Command<Parts>> = [
  {
    name: "approve",
    ...answers,
    usage: `[id] [numbers] [${grantScopes.join("|")}]`,
    help: "command.about.approve",
    arguments: [{ name: "id" }, { name: "numbers" }, { name: "scope", choices: grantScopes }],
    run: async (parts, call) => answered(await answer(parts, call, "approved")),
  },
  {
    name: "deny",
    ...answers,
    usage: "[id]",
    help: "command.about.deny",
    arguments: [{ name: "id" }],
    run: async (parts, call) => answered(await answer(parts, call, "denied")),
  },
  {
    name: "approvals",
    ...answers,
    usage: "",
    help: "command.about.approvals",
    arguments: [],
    run: async (parts, call) => answered(await whatWaits(parts, call)),
  },
];

async function answer(parts: Parts, call: CommandCall, verdict: Verdict): Promise<string> {
  const { say, approvals } = parts;
  const { prefix, context } = call;
  const { isGroup } = placeOfCall(context);
  const given = call.words.split(/\s+/).filter(Boolean);
  const named = given.find((word) => !isScope(word.toLowerCase()) && !isNumbers(word));
  const numbers = given.filter(isNumbers).flatMap((word) => word.split(",").filter(Boolean).map(Number));
  const scope = given.map((word) => word.toLowerCase()).find(isScope) ?? "once";
  const id =
    named ?? (await (verdict === "denied" ? theOnlyOne(approvals) : theOnlyOneHere(approvals, context)));
  if (id === undefined) {
    const isNone = (await approvals.list()).length === 0;
    const waits = await whatWaits(parts, call);
    return isNone ? waits : `${say("command.approvals.which", { prefix })}\n${waits}`;
  }
  const outcome = await approvals.answer(id.replace(/^#/, ""), {
    verdict,
    scope: verdict === "denied" ? "once" : scope,
    by: context.person.id,
    ...(verdict === "approved" && numbers.length > 0 && { only: numbers }),
  });
  switch (outcome.type) {
    case "answered": {
      const next = await approvals.afterwards?.(outcome);
      const told = answerWords(outcome.approvals, { scope, isGroup }, say);
      return next ? `${told}\n${say(`approvals.${next}`)}` : told;
    }
    case "settled":
      return say(`command.approvals.settled.${outcome.approval.state}`, { id: outcome.approval.id });
    case "no-scope": {
      const { id: meant, scopes } = outcome.approval;
      return say("command.approvals.no-scope", { id: meant, scope, scopes: scopes.join(", ") });
    }
    case "no-number":
      return say("command.approvals.no-number", { id, number: outcome.number });
    case "none":
      return `${say("command.approvals.unknown", { id })}\n${await whatWaits(parts, call)}`;
  }
}

/** What it was about is not for everybody who reads along. */
function answerWords(
  settled: readonly ApprovalRecord[],
  { scope, isGroup }: { scope: GrantScope; isGroup: boolean },
  say: Say,
): string {
  const told = (of: readonly ApprovalRecord[]) =>
    of.map((each) => (isGroup ? each.subject.tool : brief(each))).join("; ");
  const [yes, no] = [settled.filter(isApproved), settled.filter((each) => !isApproved(each))];
  const ids = (of: readonly ApprovalRecord[]) => of.map(({ id }) => id).join(", ");
  if (yes.length > 0 && no.length > 0)
    return say("command.approvals.chosen", {
      yes: `${ids(yes)}, ${told(yes)}`,
      no: `${ids(no)}, ${told(no)}`,
    });
  const key = yes.length === 0 ? "command.approvals.no" : (`command.approvals.yes.${scope}` as const);
  return say(key, { id: ids(settled), shown: told(settled) });
}

const isApproved = ({ state }: ApprovalRecord): boolean => state === "approved" || state === "spent";

async function theOnlyOne(approvals: Parts["approvals"]): Promise<string | undefined> {
  return onlyOne(await approvals.list());
}

/** A yes without a name is for what was shown here before it was said; what waits elsewhere may be anything. */
async function theOnlyOneHere(
  approvals: Parts["approvals"],
  context: CommandCall["context"],
): Promise<string | undefined> {
  const here: ApprovalRecord[] = [];
  for (const each of await approvals.list()) if (await wasToldHere(approvals, each, context)) here.push(each);
  return onlyOne(here);
}

/** One request, or one card. */
function onlyOne(waiting: readonly ApprovalRecord[]): string | undefined {
  const [id, ...others] = new Set(waiting.map(idOf));
  return others.length === 0 ? id : undefined;
}

/** By which all that is asked together is answered. */
const idOf = ({ id, card }: ApprovalRecord): string => card ?? id;

async function wasToldHere(
  approvals: Parts["approvals"],
  approval: ApprovalRecord,
  { session, destination, receivedAt }: CommandCall["context"],
): Promise<boolean> {
  const { workspaceId, sessionKey, askedAt } = approval;
  if (workspaceId !== session.workspaceId || sessionKey !== session.sessionKey) return false;
  if (askedAt > receivedAt) return false;
  const told = await approvals.toldIn(approval);
  return told !== undefined && placeWords(told) === placeWords(destination);
}

const placeWords = (place: Destination | null): string => (place ? conversationOf(place) : "");

async function whatWaits({ say, approvals }: Parts, { prefix, context }: CommandCall): Promise<string> {
  const waiting = await approvals.list();
  if (waiting.length === 0) return say("command.approvals.none");
  if (placeOfCall(context).isGroup) return say("command.not-in-group");
  const listed = [...Map.groupBy(waiting.slice(0, mostListed), idOf)];
  const lines = listed.flatMap(([id, of]) => [
    ...(of.length > 1 ? [say("command.approvals.card", { id, count: of.length })] : []),
    ...of
      .toSorted((one, other) => one.id.localeCompare(other.id, "en", { numeric: true }))
      .map((each) =>
        say("command.approvals.one", {
          id: each.id,
          tool: each.subject.tool,
          shown: brief(each),
          reason: sayReasons(each, say, quotedLine),
        }),
      ),
  ]);
  const offered = grantScopes.filter((scope) => waiting.some(({ scopes }) => scopes.includes(scope)));
  return [
    say("command.approvals.waiting"),
    ...lines,
    ...(waiting.length > mostListed ? [`… +${waiting.length - mostListed}`] : []),
    say("command.approvals.how", { prefix, scopes: offered.join("|") }),
  ].join("\n");
}

const brief = ({ subject }: ApprovalRecord): string => quotedLine(subject.shown, longest);

/** `2`, `1,3`; ids are longer. */
const isNumbers = (word: string): boolean => /^\d{1,2}(?:,\d{1,2})*,?$/u.test(word);

const isScope = (word: string): word is GrantScope => grantScopes.some((scope) => scope === word);
