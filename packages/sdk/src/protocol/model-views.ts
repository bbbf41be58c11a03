/** What a gateway tells about models and the providers that offer them. */
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
  /** Nobody said how much fits into it. */
  assumed: boolean;
  /** No list has it. */
  unlisted: boolean;
  /** Its provider can be asked now: a credential is there, or none is needed. */
  usable: boolean;
}

export interface ModelProviderView {
  id: string;
  name: string;
  serves: "conversation" | "speech";
  credential: "needed" | "none";
  configured: boolean;
  /** Answers on the gateway's machine now. */
  local: boolean;
  usable: boolean;
  baseUrl?: string;
  refreshedAt?: string;
}

export interface ModelStateView {
  reference: string;
  role: "primary" | "fallback";
  state: "ready" | "no-credential" | "set-aside" | "not-allowed" | "unknown";
  /** No list has it. */
  unlisted: boolean;
  /** In the order of trying. */
  credentials: Array<{ id: string; setAsideUntil: string | null; reason: string | null }>;
  /** What may have been meant, where it is unknown. */
  nearest: string[];
}

export interface ModelStatusView {
  agentId: string;
  allowedProviders: string[];
  allowedModels: string[];
  /** In the order of trying. */
  models: ModelStateView[];
  /** Who would answer now; null when nobody could. */
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
  /** What was asked for. */
  reference: string;
  ok: boolean;
  latencyMs: number;
  /** Who answered. */
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
