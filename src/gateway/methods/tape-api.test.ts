import { describe, expect, it } from "vitest";
import type { Caller } from "../../policy/caller.ts";
import { request } from "../../storage/testing/samples.ts";
import { createApiStage, ways, type ApiStage } from "../../app/testing/api-stage.ts";

async function filled({ tenant }: ApiStage): Promise<string> {
  const { session } = await tenant.sessions.open(request("agent:main:main"));
  const bodies = ["one heron", "two herons"].map((text) => ({
    type: "message" as const,
    message: { role: "user" as const, content: [{ type: "text" as const, text }] },
  }));
  await tenant.entries.append(session.sessionId, bodies);
  return session.sessionId;
}

it("TEN-02 a handoff by somebody whom the owner let in is kept as theirs, and not as the owner's", async () => {
  const stage = await createApiStage("over the stores");
  const sessionId = await filled(stage);
  const caller: Caller = {
    id: "token:1",
    name: "eve",
    role: "developer",
    way: "token",
    tenantId: "t_default",
    scope: { type: "tenant" },
  };
  const until = { signal: new AbortController().signal, caller };
  const { seq } = await stage.apis.tape.handoff({ summary: "Ann is eve@a.example." }, until);
  expect(await stage.tenant.entries.at(sessionId, seq)).toMatchObject({
    state: { by: "web:token:1", origin: "peer" },
  });
});

describe.each(ways)("the tape API %s", (way) => {
  it("SESS-09 hands off, lists, tells and finds, in the main session where none is named", async () => {
    const stage = await createApiStage(way);
    const sessionId = await filled(stage);
    const { tape } = stage.apis;
    expect(await tape.handoff({ name: "phase-1", summary: "two birds" })).toMatchObject({
      sessionId,
      seq: 4,
      name: "phase-1",
    });
    expect(await tape.handoff({ sessionKey: "main", words: "phase-2 三只鸟" })).toMatchObject({
      name: "phase-2",
      summary: "三只鸟",
    });
    expect(await tape.info({ sessionKey: sessionId })).toMatchObject({
      anchors: 2,
      messages: 2,
      lastMark: { name: "phase-2", by: "cli:owner" },
      shown: { messages: 0, from: null },
    });
    expect((await tape.anchors({ limit: 1 })).marks).toMatchObject([{ name: "phase-2" }]);
    expect((await tape.search({ words: "heron", limit: 1 })).hits).toMatchObject([{ seq: 3 }]);
  });

  it("SESS-09 begins another session under the key, as the one before was begun, and deletes nothing", async () => {
    const stage = await createApiStage(way);
    const endedId = await filled(stage);
    const begun = await stage.apis.tape.reset({});
    expect(begun).toMatchObject({ sessionKey: "agent:main:main", endedId });
    const [before, after] = await Promise.all(
      [endedId, begun.sessionId].map((id) => stage.tenant.entries.at(id, 1)),
    );
    expect(after).toMatchObject({ type: "session", cwd: before?.type === "session" ? before.cwd : "?" });
    expect((await stage.apis.tape.search({ words: "heron" })).hits).toMatchObject([
      { sessionId: endedId, isElsewhere: true },
      { sessionId: endedId },
    ]);
  });

  it("reads a session that is over and changes it no more", async () => {
    const stage = await createApiStage(way);
    const session = await filled(stage);
    const { tape } = stage.apis;
    await tape.reset({});
    expect(await tape.info({ sessionKey: session })).toMatchObject({ state: "ended", messages: 2 });
    await expect(tape.handoff({ sessionKey: session })).rejects.toMatchObject({ code: "usage/bad-argument" });
    await expect(tape.reset({ sessionKey: session })).rejects.toMatchObject({ code: "usage/bad-argument" });
  });

  it("says what there is where a session is not known", async () => {
    const { apis } = await createApiStage(way);
    const missing = { code: "session/not-found", hint: expect.stringContaining("sessions list") };
    await expect(apis.tape.info({ sessionKey: "nowhere" })).rejects.toMatchObject(missing);
    await expect(apis.tape.handoff({ sessionKey: "nowhere" })).rejects.toMatchObject(missing);
  });
});
