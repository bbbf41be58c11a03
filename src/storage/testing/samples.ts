/** Small things to store, for tests. */
import type { Entry, EntryBody } from "@pincer/sdk";
import type { LeaseHolder, OpenSession } from "../stores.ts";

export const say = (text: string, role: "user" | "assistant" = "user"): EntryBody =>
  role === "user"
    ? { type: "message", message: { role, content: [{ type: "text", text }] } }
    : {
        type: "message",
        runId: "r_1",
        message: {
          role,
          content: [{ type: "text", text }],
          provider: "stub",
          model: "stub",
          usage: { input: 10, output: 5, cacheRead: 2, cacheWrite: 1, total: 18, cost: 0.25 },
          stopReason: "stop",
        },
      };

export const request = (sessionKey: string, more: Partial<OpenSession> = {}): OpenSession => ({
  sessionKey,
  workspaceId: "w1",
  agentId: "main",
  origin: { channel: "cli" },
  cwd: "/home/someone",
  ...more,
});

export const holder = (id: string): LeaseHolder => ({ id, pid: 1, host: "here", processStart: "1" });

/** The words of each message; of other entries their type. */
export const texts = (entries: readonly Entry[]) =>
  entries.map((entry) => {
    const block = entry.type === "message" ? entry.message.content[0] : undefined;
    return block?.type === "text" ? block.text : entry.type;
  });
