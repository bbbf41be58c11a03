import { expect, it } from "vitest";
import { claim, noticeDraft, queue, receive, takeFence } from "../../storage/testing/message-samples.ts";
import { createCommandHome, type CommandHome } from "../testing/command-home.ts";
import * as deadletters from "./deadletters.ts";
import * as notices from "./notices.ts";
import * as runs from "./runs.ts";

const bury = (home: CommandHome, messageId: string) =>
  home.fill(async (stores) => {
    const { turnId } = await queue(stores, messageId, {
      person: { role: "peer", id: "telegram:42", name: "Ada" },
    });
    await claim(stores, turnId, await takeFence(stores));
    await stores.turns.bury(turnId, { replies: [], notice: noticeDraft(`turn:${turnId}`) });
    return turnId;
  });

it("shows what was given up, by whom and what it said", async () => {
  const home = await createCommandHome();
  expect((await home.run(deadletters, "deadletters", "list")).err).toContain("no dead letters");
  const id = await bury(home, "1");
  const listed = await home.run(deadletters, "deadletters", "list");
  expect(listed.out).toMatch(new RegExp(`${id} {2}Ada {2}.* {2}words of 1`));
  const shown = await home.run(deadletters, "deadletters", "show", id);
  expect(shown.out).toContain("started 1 times");
  expect((await home.run(deadletters, "deadletters", "list", "--json")).json()).toMatchObject({
    letters: [{ id, texts: ["words of 1"] }],
  });
});

it("answers one after all, through the gateway at once", async () => {
  const home = await createCommandHome();
  const id = await bury(home, "1");
  const { changes } = await home.startGateway();
  expect((await home.run(deadletters, "deadletters", "retry", id)).status).toBe(0);
  expect(changes.turns).toMatchObject([{ turnId: id, state: "queued" }]);
  const again = await home.run(deadletters, "deadletters", "retry", id);
  expect(again.status).toBe(1);
  expect(again.err).toContain("pincer deadletters list");
});

it("shows, answers and gives up a message that never had a turn, too", async () => {
  const home = await createCommandHome();
  const ids = await home.fill(async (stores) => {
    const received = await receive(stores, "1", "2");
    for (const id of received) await stores.inbox.settle(id, { state: "dead", reason: "failed" });
    return received;
  });
  const [first = "", second = ""] = ids;
  const listed = await home.run(deadletters, "deadletters", "list");
  expect(listed.out).toMatch(new RegExp(`${second} .*words of 2\n${first} {2}Ada {2}.* {2}words of 1`));
  const shown = await home.run(deadletters, "deadletters", "show", first);
  expect(shown.out).toContain("quarantined before it could be answered");
  const dropped = await home.run(deadletters, "deadletters", "drop", second, "--yes");
  expect(dropped).toMatchObject({ status: 0, out: "" });
  const { changes } = await home.startGateway();
  expect((await home.run(deadletters, "deadletters", "retry", first)).status).toBe(0);
  expect(changes.inbox).toMatchObject([{ id: first, state: "new" }]);
  expect((await home.run(deadletters, "deadletters", "list", "--json")).json()).toEqual({ letters: [] });
});

it("gives one up only with a yes", async () => {
  const home = await createCommandHome();
  const id = await bury(home, "1");
  expect((await home.run(deadletters, "deadletters", "drop", id)).status).toBe(2);
  const dropped = await home.run(deadletters, "deadletters", "drop", id, "--yes");
  expect(dropped).toMatchObject({ status: 0, out: "" });
  expect((await home.run(deadletters, "deadletters", "list", "--json")).json()).toEqual({ letters: [] });
});

it("notices lists what needs the owner and takes it off the list", async () => {
  const home = await createCommandHome();
  const text = { key: "failure.no-session", parameters: { id: "x" } };
  const { notice } = await home.fill((stores) => stores.notices.add({ kind: "k", subject: "s", text }));
  expect((await home.run(notices, "notices", "list")).out).toContain("There is no session x.");
  expect((await home.runInChinese(notices, "notices", "list")).out).toContain("没有会话 x。");
  expect((await home.run(notices, "notices", "dismiss", notice.id)).status).toBe(0);
  expect((await home.run(notices, "notices", "list")).err).toContain("Nothing needs you");
  expect((await home.run(notices, "notices", "list", "--all", "--json")).json()).toMatchObject({
    notices: [{ id: notice.id, said: "There is no session x." }],
  });
  expect((await home.run(notices, "notices", "dismiss", notice.id)).status).toBe(1);
});

it("PROTO-10 runs tells what happened in a run, in order", async () => {
  const home = await createCommandHome();
  expect((await home.run(runs, "runs", "list")).err).toContain("no runs yet");
  const id = await bury(home, "1");
  expect((await home.run(runs, "runs", "list")).out).toMatch(new RegExp(`${id} {2}dead \\(crashed\\)`));
  const shown = await home.run(runs, "runs", "show", id);
  expect(shown.out).toMatch(/claimed[\s\S]*user {2,}words of 1[\s\S]*ended/);
  expect((await home.run(runs, "runs", "show", id, "--json")).json()).toMatchObject({
    run: { runId: id },
    events: [{ type: "step" }, { type: "entry" }, { type: "step" }],
  });
  expect((await home.run(runs, "runs", "show", "r_none")).status).toBe(1);
});

it("runs or drops all that a restore holds, and nothing else", async () => {
  const home = await createCommandHome();
  const given = await bury(home, "1");
  const hold = (messageId: string) =>
    home.fill(async (stores) => {
      const { turnId } = await queue(stores, messageId);
      const since = "2026-01-10T12:00:00.000Z";
      await stores.backlogs.hold({ which: "all", since, notice: "notice.held-restore" });
      return turnId;
    });
  const held = await hold("2");
  expect((await home.run(deadletters, "deadletters", "show", held)).out).toContain("might be done twice");
  expect((await home.run(deadletters, "deadletters", "retry", "held", "--json")).json()).toEqual({
    retried: "held",
    ids: [held],
  });
  const again = await hold("3");
  const dropped = await home.run(deadletters, "deadletters", "drop", "held", "--yes", "--json");
  expect(dropped.json()).toEqual({ dropped: "held", ids: [held, again] });
  const left = await home.run(deadletters, "deadletters", "list", "--json");
  expect(left.json<{ letters: Array<{ id: string }> }>().letters.map(({ id }) => id)).toEqual([given]);
});
