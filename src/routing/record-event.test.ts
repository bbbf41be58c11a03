import { createHandClock } from "@pincer/sdk/testing";
import { describe, expect, it } from "vitest";
import { createIds } from "../infra/ids.ts";
import { createRedactor } from "../infra/redactor.ts";
import { createMemoryStores } from "../storage/memory-stores.ts";
import { createEventRecorder } from "./record-event.ts";

describe("recording what happened to a message", () => {
  it("writes it once, without secrets, however often a crash repeats it", async () => {
    const clock = createHandClock();
    const stores = createMemoryStores({ clock, ids: createIds(clock.now) }).tenant("t_default");
    const redactor = createRedactor();
    redactor.add("gateway-token", "hunter2hunter2");
    const recorded: string[] = [];
    const record = createEventRecorder({
      entries: stores.entries,
      redactor,
      onRecorded: (sessionId) => recorded.push(sessionId),
    });
    const { session } = await stores.sessions.open({
      sessionKey: "agent:main:main",
      workspaceId: "w_default",
      agentId: "main",
      origin: { channel: "telegram" },
      cwd: "/",
    });
    const event = (change: string) => ({
      type: "event" as const,
      name: "message-edited",
      data: { change, messageId: "1", text: "it is hunter2hunter2" },
    });
    for (const change of ["m_1", "m_1", "m_2"]) await record(session.sessionId, event(change));
    const events = (await stores.entries.recent(session.sessionId, 10)).filter(
      ({ type }) => type === "event",
    );
    expect(events).toMatchObject([
      { data: { change: "m_1", text: "it is [secret:gateway-token]" } },
      { data: { change: "m_2" } },
    ]);
    expect(recorded).toHaveLength(2);
  });
});
