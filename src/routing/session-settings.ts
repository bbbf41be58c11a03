/** Settings of a session for its turns: stored as entries, so that they survive a restart and end with the session. */
import type { EntryBody } from "@pincer/sdk";
import { thinkingLevels, type ThinkingLevel } from "../models/model-record.ts";
import type { EntryStore, OpenSession, SessionRecord, SessionStore } from "../storage/stores.ts";

export type SettingName = "model" | "think" | "verbose";

export interface SessionSettings {
  model?: string;
  think?: ThinkingLevel;
  verbose?: "on";
}

export interface SettingChange {
  name: SettingName;
  value: string | null;
  by: string;
  /** The message that asks for it. */
  input: string;
}

export interface SettingStore {
  /** Of the session that goes on; empty where there is none. Throws what the storage does. */
  read(session: OpenSession): Promise<SessionSettings>;
  /** Null clears it. Begins the session where there is none. Throws what the storage does. Safe to repeat. */
  set(session: OpenSession, change: SettingChange): Promise<void>;
}

/** Over open stores. What is set is an entry, and on the disk when it resolves. */
export function createSessionSettings({
  sessions,
  entries,
}: {
  sessions: Pick<SessionStore, "open" | "findActive">;
  entries: Pick<EntryStore, "append">;
}): SettingStore {
  return {
    async read({ workspaceId, sessionKey }: OpenSession) {
      const active = await sessions.findActive(workspaceId, sessionKey);
      return active ? settingsOf(active) : {};
    },
    async set(session, { name, value, by, input }) {
      const { session: active } = await sessions.open(session);
      // Repeated after a crash it would only say the same again.
      if ((active.settings[name] ?? null) === value) return;
      const wish: EntryBody = { type: "event", name: "session-setting", data: { name, value, by, input } };
      await entries.append(active.sessionId, [wish]);
    },
  };
}

/** What the record of a session says; what nobody knows any more is left out. */
export function settingsOf({ settings }: Pick<SessionRecord, "settings">): SessionSettings {
  const { model, think, verbose } = settings;
  const level = thinkingLevels.find((each) => each === think);
  return {
    ...(model !== undefined && { model }),
    ...(level && { think: level }),
    ...(verbose === "on" && { verbose }),
  };
}
