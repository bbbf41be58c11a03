import type { ControlKind, Origin, ToolEffect } from "@pincer/sdk";

/** What is trusted besides words: the owner's own settings. */
export interface TrustFacts {
  /** The owner's contacts with their places: `channel:id`, `channel/account:id`, an address. */
  contacts: Readonly<Record<string, readonly string[]>>;
  /** The owner's places: `channel:id`. */
  owners: readonly string[];
  /** Hosts that may be called with composed addresses; `*.example.com` covers subdomains. */
  trustedHosts: readonly string[];
  /** Whether a text contains one of our stored secrets. */
  holdsStoredSecret(text: string): boolean;
}

/** The parts of a call that concern others. */
export interface CallFacts {
  tool: string;
  effect: ToolEffect;
  controls: Readonly<Record<string, ControlKind>>;
  leaves: readonly string[];
  arguments: Readonly<Record<string, unknown>>;
  /** The recipient, as the tool resolves it. */
  recipient?: string | undefined;
  /** Whether that is the conversation that the turn answers. */
  isOwnConversation?: boolean | undefined;
  /** The origin of its results. */
  looksAt?: Origin | undefined;
  /** Words with which people ask for such a call; empty if a recipient or address is enough. */
  askedBy: readonly string[];
}

export interface Finding {
  verdict: "ask" | "deny";
  /** The name of the check: `recipient`, `url`, `secret`, … */
  check: string;
  reason: string;
  cause?: { argument: string; value: string; from: string; sentence: string };
}
