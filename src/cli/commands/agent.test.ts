import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createCommandHome } from "../testing/command-home.ts";
import { createModelHome, startWholeGateway } from "../testing/model-home.ts";
import * as agent from "./agent.ts";

async function homeWithChannel() {
  const home = await createCommandHome();
  await mkdir(home.environment["PINCER_HOME"] ?? "", { recursive: true });
  await writeFile(
    join(home.environment["PINCER_HOME"] ?? "", "config.json5"),
    "{ channels: { telegram: { enabled: true } }, contacts: { Anna: ['telegram:7'] } }",
  );
  const rows = () => home.fill((stores) => stores.outbox.list({ limit: 9 }));
  return { home, rows };
}

it("CLI-20 runs one turn like ask, and takes its flags", async () => {
  const { home, rows } = await homeWithChannel();
  const asked = await home.run(agent, "agent", "hello", "--session", "notes", "--thinking", "low", "--json");
  expect(asked.status).toBe(0);
  expect(asked.json()).toMatchObject({ stage: "done", sessionKey: expect.stringContaining("notes") });
  expect(asked.json()).not.toHaveProperty("delivery");
  expect((await home.run(agent, "agent", "hello")).out).not.toBe("");
  expect(await rows()).toEqual([]);
});

it("CLI-20 runs the turn of a chosen agent, in the gateway where one runs", async () => {
  const { home, server } = await createModelHome("ok", {
    agents: {
      defaults: { model: { primary: "mine/ok" } },
      list: [
        { id: "main", default: true },
        { id: "helper", systemPrompt: "You are the helper." },
      ],
    },
  });
  const run = async () =>
    (await home.run(agent, "agent", "hello", "--agent", "helper", "--json")).json<{ sessionKey: string }>();
  expect((await run()).sessionKey).toBe("agent:helper:main");
  expect(server.asked.at(-1)?.[0]).toContain("You are the helper.");
  await startWholeGateway(home);
  expect((await run()).sessionKey).toBe("agent:helper:main");
  expect(server.asked).toHaveLength(2);
  // The second turn goes on in the session of the first.
  expect(server.asked[1]?.length).toBeGreaterThan(server.asked[0]?.length ?? 0);
});

it("X1 sends the answer to whom it is for", async () => {
  const { home, rows } = await homeWithChannel();
  const asked = await home.run(agent, "agent", "hello", "--to", "anna", "--json");
  const { result, delivery } = asked.json() as { result: string; delivery: { id: string } };
  expect(await rows()).toMatchObject([
    { id: delivery.id, text: result, destination: { channel: "telegram", target: { peerId: "7" } } },
  ]);
  const plain = await home.run(agent, "agent", "hello", "--channel", "telegram", "--to", "42");
  expect(plain.status).toBe(0);
  expect(plain.err).toContain("telegram/default:42");
  expect(plain.err).toContain("No gateway is running");
});

it("shows the answer also where it cannot be delivered, and ends with 1", async () => {
  const { home, rows } = await homeWithChannel();
  const asked = await home.run(agent, "agent", "hello", "--to", "fax:1");
  expect(asked.status).toBe(1);
  expect(asked.out).not.toBe("");
  expect(asked.err).toContain("could not be delivered");
  const nowhere = await home.run(agent, "agent", "hello", "--deliver", "--json");
  expect(nowhere.status).toBe(1);
  expect(nowhere.json()).toMatchObject({ stage: "done", delivery: { error: { code: "usage/not-found" } } });
  expect(await rows()).toEqual([]);
});

it("refuses flags that mean nothing, before anything is asked", async () => {
  const { home } = await homeWithChannel();
  expect((await home.run(agent, "agent", "hello", "--channel", "telegram")).status).toBe(2);
  const level = await home.run(agent, "agent", "hello", "--thinking", "hard");
  expect(level).toMatchObject({ status: 2, out: "" });
  expect(level.err).toContain("xhigh");
  expect((await home.runInChinese(agent, "agent", "hello", "--to", "fax:1")).err).toContain("无法送达");
});
