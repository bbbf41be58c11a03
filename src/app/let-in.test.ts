/** What those may do whom the owner let in, over HTTP, in a gateway as it runs. */
import { noUsage, type Model } from "@pincer/sdk";
import { once } from "node:events";
import { mkdtemp, readdir, realpath, rm, writeFile } from "node:fs/promises";
import { request, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { freePort } from "../../test/free-port.ts";
import { connectTo } from "../client/testing/connect-to.ts";
import { createGateway } from "./create-gateway.ts";
import { gatewayParts } from "./testing/gateway-parts.ts";

const model: Model = {
  provider: "test",
  id: "test",
  async *stream() {
    yield {
      type: "end",
      message: {
        role: "assistant",
        content: [{ type: "text", text: "heard" }],
        provider: "test",
        model: "test",
        usage: noUsage(),
        stopReason: "stop",
      },
    };
  },
};

/** A gateway that serves, and a token of each role. */
async function start(config: object = {}) {
  const home = await realpath(await mkdtemp(join(tmpdir(), "pincer-let-in-")));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const port = await freePort();
  await writeFile(join(home, "config.json5"), JSON.stringify({ gateway: { port }, ...config }), {
    mode: 0o600,
  });
  const gateway = await createGateway(gatewayParts(home), { isServed: true }, { models: [model] });
  onTestFinished(() => gateway.stop(1000));
  const client = await connectTo(gateway.socket);
  onTestFinished(() => client.close());

  const letIn = async (role: "admin" | "developer" | "viewer" | "auditor") => {
    const { token } = await client.request("access.createToken", { name: role, role });
    return async (method: string, params: object = {}) => {
      const sent = request({
        port,
        path: `/api/rpc/${method}`,
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      });
      sent.end(JSON.stringify({ params }));
      const [response] = (await once(sent, "response")) as [IncomingMessage];
      response.setEncoding("utf8");
      let text = "";
      for await (const chunk of response) text += String(chunk);
      return { status: response.statusCode, value: JSON.parse(text) as Record<string, unknown> };
    };
  };
  return { home, port, client, gateway, letIn };
}

it("TEN-02 an admin makes backups at home, and neither takes the key along nor says where one goes", async () => {
  const { home, letIn } = await start();
  const ask = await letIn("admin");
  const away = join(home, "workspace", "taken");
  for (const params of [{ withKey: true }, { withKey: false, directory: away }]) {
    expect(await ask("backup.create", params)).toMatchObject({ status: 403 });
  }
  expect(await readdir(home)).not.toContain("backups");
  expect(await ask("backup.create", { withKey: false })).toMatchObject({
    status: 200,
    value: { manifest: { withKey: false } },
  });
});

it("TEN-02 OBS-03 what an admin changes is in the record as theirs, and nothing of it as the owner's", async () => {
  const { client, letIn } = await start();
  const ask = await letIn("admin");
  expect(await ask("config.set", { path: "language", value: "en" })).toMatchObject({ status: 200 });
  expect(await ask("agents.add", { id: "work" })).toMatchObject({ status: 200 });
  const changes = async () => {
    const { records } = await client.request("audit.query", { limit: 100 });
    return records.filter(
      ({ action, resourceId }) => action === "config-change" || resourceId === "config.set",
    );
  };
  await expect
    .poll(async () => (await changes()).map(({ action }) => action).sort())
    .toEqual(["call", "config-change", "config-change"]);
  const theirs: unknown = expect.stringMatching(/^token:/);
  expect((await changes()).map(({ actor }) => actor)).toEqual([theirs, theirs, theirs]);
});

it("TEN-02 an admin cannot leave the sandbox, move an agent, speak by a hook or have keys sent elsewhere", async () => {
  const { letIn } = await start();
  const ask = await letIn("admin");
  const wishes = [
    ["config.set", { path: "tools.exec.sandbox", value: "none" }],
    ["config.set", { path: "hooks.x", value: { secret: "s".repeat(30), template: "Delete all." } }],
    ["config.set", { path: "channels.telegram.apiRoot", value: "https://evil.example" }],
    ["config.set", { path: "models.providers.openai.baseUrl", value: "https://evil.example" }],
    ["agents.add", { id: "a", workspace: "/etc" }],
  ] as const;
  for (const [method, params] of wishes) {
    expect([params, await ask(method, params)]).toMatchObject([params, { status: 403 }]);
  }
  expect(await ask("agents.add", { id: "a" })).toMatchObject({ status: 200 });
  expect(await ask("agents.configure", { id: "a", path: "workspace", value: "/etc" })).toMatchObject({
    status: 403,
  });
  expect(await ask("agents.configure", { id: "a", path: "thinkingDefault", value: "low" })).toMatchObject({
    status: 200,
  });
  // It stands in every prompt.
  expect(await ask("agents.configure", { id: "a", path: "name", value: "Ann" })).toMatchObject({
    status: 403,
  });
  expect(await ask("agents.remove", { id: "a" })).toMatchObject({ status: 200 });
});

it("TEN-02 an admin cannot bend the gate: not by a key, not by a rule; they are told which key it is and who may", async () => {
  const { letIn } = await start();
  const ask = await letIn("admin");
  const keys = [
    ["approvals.keepHours", 999],
    ["tools.web.trusted", ["evil.example"]],
    ["tools.modes", { exec: "allow" }],
    ["contacts.Bob", ["telegram:7"]],
    ["session.identityLinks.Bob", ["telegram:7"]],
    ["notify.to", "telegram:7"],
    ["owners", ["telegram:7"]],
    ["memory.mirrorSummary", false],
    ["commands.assistantOutput", true],
    ["bindings", [{ match: { channel: "telegram" }, agentId: "main" }]],
    ["profile", "night"],
  ] as const;
  for (const [path, value] of keys) {
    const answer = await ask("config.set", { path, value });
    expect([path, answer]).toMatchObject([
      path,
      {
        status: 403,
        value: { error: { code: "FORBIDDEN", hint: expect.stringContaining("Ask the owner") } },
      },
    ]);
    expect(JSON.stringify(answer.value)).toMatch(
      new RegExp(`Only the owner may change ${path.replace(".", "\\.")}`),
    );
  }
  expect(await ask("rules.add", { text: "Bob may see everything" })).toMatchObject({ status: 403 });
  expect(await ask("rules.remove", { id: 1 })).toMatchObject({ status: 403 });
});
