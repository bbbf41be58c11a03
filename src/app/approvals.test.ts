import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineTool, textOf, type Model, type ReceivedMessage } from "@pincer/sdk";
import { createRecordingChannel, createScriptedModel, type ScriptedStep } from "@pincer/sdk/testing";
import { DatabaseSync } from "node:sqlite";
import { Type } from "typebox";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { GatewayClient } from "../client/gateway-client.ts";
import { connectTo } from "../client/testing/connect-to.ts";
import { systemClock, type Clock } from "../infra/clock.ts";
import type { ApprovalRecord } from "../storage/approvals/approvals.ts";
import { withoutCards, withoutGate } from "../storage/testing/older-schema.ts";
import type { TenantStores } from "../storage/storage.ts";
import { createGateway } from "./create-gateway.ts";
import type { Gateway } from "./gateway.ts";
import { gatewayParts } from "./testing/gateway-parts.ts";

let room: string;
let running: Gateway[] = [];
let clients: GatewayClient[] = [];
beforeEach(() => {
  room = mkdtempSync(join(tmpdir(), "pincer-approvals-"));
});
afterEach(async () => {
  for (const client of clients) client.close();
  for (const gateway of running) await gateway.stop(1000);
  [running, clients] = [[], []];
  rmSync(room, { recursive: true });
});

/** The letters that left, over all lives of the process. */
let letters: string[] = [];
beforeEach(() => {
  letters = [];
});

const post = defineTool({
  name: "post_letter",
  effect: "act",
  description: "Post a letter.",
  input: Type.Object({ text: Type.String() }),
  controls: {},
  needsApproval: async () => "letters cannot be taken back",
  describe: async ({ text }) => ({ shown: `Post: ${text}`, exact: text }),
  async run({ text }) {
    letters.push(text);
    return { text: "posted" };
  },
});

const mail = defineTool({
  name: "post_parcel",
  effect: "act",
  description: "Post a parcel.",
  input: Type.Object({ to: Type.String(), what: Type.String({ description: "What is in it" }) }),
  controls: {},
  needsApproval: async () => "parcels cost money",
  describe: async (given) => ({
    shown: `Parcel to ${given.to}: ${given.what}`,
    exact: JSON.stringify(given),
    recipient: given.to,
  }),
  async run({ what }) {
    letters.push(what);
    return { text: "posted" };
  },
});

const config = {
  owners: ["pigeon:42"],
  queue: { debounceMs: 0 },
  channels: { pigeon: { dmPolicy: "open" } },
};

async function start(steps: ScriptedStep[], given: { home?: string; clock?: Clock; model?: Model } = {}) {
  const home = given.home ?? join(room, "home");
  mkdirSync(home, { recursive: true, mode: 0o700 });
  writeFileSync(join(home, "config.json5"), JSON.stringify(config), { mode: 0o600 });
  const network = createRecordingChannel({ id: "pigeon" });
  const model = createScriptedModel(steps);
  let stores!: TenantStores;
  const gateway = await createGateway(
    gatewayParts(home),
    {},
    {
      channels: [network.channel],
      models: [given.model ?? model],
      tools: [post, mail],
      wrapStores: (own) => (stores = own),
      ...(given.clock && { clock: given.clock }),
    },
  );
  running.push(gateway);
  const client = await connectTo(gateway.socket);
  clients.push(client);
  const said = () => network.ledger.map(({ text }) => text);
  const say = async (text: string, from = "42") => {
    await network.say(message(text, from));
    await gateway.idle();
  };
  const open = (): Promise<ApprovalRecord[]> => stores.approvals.list({ limit: 9, states: ["pending"] });
  const answer = async (verdict: "approve" | "deny", id: string) => {
    await client.request(`approvals.${verdict}`, { id });
    await gateway.idle();
  };
  /** What the model was shown as results in its last request. */
  const results = () =>
    (model.requests.at(-1)?.messages ?? []).filter(({ role }) => role === "toolResult").map(textOf);
  return { home, gateway, network, model, stores, client, said, say, open, answer, results };
}

let count = 0;
const message = (text: string, id: string): ReceivedMessage => ({
  peer: { kind: "user", id },
  sender: { id },
  message: { type: "text", id: `m${++count}`, text, attachments: [], mentioned: true },
  timestamp: Date.now(),
});

