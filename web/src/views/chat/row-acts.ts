/** What can be done with a row of the conversation, and what its template needs to know besides it. */
import type { ApprovalScope } from "@pincer/sdk";
import type { Page } from "../../shell/page.ts";
import type { PendingMessage } from "./pending.ts";
import type { UserRow } from "./row.ts";

export interface RowActs {
  page: Page;
  sessionId: string;
  isConnected: boolean;
  mayWrite: boolean;
  mayAnswer: boolean;
  /** Whether this person may say yes to more than one call. */
  mayGrant: boolean;
  /** Whether this person may connect a model. */
  maySetUp: boolean;
  /** The message that would be answered again. */
  lastAsked: UserRow | undefined;
  answering: string | undefined;
  edit(row: UserRow): void;
  retry(row: UserRow): void;
  /** Undefined if this person may not ask. */
  why: ((tool: string) => void) | undefined;
  answer(id: string, scope: ApprovalScope | "deny", only?: readonly number[]): void;
  /** The owner looks at what a turn changed. */
  seen(turnId: string): void;
  refresh(): void;
  goOn(runId: string): void;
  toggleAside(from: number): void;
  again(key: string): void;
  takeBack(message: PendingMessage): void;
  discard(key: string): void;
}
