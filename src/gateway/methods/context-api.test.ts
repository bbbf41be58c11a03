import { describe, expect, it } from "vitest";
import { request } from "../../storage/testing/samples.ts";
import type { ContextDescription, DescribeContext } from "../../agent/context/context-description.ts";
import { createApiStage, ways, type Way } from "../../app/testing/api-stage.ts";

async function stage(way: Way) {
  const asked: Array<Parameters<DescribeContext>[0]> = [];
  const staged = await createApiStage(way, {}, async (wanted) => {
    asked.push(wanted);
    return described(wanted);
  });
  return { ...staged, asked, show: staged.apis.context.show };
}

const described = ({ sessionKey = "", sessionId }: Parameters<DescribeContext>[0]): ContextDescription => ({
  sessionKey,
  sessionId: sessionId ?? null,
  agentId: "main",
  model: { provider: "p", id: "m" },
  window: { contextWindow: 32_000, maxTokens: 4000, flushAt: 8000, compactAt: 12_000, estimatedUsed: 900 },
  parts: [
    { kind: "prompt", name: "identity", tokens: 50, why: "who it is", text: "You are Pincer." },
    { kind: "tools", name: "tools", tokens: 800, why: "what it can do" },
    { kind: "history", name: "history", tokens: 50, why: "what was said", from: 2, to: 9, count: 8 },
  ],
  total: 900,
});

describe.each(ways)("the context API %s", (way) => {
  it("describes a session by id or key, and the main one before anything was said in it", async () => {
    const { show, asked, tenant } = await stage(way);
    expect(await show({})).toMatchObject({ sessionKey: "agent:main:main", sessionId: null });
    const { session } = await tenant.sessions.open(request("agent:main:cli:dm:talk"));
    const { sessionId, sessionKey } = session;
    expect(await show({ sessionKey: sessionId })).toMatchObject({ sessionKey, sessionId });
    expect(await show({ sessionKey: sessionKey })).toMatchObject({ sessionKey, sessionId });
    expect(asked).toHaveLength(3);
  });

  it("hands out the one text that is asked for, and names those that there are", async () => {
    const { show } = await stage(way);
    expect((await show({})).parts.map(({ text }) => text)).toEqual([undefined, undefined, undefined]);
    expect((await show({ text: "identity" })).parts[0]?.text).toBe("You are Pincer.");
    await expect(show({ text: "tools" })).rejects.toMatchObject({
      code: "usage/not-found",
      hint: "Available parts: identity",
    });
  });

  it("says what to do about a session that is not known", async () => {
    const { show, asked } = await stage(way);
    await expect(show({ sessionKey: "nowhere" })).rejects.toMatchObject({
      code: "session/not-found",
      hint: expect.stringContaining("sessions list"),
    });
    await expect(show({ agentId: "nobody" })).rejects.toMatchObject({ code: "usage/not-found" });
    expect(asked).toEqual([]);
  });
});
