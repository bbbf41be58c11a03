import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createCommandHome } from "../testing/command-home.ts";
import * as agents from "./agents.ts";

async function homeWith(config: string) {
  const home = await createCommandHome();
  await mkdir(home.environment["PINCER_HOME"] ?? "", { recursive: true });
  const file = join(home.environment["PINCER_HOME"] ?? "", "config.json5");
  await writeFile(file, config);
  return { home, config: () => readFile(file, "utf8") };
}

it("CLI-20 lists, adds, configures and removes agents; comments and data stay", async () => {
  const { home, config } = await homeWith("{\n  // my helpers\n  agents: { list: [{ id: 'bert' }] },\n}\n");
  const added = await home.run(
    agents,
    "agents",
    "add",
    "Ada",
    "--name",
    "Ada L.",
    "--model",
    "stub/echo",
    "--json",
  );
  expect(added.json()).toMatchObject({
    changed: true,
    inForce: null,
    agent: { id: "ada", name: "Ada L.", model: "stub/echo", configured: true },
  });
  const workspace = join(home.environment["PINCER_HOME"] ?? "", "workspace-ada");
  expect((await stat(workspace)).isDirectory()).toBe(true);
  expect(await config()).toContain("// my helpers");
  const listed = await home.run(agents, "agents", "list");
  expect(listed.out).toMatch(/main\*/);
  expect(listed.out).toMatch(/ada +Ada L\. +stub\/echo/);

  await home.run(agents, "agents", "config", "ada", "toolMaxSteps", "7");
  expect((await home.run(agents, "agents", "config", "ada", "toolMaxSteps")).out).toBe("7\n");
  expect((await home.run(agents, "agents", "config", "bert", "--json")).json()).toMatchObject({
    id: "bert",
    value: { id: "bert" },
  });
  await home.run(agents, "agents", "config", "ada", "toolMaxSteps", "--unset");
  expect((await home.run(agents, "agents", "config", "ada", "toolMaxSteps")).status).toBe(1);

  const removed = await home.run(agents, "agents", "remove", "ada");
  expect(removed.err).toContain(workspace);
  expect((await stat(workspace)).isDirectory()).toBe(true);
  expect(await config()).not.toContain("ada");
  expect(await config()).toContain("bert");
});

it.each([
  ["one that is there", ["add", "BERT"], 2],
  ["an id that is none", ["add", "a b!"], 2],
  ["one that is not there", ["remove", "nobody"], 2],
  ["to set what does not fit", ["config", "bert", "toolMaxSteps", "many"], 1],
  ["to give an agent another id", ["config", "bert", "id", "ernie"], 2],
  ["a key that nobody knows", ["config", "bert", "tolMaxSteps", "3"], 1],
])("refuses %s, and changes nothing", async (_name, args, status) => {
  const text = "{ agents: { list: [{ id: 'bert' }] } }";
  const { home, config } = await homeWith(text);
  const refused = await home.run(agents, "agents", ...args);
  expect(refused).toMatchObject({ status, out: "" });
  expect(refused.err.length).toBeGreaterThan(10);
  expect(await config()).toBe(text);
});

it("has a running gateway take it up, and says so when it refuses", async () => {
  const { home } = await homeWith("{}");
  const gateway = await home.startGateway();
  expect((await home.run(agents, "agents", "add", "ada")).err).toContain("uses it");
  gateway.refusals.push({
    severity: "error",
    type: "bad-value",
    message: "no",
    text: { key: "config.valid", parameters: { file: "x" } },
  });
  const refused = await home.run(agents, "agents", "add", "eve", "--json");
  expect(refused.json()).toMatchObject({ changed: true, inForce: false });
  expect((await home.runInChinese(agents, "agents", "add", "eve")).err).toContain("已存在");
});

it("CLI-20 configures the default agent that no list names, and leaves its workdir where it is", async () => {
  const { home, config } = await homeWith("{}");
  const workspace = join(home.environment["PINCER_HOME"] ?? "", "workspace");
  expect((await home.run(agents, "agents", "config", "main", "--json")).json()).toMatchObject({
    id: "main",
    value: { id: "main" },
  });
  expect((await home.run(agents, "agents", "config", "main", "toolMaxSteps", "7")).status).toBe(0);
  expect((await home.run(agents, "agents", "config", "main", "toolMaxSteps")).out).toBe("7\n");
  expect((await home.run(agents, "agents", "config", "main", "model.primary", "stub/echo")).status).toBe(0);
  expect((await home.run(agents, "agents", "list", "--json")).json()).toMatchObject({
    agents: [{ id: "main", isDefault: true, workspace, model: "stub/echo" }],
  });
  expect(await config()).not.toContain("workspace");
  await home.run(agents, "agents", "remove", "main");
  expect((await home.run(agents, "agents", "config", "main", "tolMaxSteps", "7")).status).toBe(1);
});

it("CLI-20 adds the default agent to the list without moving it", async () => {
  const { home, config } = await homeWith("{}");
  const workspace = join(home.environment["PINCER_HOME"] ?? "", "workspace");
  const added = await home.run(agents, "agents", "add", "main", "--name", "Ada", "--json");
  expect(added.json()).toMatchObject({ agent: { id: "main", name: "Ada", workspace } });
  expect(await config()).not.toContain("workspace");
  expect((await home.run(agents, "agents", "add", "main")).status).toBe(2);
});

it("STORE-04 has every agent in the database with its policies", async () => {
  const { home } = await homeWith("{ agents: { list: [{ id: 'bert', tools: { deny: ['exec'] } }] } }");
  const rows = () => home.fill((stores) => stores.directory.listAgents());
  expect(await rows()).toMatchObject([
    { id: "bert", toolPolicy: { deny: ["exec"] }, status: "active" },
    { id: "main", status: "active" },
  ]);
  await home.run(agents, "agents", "config", "bert", "model.primary", "stub/echo");
  await home.run(agents, "agents", "add", "ada");
  expect(await rows()).toMatchObject([
    { id: "ada" },
    { id: "bert", modelPolicy: { primary: "stub/echo" } },
    { id: "main" },
  ]);
  await home.run(agents, "agents", "remove", "ada");
  expect(await rows()).toMatchObject([{ id: "ada", status: "removed" }, {}, {}]);
});
