import type { ControlKind, Origin, ToolEffect } from "@pincer/sdk";

/** What is trusted besides words: what the owner wrote down. */
export interface TrustFacts {
  /** Names that the owner gave, each with where that one is: `channel:id`, `channel/account:id`, an address. */
  contacts: Readonly<Record<string, readonly string[]>>;
  /** Where the owner is: `channel:id`. */
  owners: readonly string[];
  /** Hosts that may be asked with addresses that were put together here; `*.example.com` means those below it. */
  trustedHosts: readonly string[];
  /** Whether a text holds a secret of the house itself. */
  holdsStoredSecret(text: string): boolean;
}

/** What of a call has to do with others. */
export interface CallFacts {
  tool: string;
  effect: ToolEffect;
  controls: Readonly<Record<string, ControlKind>>;
  leaves: readonly string[];
  arguments: Readonly<Record<string, unknown>>;
  /** Who would hear of it, as the tool itself understands it. */
  recipient?: string | undefined;
  /** Whether that is where the turn answers anyway. */
  isOwnConversation?: boolean | undefined;
  /** Whose things its results would be. */
  looksAt?: Origin | undefined;
  /** Words by which people ask for such a thing; empty where a recipient or an address says it all. */
  askedBy: readonly string[];
}

export interface Finding {
  verdict: "ask" | "deny";
  /** A check of this room: `recipient`, `url`, `secret`, … */
  check: string;
  reason: string;
  cause?: { argument: string; value: string; from: string; sentence: string };
}