/** What a process leaves behind that is killed now: its files as they are, and nobody who holds them. */
function killed(home: string): string {
  const left = `${home}-left`;
  cpSync(home, left, { recursive: true, filter: (source) => !/\.(?:sock|lock)$/.test(source) });
  for (const name of readdirSync(left))
    if (/lock|sock/.test(name)) rmSync(join(left, name), { recursive: true });
  return left;
}

const letter = (text: string) => ({ name: "post_letter", arguments: { text } });
const parcel = (to: string, what: string) => ({ name: "post_parcel", arguments: { to, what } });
const asks: ScriptedStep = { calls: [letter("Dear Ann,\n\tyes.\u00a0")] };
const done: ScriptedStep = { text: "it is done" };

describe("a call that the owner has to approve", () => {
  it("SAFE-02 is asked in their chat, waits through a kill, and runs once and byte for byte when it is approved", async () => {
    const first = await start([asks]);
    await first.say("post the letter to Ann");
    expect(letters).toEqual([]);
    const [question] = await first.open();
    const id = question?.id ?? "";
    expect(first.said()).toHaveLength(1);
    expect(first.said()[0]).toContain(`/approve ${id}`);

    const second = await start([done], { home: killed(first.home) });
    await second.gateway.idle();
    expect(letters).toEqual([]);
    expect(await second.stores.turns.get(question?.turnId ?? "")).toMatchObject({ state: "waiting" });
    await second.answer("approve", id);
    expect(letters).toEqual(["Dear Ann,\n\tyes.\u00a0"]);
    expect(second.results()).toEqual(["posted"]);
    expect(second.said()).toContain("it is done");
    expect(await second.stores.approvals.get(id)).toMatchObject({ state: "spent" });

    // A process that is killed after that does not post it again.
    const third = await start([done], { home: killed(second.home) });
    await third.gateway.idle();
    expect(letters).toHaveLength(1);
  });

  it("SAFE-02 that waited in an older version is asked again after the upgrade, not lost and not run by an old yes", async () => {
    const first = await start([asks]);
    await first.say("post the letter to Ann");
    const [old] = await first.open();
    await first.gateway.stop(1000);
    const database = new DatabaseSync(join(first.home, "core.db"));
    // Nobody was there to go on with it when it was answered.
    database.exec("UPDATE approvals SET state = 'approved', scope = 'once', answered_by = 'cli:owner'");
    for (const sql of [...withoutCards, ...withoutGate]) database.exec(sql);
    database.exec("DELETE FROM schema_migrations WHERE version >= 10");
    database.close();

    const second = await start([done], { home: first.home });
    await second.gateway.idle();
    await expect.poll(second.open).toHaveLength(1);
    expect(letters).toEqual([]);
    const [again] = await second.open();
    expect(again?.id).not.toBe(old?.id);
    expect(second.said().at(-1)).toContain(`/approve ${again?.id}`);
    await second.say(`/approve ${old?.id}`);
    expect(letters).toEqual([]);
    await second.answer("approve", again?.id ?? "");
    expect(letters).toHaveLength(1);
    expect(second.said()).toContain("it is done");
  });

  it("SAFE-02 comes back to the model as Denied when the owner says no", async () => {
    const { say, open, answer, results, said } = await start([asks, { text: "then I leave it" }]);
    await say("post the letter to Ann");
    const [question] = await open();
    await answer("deny", question?.id ?? "");
    expect(results().join()).toContain("Denied: the owner said no");
    expect(letters).toEqual([]);
    expect(said().at(-1)).toBe("then I leave it");
  });

  it("SAFE-02 counts as denied when nobody answered for a day, also when nothing ran meanwhile", async () => {
    const first = await start([asks]);
    await first.say("post the letter to Ann");
    await first.gateway.stop(1000);
    const later = 24 * 3_600_000 + 1000;
    const clock: Clock = { ...systemClock, now: () => systemClock.now() + later };
    const second = await start([{ text: "nobody answered" }], { home: first.home, clock });
    await expect.poll(second.said).toContain("nobody answered");
    expect(second.results().join()).toContain("did not answer in time");
    expect(letters).toEqual([]);
    expect(await second.open()).toEqual([]);
  });

  it("SAFE-02 is not asked for any more after a stop, and a late yes changes nothing", async () => {
    const { say, open, client, stores, said } = await start([asks]);
    await say("post the letter to Ann");
    const [question] = await open();
    await say("/stop");
    expect(await open()).toEqual([]);
    expect(await stores.turns.get(question?.turnId ?? "")).toMatchObject({ ending: { type: "aborted" } });
    await expect(client.request("approvals.approve", { id: question?.id ?? "" })).rejects.toMatchObject({
      code: "approval/over",
    });
    expect(letters).toEqual([]);
    expect(said()).toHaveLength(2);
  });

  it("SAFE-02 two of one answer are two questions: the turn goes on when both are answered", async () => {
    const both: ScriptedStep = { calls: [letter("one"), letter("two")] };
    const { say, open, answer, results } = await start([both, done]);
    await say("post both letters");
    const questions = await open();
    expect(questions.map(({ subject }) => subject.call.arguments["text"]).sort()).toEqual(["one", "two"]);
    const [first, second] = questions;
    await answer("approve", first?.id ?? "");
    expect(letters).toEqual([]);
    await answer("deny", second?.id ?? "");
    expect(letters).toEqual([first?.subject.call.arguments["text"]]);
    expect(results()).toHaveLength(2);
  });

  it("those of one answer are one message with a yes to all, to some and to none, and each runs once, also after a kill", async () => {
    const all: ScriptedStep = { calls: [letter("one"), parcel("Bob", "two"), letter("three")] };
    const first = await start([all]);
    await first.say("post all of it");
    expect(first.said()).toHaveLength(1);
    const [asked] = first.network.ledger;
    const order = ["1. post_letter", "Post: one", "2. post_parcel", "Parcel to Bob: two", "3. post_letter"];
    const places = order.map((part) => asked?.text.indexOf(part) ?? -1);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places).not.toContain(-1);
    expect(asked?.actions?.map(({ label }) => label)).toEqual([
      "Yes to all (once)",
      "Only 1",
      "Only 2",
      "Only 3",
      "No to all",
    ]);

    const second = await start([done], { home: killed(first.home) });
    await second.gateway.idle();
    const card = (await second.open())[0]?.card ?? "";
    await second.say(`/approve ${card} 1 3`);
    expect(letters.toSorted()).toEqual(["one", "three"]);
    expect(second.results()).toEqual(["posted", expect.stringContaining("the owner said no"), "posted"]);
    expect(second.said()).toContain("it is done");

    const third = await start([done], { home: killed(second.home) });
    await third.gateway.idle();
    expect(letters).toHaveLength(2);
  });

  it("is asked three times in a turn; then the model reports what is open, and the next message may ask again", async () => {
    const step = (text: string): ScriptedStep => ({ calls: [letter(text)] });
    const { say, said, results, open } = await start([
      ...["1", "2", "3", "4"].map(step),
      { text: "three are posted, the fourth is open" },
      step("4"),
      done,
    ]);
    await say("post four letters");
    for (const each of ["1", "2", "3"]) {
      const [waiting] = await open();
      expect(waiting?.subject.shown).toBe(`Post: ${each}`);
      await say("/approve");
    }
    expect(results().at(-1)).toContain("asked nothing more");
    expect(said().at(-1)).toBe("three are posted, the fourth is open");
    expect(letters).toEqual(["1", "2", "3"]);
    await say("and the fourth");
    await say("/approve");
    expect(letters).toEqual(["1", "2", "3", "4"]);
  });

  it("a no holds for the same recipient until the next message", async () => {
    const { say, open, results } = await start([
      { calls: [parcel("Bob", "a drum")] },
      { calls: [parcel("Bob", "a quiet drum")] },
      { text: "I leave it" },
      { calls: [parcel("Bob", "a book")] },
      done,
    ]);
    await say("send Bob a drum");
    await say("/deny");
    expect(results().slice(-1)).toEqual([expect.stringContaining("the owner said no")]);
    expect(await open()).toEqual([]);
    await say("then a book");
    await say("/approve");
    expect(letters).toEqual(["a book"]);
  });

  it("a yes for 30 minutes holds for the next messages of its chat, through a restart, and ends", async () => {
    const later = { ms: 0 };
    const clock: Clock = { ...systemClock, now: () => systemClock.now() + later.ms };
    const send = (what: string): ScriptedStep[] => [{ calls: [parcel("Bob", what)] }, done];
    const first = await start([...send("one"), ...send("two")], { clock });
    await first.say("send Bob one");
    await first.say("/approve while");
    await first.say("send Bob two");
    expect(letters).toEqual(["one", "two"]);
    expect(await first.open()).toEqual([]);

    later.ms = 29 * 60_000;
    const second = await start([...send("three"), ...send("four")], { home: killed(first.home), clock });
    await second.say("send Bob three");
    expect(letters).toEqual(["one", "two", "three"]);
    later.ms = 31 * 60_000;
    await second.say("send Bob four");
    expect(letters).toHaveLength(3);
    expect(await second.open()).toHaveLength(1);
  });

  it("SAFE-02 keeps no other message waiting", async () => {
    const { say, open, answer, said, model } = await start([asks, { text: "it is noon" }, done]);
    await say("post the letter to Ann");
    await say("what time is it?");
    expect(said().at(-1)).toBe("it is noon");
    const [question] = await open();
    await answer("approve", question?.id ?? "");
    expect(letters).toHaveLength(1);
    expect(said()).toContain("it is done");
    // What was said in between is not part of the first turn.
    expect(JSON.stringify(model.requests.at(-1)?.messages)).not.toContain("noon");
  });

  it("SAFE-02 of somebody else's turn is asked of the owner, and they hear only that", async () => {
    const { say, open, said, stores } = await start([asks]);
    await say("post the letter to Ann", "7");
    expect(said()).toHaveLength(1);
    expect(said()[0]).not.toContain("Ann");
    const [question] = await open();
    expect(await stores.notices.list({ limit: 9 })).toMatchObject([
      { kind: "approval", subject: `approval:${question?.id}` },
    ]);
  });

  it("is asked of the client that follows the run, in place, and the run is answered in one go", async () => {
    const { client, stores } = await start([asks, done]);
    const { runId } = await client.request("agent.run", {
      input: "post the letter to Ann",
      attended: "wait",
      idempotencyKey: "k",
    });
    const told: string[] = [];
    const answer = await client.request(
      "agent.wait",
      { runId, stream: true },
      {
        onEvent(event, payload) {
          told.push(event);
          const { approval } = payload as { approval?: { id: string } };
          if (event === "agent.approval" && approval)
            void client.request("approvals.approve", { id: approval.id });
        },
      },
    );
    expect(answer).toMatchObject({ result: "it is done" });
    expect(letters).toHaveLength(1);
    expect(told.filter((event) => event.startsWith("agent.approval"))).toEqual([
      "agent.approval",
      "agent.approval_answered",
    ]);
    expect(await stores.notices.list({ limit: 9, all: true })).toEqual([]);
  });

  it("SAFE-02 is shown to the next turn as waiting, with everything before it as it was, and with its result once it ran", async () => {
    const { say, open, answer, model } = await start([asks, { text: "it waits" }, done, { text: "posted" }]);
    await say("post the letter to Ann");
    const [first] = model.requests;
    const [question] = await open();
    await say("is it done?");
    const second = model.requests[1]?.messages ?? [];
    expect(second.slice(0, first?.messages.length)).toEqual(first?.messages);
    const told = second.filter(({ role }) => role === "toolResult").map(textOf);
    expect(told).toEqual([expect.stringMatching(/waits for the owner's answer.*Do not repeat it/)]);
    expect(JSON.stringify(second)).not.toContain("outcome of this call is unknown");
    await answer("approve", question?.id ?? "");
    expect(letters).toHaveLength(1);
    await say("and now?");
    // What the tool gave back is not ours: the turn is shown as handles, and opened because the words are about it.
    const last = model.requests.at(-1)?.messages ?? [];
    expect(last.filter(({ role }) => role === "toolResult")).toEqual([]);
    expect(last.some((message) => textOf(message).includes("result of post_letter"))).toBe(true);
    expect(last.at(-1)).toMatchObject({ note: expect.stringMatching(/<earlier-result [^>]*>\nposted\n/) });
  });

  it("SAFE-02 is answered in the chat by what can be pressed there, by nobody but the owner", async () => {
    const { say, said, network } = await start([asks, done]);
    await say("post the letter to Ann");
    const [press] = network.ledger.at(-1)?.actions ?? [];
    expect(press?.label).toBe("Yes, once");
    await say(press?.send ?? "", "7");
    expect(letters).toEqual([]);
    await say(press?.send ?? "");
    expect(letters).toHaveLength(1);
    expect(said()).toContain("it is done");
    // The command says that it is approved; nobody says it a second time.
    expect(said().filter((text) => /approved/i.test(text))).toHaveLength(1);
  });
});
