import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { defaultConfig } from "../../config/default-config.ts";
import { locateHome } from "../../config/home.ts";
import type { Config } from "../../config/schema.ts";
import { createIds } from "../../infra/ids.ts";
import { createRedactor } from "../../infra/redactor.ts";
import { approvalRecord } from "../../routing/testing/command-services.ts";
import { noMemory } from "../../memory/following/no-memory.ts";
import { createMemoryStores } from "../../storage/memory-stores.ts";
import { place, queue } from "../../storage/testing/message-samples.ts";
import type { EnqueueTurn } from "../../storage/turns/turns.ts";
import { createHandClock } from "@pincer/sdk/testing";
import { openCommandServices, type CommandServicesParts } from "./command-services.ts";

async function stage(config: Partial<Config> = {}) {
  const root = await mkdtemp(join(tmpdir(), "pincer-room-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const clock = createHandClock();
  const stores = createMemoryStores({ clock, ids: createIds(() => clock.now()) }).tenant("t_default");
  const redactor = createRedactor();
  const home = locateHome({ PINCER_HOME: join(root, "home") });
  const setups = {
    check: async () => {
      throw new Error("nothing is checked here");
    },
    byHand: async () => {
      throw new Error("nothing runs here");
    },
    workdirOf: () => join(root, "work"),
  } as unknown as CommandServicesParts["engine"]["setups"];
  const room = openCommandServices(
    { stores, home },
    { redactor },
    { config: () => ({ ...defaultConfig, ...config }), engine: { setups }, memory: noMemory },
  );
  const context = {
    person: { role: "owner" as const, id: "cli:owner" },
    session: {
      sessionKey: "agent:main:main",
      workspaceId: "w_default",
      agentId: "main",
      origin: { channel: "cli" },
      cwd: root,
    },
    destination: null,
    rule: "default",
    input: "in_1",
    receivedAt: "2026-01-01T12:00:00.000Z",
  };
  return { room, stores, redactor, root, context };
}

it("shows a setting without what the schema calls a secret, and without what is known as one", async () => {
  const channels = { pigeon: { token: "one-two-three", note: "the word is heron-blue" } };
  const { room, redactor } = await stage({ channels } as unknown as Partial<Config>);
  redactor.add("word", "heron-blue");
  expect(room.shownConfig.read("channels.pigeon.token")).toBe("***");
  expect(JSON.stringify(room.shownConfig.read("channels"))).not.toMatch(/one-two-three|heron-blue/);
  expect(room.shownConfig.read("queue.nothing")).toBeUndefined();
  expect(() => room.shownConfig.read("a..b")).toThrow("a..b");
});

it("lists what waits without its secrets, and answers it once", async () => {
  const { room, stores, redactor } = await stage();
  redactor.add("word", "heron-blue");
  const { id: _id, state: _state, ...draft } = approvalRecord();
  const subject = { ...draft.subject, shown: "login heron-blue" };
  const { id } = await stores.approvals.ask({ ...draft, subject });
  const [waiting] = await room.approvals.list();
  expect(waiting?.subject.shown).toContain("login ");
  expect(waiting?.subject.shown).not.toContain("heron-blue");
  const answer = { verdict: "denied" as const, scope: "once" as const, by: "telegram:42" };
  expect(await room.approvals.answer(id.toLowerCase(), answer)).toMatchObject({ type: "answered" });
  expect(await room.approvals.answer(id, answer)).toMatchObject({ type: "settled" });
  expect(await room.approvals.list()).toEqual([]);
});

it("SAFE-02 knows where the owner was told of a question: where their own turn answers, and not where others read along", async () => {
  const { room, stores } = await stage({ notify: { to: "telegram:42" } } as unknown as Partial<Config>);
  const asks = async (id: string, given: Partial<EnqueueTurn>) => {
    const { turnId } = await queue(stores, id, given);
    return room.approvals.toldIn(approvalRecord({ turnId }));
  };
  const owner = { person: { role: "owner", id: "telegram:42" } } as const;
  const group = { ...place(), target: { peerKind: "group" as const, peerId: "g" } };
  expect(await asks("1", owner)).toEqual(place());
  expect(await asks("2", { ...owner, destination: null })).toBeNull();
  expect(await asks("3", { ...owner, destination: group })).toBeUndefined();
  expect(await asks("4", { person: { role: "peer", id: "telegram:43" } })).toBeUndefined();
  expect(await asks("5", { person: { role: "system", id: "cron:1" }, destination: null })).toBeUndefined();
  expect(await room.approvals.toldIn(approvalRecord({ turnId: "gone" }))).toBeUndefined();
});

it("finds the skills of the agent's workdir, and says where they would be", async () => {
  const { room, root, context } = await stage();
  await mkdir(join(root, "work", "skills", "brew"), { recursive: true });
  await writeFile(join(root, "work", "skills", "brew", "SKILL.md"), "Makes tea.");
  expect(await room.skills(context)).toMatchObject({
    where: join(root, "work", "skills"),
    skills: [{ name: "brew", description: "Makes tea." }],
  });
});
