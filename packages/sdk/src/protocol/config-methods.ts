/** The configuration: read without its secrets, changed with a history, and taken up by a running gateway. */
import { Type } from "typebox";
import { answer, before, language, limit, method } from "./method.ts";

/** `gateway.port`, `agents.list[0].name`. */
const path = Type.String({ minLength: 1, maxLength: 1024 });
/** Everything is checked and nothing is written. */
const dryRun = Type.Optional(Type.Boolean());

export const configMethods = {
  /** The value in force, or all of it; secrets are masked. */
  "config.get": method({
    params: { path: Type.Optional(path), language },
    result: answer<ConfigValueView>(),
    effect: "read",
    permission: "config.view",
    scope: "tenant",
  }),
  /** A value that does not fit is refused, and the old one stays. A secret goes to the secrets store. `force`: also a key that nobody knows. */
  "config.set": method({
    params: {
      path,
      value: Type.Unknown(),
      dryRun,
      force: Type.Optional(Type.Boolean()),
      language,
    },
    /** `secrets`: what went to the secrets store; the config names it instead. */
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
  /** Newest first; hand the last number back as `before`. */
  "config.history": method({
    params: { limit, before, diff: Type.Optional(Type.Boolean()) },
    result: answer<{ changes: ConfigHistoryView[] }>(),
    effect: "read",
    permission: "config.view",
    scope: "tenant",
  }),
  /** What one change did; without a number, the last. */
  "config.diff": method({
    params: { id: Type.Optional(Type.Integer({ minimum: 1 })) },
    result: answer<ConfigHistoryView & { diff: string }>(),
    effect: "read",
    permission: "config.view",
    scope: "tenant",
  }),
  /** Undoes the last change, or goes back to before change `id`. */
  "config.revert": method({
    params: { id: Type.Optional(Type.Integer({ minimum: 1 })), language },
    /** `lostSecrets` have to be set again; `kept` was not reverted, for want of the secrets that it had. */
    result: answer<ConfigChangeView & { lostSecrets: string[]; kept: string[]; putAside: string | null }>(),
    effect: "change",
    permission: "config.write",
    scope: "tenant",
  }),
  /** The file as it is written, secrets masked. */
  "config.file": method({
    params: {},
    /** `text` is null where there is no file, or where it cannot be read and so nobody knows where its secrets are. */
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
  /** default, file, profile, environment, profile-environment, flag; null for all of it. */
  source: string | null;
  /** Of all of it: where each value comes from that is no default, by path. */
  sources?: Record<string, string> | undefined;
  /** safe: the file could not be used. */
  mode: "normal" | "safe";
  /** In words. */
  problems: string[];
}

export interface ConfigChangeView {
  changed: boolean;
  /** Of the change in the history; null where nothing had to change or nothing was written. */
  number: number | null;
  summary: string | null;
  /** Whether the running gateway works with it; null where none runs, or nothing was written. */
  inForce: boolean | null;
  /** In words: why a running gateway refuses it and goes on as before. */
  problems: string[];
  /** Of a dry run: what would be written, secrets masked. */
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
