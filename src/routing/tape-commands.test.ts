import type { Destination } from "@pincer/sdk";
import { describe, expect, it } from "vitest";
import { createSay } from "../infra/texts.ts";
import type { SessionRecord } from "../storage/stores.ts";
import type { TurnPerson } from "../storage/turns/turns.ts";
import type { CommandContext } from "./command.ts";
import type { HandoffRequest } from "./tape.ts";
import { createTapeCommands, type TapeCommandName } from "./tape-commands.ts";

const time = "2026-11-15T08:30:00.000Z";
const owner: TurnPerson = { role: "owner", id: "telegram:42" };
const guest: TurnPerson = { role: "peer", id: "telegram:43" };
const session = {
  sessionKey: "agent:main:main",
  workspaceId: "w_default",
  agentId: "main",
  origin: { channel: "telegram" },
  cwd: "/",
};
const at = (peerKind: "user" | "group"): Destination => ({
  channel: "telegram",
  accountId: "default",
  target: { peerKind, peerId: "7" },
});

function stage({ language = "en" as "en" | "zh", isEmpty = false } = {}) {
  const handoffs: HandoffRequest[] = [];
  const begun: string[] = [];
  const searchers: string[] = [];
  const anchor = { seq: 4, time, type: "anchor" as const, name: "phase-1", summary: "we\ncounted" };
  const commands = createTapeCommands({
    say: createSay(language),
    findActive: async () => (isEmpty ? undefined : ({ sessionId: "s_1" } as SessionRecord)),
    begin: async ({ session: { sessionKey } }) => void begun.push(sessionKey),
    tape: {
      info: async () => ({
        sessionKey: session.sessionKey,
        sessionId: "s_1",
        state: "active",
        since: time,
        entries: 1234,
        messages: 900,
        anchors: 1,
        summaries: 2,
        lastMark: anchor,
        shown: { from: 5, messages: 3, tokens: 2500 },
      }),
      marks: async () => [{ ...anchor, seq: 9, type: "summary", name: "tokens", summary: "" }, anchor],
      async search(_sessionId, words, { asks }) {
        searchers.push(asks);
        const searchedBackTo = words === "old" ? { sessionId: "s_0", seq: 2 } : null;
        if (words === "nothing") return { hits: [], searchedBackTo };
        const hits = [
          { sessionId: "s_1", isElsewhere: false, seq: 3, time, role: "user", snippet: `…${words}…` },
          { sessionId: "s_0", isElsewhere: true, seq: 2, time, role: "exec", snippet: words },
        ];
        return { hits, searchedBackTo };
      },
      async handOffIn(_session, request) {
        handoffs.push(request);
        return {
          sessionId: "s_1",
          seq: 4,
          time,
          name: request.name ?? "handoff-1",
          summary: request.summary ?? "",
        };
      },
    },
  });
  const run = (
    name: TapeCommandName,
    words = "",
    { person = owner, where = "user" as "user" | "group" } = {},
  ) => {
    const context: CommandContext = {
      person,
      session,
      destination: at(where),
      rule: "default",
      input: "in_1",
      receivedAt: "2026-01-01T12:00:00.000Z",
    };
    return commands.run(name, words, context);
  };
  return { run, handoffs, begun, searchers };
}

