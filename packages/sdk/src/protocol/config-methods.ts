/** The configuration: read without its secrets, changed with a history, and taken up by a running gateway. */
import { Type, type TObject } from "typebox";
import { before, change, language, limit, read, type Method } from "./method.ts";

/** `gateway.port`, `agents.list[0].name`. */
const path = Type.String({ minLength: 1, maxLength: 1024 });
/** Everything is checked and nothing is written. */
const dryRun = Type.Optional(Type.Boolean());

export const configMethods = {
  /** The value in force, or all of it; secrets are masked. */
  "config.get": read({ path: Type.Optional(path), language }),
  /** A value that does not fit is refused, and the old one stays. A secret goes to the secrets store. `force`: also a key that nobody knows. */
  "config.set": change({
    path,
    value: Type.Unknown(),
    dryRun,
    force: Type.Optional(Type.Boolean()),
    language,
  }),
  "config.unset": change({ path, dryRun, language }),
  /** Newest first; hand the last number back as `before`. */
  "config.history": read({ limit, before, diff: Type.Optional(Type.Boolean()) }),
  /** What one change did; without a number, the last. */
  "config.diff": read({ id: Type.Optional(Type.Integer({ minimum: 1 })) }),
  /** Undoes the last change, or goes back to before change `id`. */
  "config.revert": change({ id: Type.Optional(Type.Integer({ minimum: 1 })), language }),
  /** The file as it is written, secrets masked. */
  "config.file": read({}),
  /** As JSON Schema. */
  "config.schema": read({}),
} as const satisfies Record<string, Method<TObject>>;

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

export interface ConfigResults {
  "config.get": ConfigValueView;
  /** `secrets`: what went to the secrets store; the config names it instead. */
  "config.set": ConfigChangeView & { path: string; secrets: ConfigSecretView[] };
  "config.unset": ConfigChangeView & { path: string };
  "config.history": { changes: ConfigHistoryView[] };
  "config.diff": ConfigHistoryView & { diff: string };
  /** `lostSecrets` have to be set again; `kept` was not reverted, for want of the secrets that it had. */
  "config.revert": ConfigChangeView & { lostSecrets: string[]; kept: string[]; putAside: string | null };
  /** `text` is null where there is no file, or where it cannot be read and so nobody knows where its secrets are. */
  "config.file": { file: string; text: string | null };
  "config.schema": unknown;
}
