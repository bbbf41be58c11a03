import { describe, expect, it } from "vitest";
import { request, say } from "../../storage/testing/samples.ts";
import { createApiStage, ways } from "../../app/testing/api-stage.ts";

describe.each(ways)("the sessions API %s", (way) => {
  it("UI-01 gives a session a name, which it keeps in its transcript, and takes it away again", async () => {
    const { tenant, apis, clock } = await createApiStage(way);
    const { session } = await tenant.sessions.open(request("agent:main:named:trip"));
    const { sessionId } = session;
    await clock.advance(5);
    const renamed = await apis.sessions.rename({
      sessionKey: sessionId,
      label: "  Trip\u0007 to\n\u202ELisbon ",
    });
    expect(renamed).toMatchObject({ sessionId, label: "Trip to Lisbon" });
    const again = await apis.sessions.rename({ sessionKey: sessionId, label: "Trip to Lisbon" });
    expect(again.lastSeq).toBe(renamed.lastSeq);
    expect((await apis.sessions.list({ search: "lisbon" })).sessions).toMatchObject([
      { label: "Trip to Lisbon" },
    ]);
    expect(await tenant.entries.recent(sessionId, 1)).toMatchObject([
      { name: "session-setting", data: { name: "label", value: "Trip to Lisbon", by: "cli:owner" } },
    ]);
    expect(await apis.sessions.rename({ sessionKey: sessionId, label: " " })).toMatchObject({ label: null });
    expect((await apis.sessions.find({ sessionKey: "trip" })).label).toBeNull();
    await expect(apis.sessions.rename({ sessionKey: "s_none", label: "x" })).rejects.toMatchObject({
      code: "session/not-found",
    });
  });

  it("UI-01 goes on with a session that has ended, in the place of the one that took its key", async () => {
    const { tenant, apis } = await createApiStage(way);
    const { session: old } = await tenant.sessions.open(request("agent:main:named:trip"));
    const { session: fresh } = await tenant.sessions.openNew(request("agent:main:named:trip"));
    const resumed = await apis.sessions.resume({ sessionKey: old.sessionId });
    expect(resumed).toMatchObject({ sessionId: old.sessionId, state: "active" });
    expect(await apis.sessions.find({ sessionKey: fresh.sessionId })).toMatchObject({ state: "ended" });
    expect(await apis.sessions.find({ sessionKey: "trip" })).toMatchObject({ sessionId: old.sessionId });
    const again = await apis.sessions.resume({ sessionKey: old.sessionId });
    expect(again.lastSeq).toBe(resumed.lastSeq);
  });

  it("UI-01 lists with the first words of each, cut, where they are asked for", async () => {
    const { tenant, apis } = await createApiStage(way);
    const { session } = await tenant.sessions.open(request("main", { origin: { channel: "irc" } }));
    await tenant.entries.append(session.sessionId, [say(`Where\n is ${"x".repeat(500)}`)]);
    await tenant.sessions.open(request("empty"));
    const { sessions } = await apis.sessions.list({ openings: true, channel: "irc" });
    expect(sessions.map(({ opening }) => opening)).toEqual([`Where is ${"x".repeat(151)}`]);
    const rest = await apis.sessions.list({ openings: true, channel: "cli", state: "active" });
    expect(rest.sessions).toMatchObject([{ sessionKey: "empty", opening: null, label: null }]);
    expect((await apis.sessions.list({})).sessions[0]).not.toHaveProperty("opening");
  });
});
