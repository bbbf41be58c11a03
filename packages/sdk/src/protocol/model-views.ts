/** Models and their providers, as a gateway reports them. */
import type { Usage } from "../message.ts";

export interface ModelView {
  /** `provider/model`. */
  reference: string;
  provider: string;
  id: string;
  name: string;
  /** The wire format. */
  api: string;
  reasoning: boolean;
  input: string[];
  contextWindow: number;
  maxTokens: number;
  /** Dollars per million tokens. */
  cost: { input: number; output: number; cacheRead: number; cacheWrite: number };
  /** built-in, refreshed, local, config. */
  source: string;
  /** Its context window is unknown. */
  assumed: boolean;
  /** It is in no list. */
  unlisted: boolean;
  /** Its provider can be used now: it has a credential, or needs none. */
  usable: boolean;
}

export interface ModelProviderView {
  id: string;
  name: string;
  serves: "conversation" | "speech";
  credential: "needed" | "none";
  configured: boolean;
  /** Runs on the gateway's machine now. */
  local: boolean;
  usable: boolean;
  baseUrl?: string;
  refreshedAt?: string;
}

export interface ModelStateView {
  reference: string;
  role: "primary" | "fallback";
  state: "ready" | "no-credential" | "set-aside" | "not-allowed" | "unknown";
  /** It is in no list. */
  unlisted: boolean;
  /** In the order in which they are tried. */
  credentials: Array<{ id: string; setAsideUntil: string | null; reason: string | null }>;
  /** Suggestions, if it is unknown. */
  nearest: string[];
}

export interface ModelStatusView {
  agentId: string;
  allowedProviders: string[];
  allowedModels: string[];
  /** In the order in which they are tried. */
  models: ModelStateView[];
  /** Which one would answer now; null if none can. */
  answers: string | null;
}

export type ModelResolutionView =
  | { found: true; model: ModelView; notAllowedBy: string | null }
  | {
      found: false;
      reason: "unknown-provider" | "unknown-model" | "no-model" | "ambiguous";
      nearest: string[];
    };

export interface ModelTestView {
  /** The requested model. */
  reference: string;
  ok: boolean;
  latencyMs: number;
  /** The model that answered. */
  model: string | null;
  text: string | null;
  usage: Usage | null;
  failure: { code: string; message: string } | null;
}

export type ModelRefreshView =
  | { ok: true; provider: string; models: number; added: string[]; refreshedAt: string }
  | {
      ok: false;
      provider: string;
      reason: "unknown" | "unsupported" | "unreachable" | "refused" | "malformed";
      detail: string;
    };
