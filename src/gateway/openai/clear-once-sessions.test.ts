import { describe, expect, it } from "vitest";
import type { SessionRecord } from "../../storage/stores.ts";
import { clearOnceSessions } from "./clear-once-sessions.ts";

const session = (sessionKey: string, updatedAt: string) => ({ sessionKey, updatedAt }) as SessionRecord;

describe("sessions of single requests, and of scouts", () => {
  it("are deleted when their last word is old, page by page, and no others are", async () => {
    const all = [
      session("agent:main:named:http-once.a", "2026-01-03T00:00:00.000Z"),
      session("agent:main:named:http-once.b", "2026-01-01T00:00:00.000Z"),
      session("agent:main:main", "2026-01-01T00:00:00.000Z"),
      session("agent:main:user:dm:x:thread:http-once.c", "2026-01-01T00:00:00.000Z"),
      session("agent:main:scout:r_1:c", "2026-01-01T00:00:00.000Z"),
      session("agent:main:scout:r_2:c", "2026-01-03T00:00:00.000Z"),
    ];
    const begun = "what does :http-once. or :scout:r_ mean?";
    const removed: string[] = [];
    await clearOnceSessions(
      {
        sessions: {
          async list({ search = "", after = "0" }) {
            const found = all.filter(({ sessionKey }) =>
              `${sessionKey} ${sessionKey.endsWith("main") ? begun : ""}`.includes(search),
            );
            const at = Number(after);
            return { sessions: found.slice(at, at + 1), next: at + 1 < found.length ? String(at + 1) : null };
          },
        },
        remove: async ({ sessionKey }) => void removed.push(sessionKey),
      },
      "2026-01-02T00:00:00.000Z",
      new AbortController().signal,
    );
    expect(removed).toEqual([
      "agent:main:named:http-once.b",
      "agent:main:user:dm:x:thread:http-once.c",
      "agent:main:scout:r_1:c",
    ]);
  });
});
