import type { ModelEntry } from "../model-entry.ts";

/** A vendor or server that speaks a wire format which is known already: who it is and where, and nothing about how. */
export interface Vendor {
  id: string;
  name: string;
  /** The wire format. */
  api: string;
  /** Where it is unless the config says otherwise. */
  baseUrl: string;
  /** Whether it answers without one. */
  credential: "needed" | "none";
  /** What it is for; without it, conversations. */
  serves?: "speech";
  /** Where it says on this machine which models it has. */
  local?: string;
  /** How it deviates from the wire format. */
  compat?: Record<string, unknown>;
  models?: readonly ModelEntry[];
}

/** What a server that only resembles OpenAI's can be trusted to take. */
export const plainServer = {
  supportsStore: false,
  supportsDeveloperRole: false,
  maxTokensField: "max_tokens",
} as const;
