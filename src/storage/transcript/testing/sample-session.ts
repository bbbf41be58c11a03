import { noUsage, type Entry, type EntryBody } from "@pincer/sdk";

export const sampleSessionId = "s_01jtestsample";

/** A session with everything in it: tool pairs, Chinese, awkward characters, and each kind of entry. */
export function sampleEntries(turns = 4, sessionId = sampleSessionId): Entry[] {
  const bodies: EntryBody[] = [
    {
      type: "session",
      id: sessionId,
      cwd: "/home/me",
      tenantId: "t_default",
      workspaceId: "w_default",
      agentId: "main",
      sessionKey: `agent:main:named:${sessionId}`,
      version: 1,
    },
    { type: "route", agentId: "main", rule: "default" },
  ];
  for (let turn = 1; turn <= turns; turn++) bodies.push(...turnOf(turn));
  bodies.push(
    { type: "compaction", summary: "摘要 \u2028 with a separator", keepFrom: 3 },
    { type: "anchor", name: "handoff", state: { step: 1 } },
    { type: "command", name: "help", input: ",help", output: "line\nline", ok: true },
    { type: "event", name: "memory-switched", data: { enabled: false, "odd\nkey": "\ud800" } },
  );
  return bodies.map((body, index) =>
    Object.assign({ seq: index + 1, time: new Date(Date.UTC(2026, 0, 1, 12, 0, index)).toISOString() }, body),
  );
}

function turnOf(turn: number): EntryBody[] {
  const ids = [`call-${turn}-a`, `call-${turn}-b`];
  const assistant = { role: "assistant" as const, provider: "stub", model: "stub", usage: noUsage() };
  return [
    message({ role: "user", content: [{ type: "text", text: `问题 ${turn} "quoted" \u2029 \u0085` }] }, turn),
    message(
      {
        ...assistant,
        content: ids.map((id) => ({
          type: "toolCall",
          id,
          name: "read",
          arguments: { path: `文件-${turn}`, seq: turn },
        })),
        stopReason: "toolUse",
      },
      turn,
    ),
    ...ids.map((toolCallId) =>
      message(
        {
          role: "toolResult",
          toolCallId,
          toolName: "read",
          content: [{ type: "text", text: "ok" }],
          isError: false,
        },
        turn,
      ),
    ),
    message({ ...assistant, content: [{ type: "text", text: `答 ${turn} 🦞` }], stopReason: "stop" }, turn),
  ];
}

const message = (message: Extract<EntryBody, { type: "message" }>["message"], turn: number): EntryBody => ({
  type: "message",
  runId: `r_${turn}`,
  message,
});
