/** What a call is made with, what holds for it, and how it has gone so far. */
import type { AssistantMessage, Message } from "@pincer/sdk";
import type { Clock } from "../../infra/clock.ts";
import type { CredentialCandidate, Credentials } from "../credentials/credentials.ts";
import type { Budgets, BudgetSettings, CallPurpose, Refusal } from "../ledger/budgets.ts";
import type { ModelFailure } from "../model-failure.ts";
import type { ModelRecord, ThinkingLevel } from "../model-record.ts";
import type { Wire } from "../wire/wire.ts";
import type { PlainMemory } from "./plain-memory.ts";

export interface CallParts {
  wire: Pick<Wire, "stream">;
  credentials: Credentials;
  budgets: Budgets;
  history: HistoryParts;
  clock: Clock;
  /** Between 0 and 1. */
  random(): number;
  /** What the user is told when nothing answered. */
  describe: FailureWords;
}

export interface HistoryParts {
  /** Messages as this model takes them; `plain` is what every model takes, and so are those before `plainUntil`. */
  prepare(
    messages: readonly Message[],
    record: ModelRecord,
    level: "normal" | "plain",
    plainUntil: number,
  ): Message[];
  /** Whether the model may think while it goes on with these. */
  thinkingFits(messages: readonly Message[], record: ModelRecord): boolean;
  plain: PlainMemory;
}

export interface FailureWords {
  overBudget(refusal: Refusal): string;
  /** In the order of trying; at least one. */
  gaveUp(tried: readonly TriedWay[]): string;
}

/** One model with one credential, and why it did not answer. */
export interface TriedWay {
  record: ModelRecord;
  /** Undefined: the provider has none that could be used. */
  credential: CredentialCandidate | undefined;
  failure: ModelFailure;
  /** When the credential is tried again, if it is on cooldown. */
  returnsAt?: number;
}

/** What holds for the requests of one turn. */
export interface CallPlan {
  /** The first that answers is taken; at least one. */
  chain: readonly [ModelRecord, ...ModelRecord[]];
  purpose: CallPurpose;
  thinking: ThinkingLevel;
  cacheKey?: string;
  /** This credential and no other; models of other providers are left out. */
  credential?: { id: string; provider: string };
  budgets: BudgetSettings;
  attempts: number;
  idleTimeoutMs(provider: string): number;
  totalTimeoutMs: number;
}

/** How the one request has gone so far. */
export interface Course {
  tried: TriedWay[];
  /** Left out because they are on cooldown. */
  passedOver: Array<{ record: ModelRecord; credential: CredentialCandidate; until: number }>;
  /** An answer that broke off after something of it was passed on; it counts unless another begins. */
  unfinished: AssistantMessage | undefined;
}
