/** The configuration: read without secrets, changed with a history, and applied by a running gateway. */
import { Type } from "typebox";
import { answer, before, language, limit, method } from "./method.ts";

/** `gateway.port`, `agents.list[0].name`. */
const path = Type.String({ minLength: 1, maxLength: 1024 });
/** Check everything and write nothing. */
const dryRun = Type.Optional(Type.Boolean());

export const configMethods = {
  /** The current value, or the whole config; secrets are masked. */
  "config.get": method({
    params: { path: Type.Optional(path), language },
    result: answer<ConfigValueView>(),
    effect: "read",
    permission: "config.view",
    scope: "tenant",
  }),
  /**
   * An invalid value is refused, and the old one stays. A secret goes to the secrets store. `force`: also an unknown
   * key.
   */
  "config.set": method({
    params: {
      path,
      value: Type.Unknown(),
      dryRun,
      force: Type.Optional(Type.Boolean()),
      language,
    },
    /** `secrets`: what went to the secrets store; the config refers to it. */
    result: answer<ConfigChangeView & { path: string; secrets: ConfigSecretView[] }>(),
    effect: "change",
    permission: "config.write",
    scope: "tenant",
  }),
  "config.unset": method({
    params: { path, dryRun, language },
    result: answer<ConfigChangeView & { path: string }>(),
    effect: "change",
    permission: "config.write",
    scope: "tenant",
  }),
  /** Newest first; pass the last number as `before`. */
  "config.history": method({
    params: { limit, before, diff: Type.Optional(Type.Boolean()) },
    result: answer<{ changes: ConfigHistoryView[] }>(),
    effect: "read",
    permission: "config.view",
    scope: "tenant",
  }),
  /** What one change did; without a number, the last one. */
  "config.diff": method({
    params: { id: Type.Optional(Type.Integer({ minimum: 1 })) },
    result: answer<ConfigHistoryView & { diff: string }>(),
    effect: "read",
    permission: "config.view",
    scope: "tenant",
  }),
  /** Undoes the last change, or returns to the state before change `id`. */
  "config.revert": method({
    params: { id: Type.Optional(Type.Integer({ minimum: 1 })), language },
    /** `lostSecrets` must be set again; `kept` was not reverted, because its secrets are missing. */
    result: answer<ConfigChangeView & { lostSecrets: string[]; kept: string[]; putAside: string | null }>(),
    effect: "change",
    permission: "config.write",
    scope: "tenant",
  }),
  /** The file as it is written, secrets masked. */
  "config.file": method({
    params: {},
    /** `text` is null if there is no file, or if it cannot be read, so that its secrets cannot be found. */
    result: answer<{ file: string; text: string | null }>(),
    effect: "read",
    permission: "config.view",
    scope: "tenant",
  }),
  /** As JSON Schema. */
  "config.schema": method({
    params: {},
    result: answer<unknown>(),
    effect: "read",
    permission: "config.view",
    scope: "free",
  }),
};

export interface ConfigValueView {
  path: string | null;
  value: unknown;
  /** default, file, profile, environment, profile-environment, flag; null for the whole config. */
  source: string | null;
  /** For the whole config: the source of each value that is not a default, by path. */
  sources?: Record<string, string> | undefined;
  /** safe: the file could not be used. */
  mode: "normal" | "safe";
  /** In words. */
  problems: string[];
}

export interface ConfigChangeView {
  changed: boolean;
  /** The number of the change in the history; null if nothing changed or nothing was written. */
  number: number | null;
  summary: string | null;
  /** Whether the running gateway uses it; null if none is running, or nothing was written. */
  inForce: boolean | null;
  /** Why a running gateway rejects it and keeps its config, in words. */
  problems: string[];
  /** For a dry run: what would be written, secrets masked. */
  diff?: string | undefined;
}

export interface ConfigSecretView {
  path: string;
  name: string;
  former?: string | undefined;
}

export interface ConfigHistoryView {
  number: number;
  time: string;
  author: string;
  summary: string;
  /** Secrets masked. */
  diff?: string | undefined;
}
