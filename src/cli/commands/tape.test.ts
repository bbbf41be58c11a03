import { describe, expect, it } from "vitest";
import { createCommandHome, type CommandHome } from "../testing/command-home.ts";
import { createFakeTerminal } from "../testing/fake-terminal.ts";
import * as chat from "./chat.ts";
import * as tape from "./tape.ts";

const key = "agent:main:main";

async function fill({ fill: work, root }: CommandHome): Promise<string> {
  return work(async ({ sessions, entries }) => {
    const { session } = await sessions.open({
      sessionKey: key,
      workspaceId: "w_default",
      agentId: "main",
      origin: { channel: "cli" },
      cwd: root,
    });
    await entries.append(
      session.sessionId,
      ["the code word is heron", "代号是苍鹭"].map((text) => ({
        type: "message",
        message: { role: "user", content: [{ type: "text", text }] },
      })),
    );
    return session.sessionId;
  });
}

const ways = [
  ["without a gateway", async () => {}],
  ["through a gateway", async (home: CommandHome) => void (await home.startGateway())],
] as const;

describe.each(ways)("pincer tape %s", (_way, begin) => {
  it("SESS-09 tells, finds, hands off, lists and resets", async () => {
    const home = await createCommandHome();
    const sessionId = await fill(home);
    await begin(home);
    const info = await home.run(tape, "tape", "info");
    expect(info.out).toContain(`Session ${key} (${sessionId})`);
    expect(info.out).toContain("messages: 2");
    const found = await home.run(tape, "tape", "search", "word is", "HERON");
    expect(found.out).toMatch(/^#2 \S+ \S+ user: the code word is heron\n$/);
    expect((await home.run(tape, "tape", "search", "苍鹭", "--json")).json()).toMatchObject({
      hits: [{ seq: 3, role: "user", snippet: "代号是苍鹭" }],
    });
    const made = await home.run(tape, "tape", "handoff", "phase-1", "we", "agreed", "--session", sessionId);
    expect(made).toMatchObject({ status: 0, out: "" });
    expect(made.err).toContain("Anchor phase-1 is set (#4)");
    expect((await home.run(tape, "tape", "anchors")).out).toMatch(/^#4 .* anchor phase-1: we agreed\n$/);
    const reset = (await home.run(tape, "tape", "reset", "--json")).json<{ endedId: string }>();
    expect(reset.endedId).toBe(sessionId);
    expect((await home.run(tape, "tape", "info", "--json")).json()).toMatchObject({ entries: 1, anchors: 0 });
    expect((await home.runInChinese(tape, "tape", "anchors")).err).toContain("没有交接点");
  });

  it("says so where nothing is found, nothing is there, or nothing is named", async () => {
    const home = await createCommandHome();
    await begin(home);
    const nobody = await home.run(tape, "tape", "info", "--json");
    expect(nobody.status).toBe(1);
    expect(nobody.json()).toMatchObject({ error: { code: "session/not-found" } });
    expect(await home.run(tape, "tape", "search")).toMatchObject({ status: 2, out: "" });
  });
});

it("sets, lists and removes standing rules in a chat", async () => {
  const home = await createCommandHome();
  const lines = [
    "/rules",
    "/rule never mention herons",
    ",rules",
    "/rule remove",
    "!rule remove 1",
    "never call Bob until I say so",
  ];
  const ran = await home.runAt(createFakeTerminal({ typed: `${lines.join("\n")}\n` }), chat, "chat");
  expect(ran.out).toBe("");
  expect(ran.err).toContain("There are no rules. /rule never");
  expect(ran.err).toContain("To remove it: /rule remove 1");
  expect(ran.err).toContain("1. never mention herons – reminder");
  expect(ran.err).toContain("Which one? /rule remove <number>");
  expect(ran.err).toContain("Rule 1 is removed: never mention herons");
  expect(ran.err).toContain("Rule 2");
});

it("SESS-09 knows the commands of the tape in a chat, also a slip in their names", async () => {
  const home = await createCommandHome();
  await fill(home);
  const lines = [
    ",tape",
    "/tape.search heron",
    ",handoff phase-1 we agreed on a heron",
    "!anchors",
    ",tape.serch",
    ",help",
    ",new",
    ",handoff lost",
  ];
  const ran = await home.runAt(createFakeTerminal({ typed: `${lines.join("\n")}\n` }), chat, "chat");
  expect(ran.out).toBe("");
  expect(ran.err).toContain("messages: 2");
  expect(ran.err).toMatch(/#2 .* user: the code word is heron/);
  expect(ran.err).toContain("Anchor phase-1 is set (#4)");
  expect(ran.err).toMatch(/#4 .* anchor phase-1: we agreed on a heron/);
  expect(ran.err).toContain("Did you mean ,tape.search?");
  expect(ran.err).toContain(",compact [what to keep] – summarise the conversation");
  expect(ran.err).toContain("Anchor lost is set (#2)");
});