describe("commands about the tape", () => {
  it("SESS-09 makes an anchor, once for its message, and says that everything stays", async () => {
    const { run, handoffs } = stage();
    const { enterModel, output } = await run("handoff", 'name=phase-1 summary="we counted"');
    expect(enterModel).toBe(false);
    expect(output).toBe(
      "Anchor phase-1 is set (#4). From now on I use only what comes after it. It starts with your summary. " +
        "Everything before it stays and can be searched: tape.search <words>",
    );
    expect(handoffs).toEqual([{ name: "phase-1", summary: "we counted", by: "telegram:42", input: "in_1" }]);
    expect((await run("handoff")).output).toContain("It has no summary");
    expect((await stage({ language: "zh" }).run("handoff")).output).toContain("已设置交接点 handoff-1（#4）");
  });

  it("SAFE-05 keeps a guest's handoff as a guest's", async () => {
    const { run, handoffs } = stage();
    await run("handoff", "phase-1 Ann is eve@a.example", { person: guest });
    await run("handoff", "phase-2 Ann is ann@a.example");
    expect(handoffs).toMatchObject([{ by: "telegram:43", isGuests: true }, { by: "telegram:42" }]);
    expect(handoffs[1]?.isGuests).toBeUndefined();
  });

  it("SESS-09 lists anchors and summaries with number, time and name", async () => {
    expect((await stage().run("anchors")).output.split("\n")).toEqual([
      "#9 2026-11-15 08:30Z summary (tokens)",
      "#4 2026-11-15 08:30Z anchor phase-1: we counted",
    ]);
  });

  it.each(["tape", "tape.info"] as const)("SESS-09 tells with %s what is kept", async (name) => {
    expect((await stage().run(name)).output.split("\n")).toEqual([
      "Session agent:main:main (s_1), since 2026-11-15 08:30Z",
      "Entries: 1,234; messages: 900; anchors: 1; summaries: 2.",
      "Context starts at #5: messages: 3, about 2,500 tokens.",
      "It follows #4 2026-11-15 08:30Z anchor phase-1.",
    ]);
  });

  it("SESS-09 searches, and says what it searches for when nothing is named or found", async () => {
    const { run } = stage();
    expect((await run("tape.search", "发票")).output.split("\n")).toEqual([
      "#3 2026-11-15 08:30Z user: …发票…",
      "#2 2026-11-15 08:30Z exec: 发票 (session s_0)",
    ]);
    expect((await run("tape.search", "nothing")).output).toBe("No results for: nothing");
    expect((await run("tape.search")).output).toContain("Search for what?");
  });

  it("SESS-09 searches with the permissions of the person who asks, and says how far back it went when there is more", async () => {
    const { run, searchers } = stage();
    const { output } = await run("tape.search", "old");
    expect(output.split("\n").at(-1)).toBe("Searched back to #2; older entries were not searched.");
    await run("tape.search", "x", { person: guest, where: "group" });
    expect(searchers).toEqual(["owner", "peer"]);
  });

  it("shows others in a group what marks there are, and not what they sum up", async () => {
    const { run } = stage();
    const inGroup = (person: TurnPerson) => run("anchors", "", { person, where: "group" });
    expect((await inGroup(guest)).output).not.toContain("we counted");
    expect((await inGroup(guest)).output).toContain("#4 2026-11-15 08:30Z anchor phase-1");
    expect((await inGroup(owner)).output).toContain("we counted");
    expect((await run("anchors", "", { person: guest })).output).toContain("we counted");
  });

  it("SESS-09 begins another session and says where the last one stays, to those who can read it there", async () => {
    const { run, begun } = stage();
    expect((await run("tape.reset", "archive")).output).toContain("pincer sessions show s_1");
    expect((await run("tape.reset", "", { person: guest })).output).not.toContain("s_1");
    expect(begun).toEqual([session.sessionKey, session.sessionKey]);
  });

  it("makes a turn of its own of compact", async () => {
    const { run } = stage();
    expect(await run("compact")).toEqual({ enterModel: true, output: "", options: { compact: {} } });
    expect(await run("compact", "keep the dates")).toMatchObject({
      options: { compact: { instructions: "keep the dates" } },
    });
  });

  it.each(["handoff", "tape.reset", "compact"] as const)(
    "lets %s be used by guests in their own chat, and in groups by the owner alone",
    async (name) => {
      const { run, handoffs, begun } = stage();
      const refused = await run(name, "x", { person: guest, where: "group" });
      expect(refused.output).toContain("only my owner");
      expect([refused.enterModel, handoffs, begun]).toEqual([false, [], []]);
      expect((await run(name, "x", { person: guest })).output).not.toContain("only my owner");
      expect((await run(name, "x", { where: "group" })).output).not.toContain("only my owner");
    },
  );

  it.each(["anchors", "tape", "tape.search"] as const)(
    "says with %s that nothing was said yet",
    async (name) => {
      expect((await stage({ isEmpty: true }).run(name, "x")).output).toBe(
        "Nothing has been said in this session yet.",
      );
    },
  );
});
