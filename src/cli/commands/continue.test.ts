import { expect, it } from "vitest";
import { claim, ending, inbound, takeFence } from "../../storage/testing/message-samples.ts";
import { createCommandHome, type CommandHome } from "../testing/command-home.ts";
import { createFakeTerminal } from "../testing/fake-terminal.ts";
import * as ask from "./ask.ts";
import * as chat from "./chat.ts";

/** A question in the main session whose answer was cut off. */
async function cutOff(home: CommandHome): Promise<{ runId: string; sessionKey: string }> {
  const { sessionKey } = (await home.run(ask, "ask", "--json", "hello")).json<{ sessionKey: string }>();
  return home.fill(async (stores) => {
    const [last] = await stores.turns.list({ limit: 1 });
    if (!last) throw new Error("nothing was asked");
    const { workspaceId, agentId, origin, cwd } = last;
    const { row } = await stores.inbox.accept(inbound("cut", { channel: "cli", accountId: "local" }));
    const outcome = await stores.turns.enqueue({
      inputs: [row.id],
      session: { sessionKey, workspaceId, agentId, origin, cwd },
      destination: null,
      person: { role: "owner", id: "cli:owner" },
      rule: "default",
      options: {},
      direct: true,
      mode: "followup",
      cap: 9,
    });
    if (outcome.type !== "queued") throw new Error(outcome.type);
    const { turnId } = outcome.turn;
    const fence = await takeFence(stores, "elsewhere");
    await claim(stores, turnId, fence);
    await stores.turns.end(ending(turnId, fence, { ending: { type: "cut" } }));
    return { runId: turnId, sessionKey };
  });
}

it("LOOP-05 goes on with the last turn of the session, and says so when there is nothing to go on with", async () => {
  const home = await createCommandHome();
  const none = await home.run(ask, "ask", "--continue");
  expect(none.status).toBe(1);
  expect(none.err).toContain("nothing to continue");
  const { runId } = await cutOff(home);
  const answer = (await home.run(ask, "ask", "--json", "--continue")).json();
  expect(answer).toMatchObject({ requestId: runId, stage: "done", provider: "stub" });
  const said = await home.fill((stores) => stores.turns.inputs(runId));
  expect(said.map(({ message }) => message.message)).toMatchObject([{ id: "cut" }, { text: "Continue." }]);
  const again = await home.run(ask, "ask", "--continue", "--json");
  expect(again.json()).toMatchObject({ error: { code: "usage/not-found" } });
});

it("does not begin a new session and go on in the old one at once", async () => {
  const home = await createCommandHome();
  const ran = await home.run(ask, "ask", "--continue", "--new-session");
  expect(ran.status).toBe(2);
  expect(ran.err).toContain("cannot be combined with --new-session");
});

it("LOOP-05 MODEL-08 knows /continue, /usage and /cost in a chat", async () => {
  const home = await createCommandHome();
  const { runId } = await cutOff(home);
  const terminal = createFakeTerminal({ typed: ",continue please\n/usage\n!cost\n,continue\n" });
  const ran = await home.runAt(terminal, chat, "chat");
  expect(ran.out.split("\n")[0]).toContain("I received your message");
  expect(ran.err).toContain("nothing to continue");
  expect(ran.err).toContain("This session: 0 calls, 0 tokens in (0% from the cache), 0 out, $0.00.");
  expect(ran.err).toContain("This session: $0.00.");
  const said = await home.fill((stores) => stores.turns.inputs(runId));
  expect(said.map(({ message }) => message.message)).toMatchObject([
    { id: "cut" },
    { text: ",continue please" },
  ]);
});
