import { createServer } from "node:http";
import { mkdir, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { chat, done, sse } from "../../models/wire/testing/chat-stream.ts";
import { createCommandHome, type CommandHome } from "../testing/command-home.ts";
import { createFakeTerminal, runCommand } from "../testing/fake-terminal.ts";
import { startWholeGateway } from "../testing/model-home.ts";
import * as askCommand from "./ask.ts";
import * as auth from "./auth.ts";

/** Two providers on one server that notes which of them was asked, and with which key. */
async function openHome(
  withGateway: boolean,
  primary?: string,
): Promise<{ home: CommandHome; asked: string[]; offered: string[][] }> {
  const asked: string[] = [];
  const offered: string[][] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const { tools = [] } = JSON.parse(body) as { tools?: Array<{ function: { name: string } }> };
    offered.push(tools.map((tool) => tool.function.name));
    const [, provider] = (request.url ?? "").split("/");
    asked.push(`${provider} ${request.headers.authorization?.replace("Bearer ", "") ?? "nothing"}`);
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(`${sse(chat({ content: `This is ${provider}.` }), chat({}, "stop"))}${done}`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const provider = (name: string) => ({
    baseUrl: `http://127.0.0.1:${port}/${name}/v1`,
    models: [{ id: "m" }],
  });
  const home = await createCommandHome();
  await mkdir(home.environment["PINCER_HOME"] ?? "", { mode: 0o700 });
  const config = {
    models: { discover: false, providers: { red: provider("red"), blue: provider("blue") } },
    ...(primary === undefined ? {} : { agents: { defaults: { model: { primary } } } }),
  };
  await writeFile(join(home.root, "home", "config.json5"), JSON.stringify(config), { mode: 0o600 });
  if (withGateway) await startWholeGateway(home);
  for (const name of ["first", "second"]) {
    const terminal = createFakeTerminal({ stdin: `sk-0123456789-${name}\n` });
    await home.runAt(terminal, auth, "auth", "login", "red", "--name", name, "--key-stdin");
  }
  return { home, asked, offered };
}

const ask = (home: CommandHome, ...args: string[]) => home.run(askCommand, "ask", "hello", ...args);

describe.each([
  ["without a gateway", false],
  ["through a gateway", true],
])("pincer ask %s", (_name, withGateway) => {
  it("CLI-05 asks the provider that --provider names, else the configured one, else the stub", async () => {
    const { home, asked } = await openHome(withGateway, "blue/m");
    expect((await ask(home)).out).toBe("This is blue.\n");
    expect((await ask(home, "--provider", "red")).out).toBe("This is red.\n");
    expect((await ask(home, "--provider", "stub")).out).toContain("no model is connected");
    expect(asked).toHaveLength(2);
    const unconfigured = await openHome(withGateway);
    expect((await ask(unconfigured.home)).out).toContain("no model is connected");
    expect(unconfigured.asked).toEqual([]);
  });

  it("CLI-05 CLI-06 says what to do about a provider without a login and a credential that is not there", async () => {
    const { home, asked } = await openHome(withGateway, "blue/m");
    const loggedOut = await ask(home, "--provider", "openai");
    expect(loggedOut).toMatchObject({ status: 1 });
    expect(loggedOut.out + loggedOut.err).toContain("auth login openai");
    const missing = await ask(home, "--profile", "nosuch");
    expect(missing).toMatchObject({ status: 1 });
    expect(missing.out + missing.err).toContain("There is no credential nosuch");
    expect(asked).toEqual([]);
  });

  it("CLI-09 CLI-10 offers tools unless --no-with-tools says otherwise, and of --tool-allow those alone", async () => {
    const { home, offered } = await openHome(withGateway, "red/m");
    await ask(home);
    await ask(home, "--with-tools");
    await ask(home, "--no-with-tools");
    await ask(home, "--tool-allow", "time.now,read");
    const [usual = [], stated, none, some = []] = offered;
    expect(usual).toEqual(expect.arrayContaining(["time_now", "read", "exec"]));
    expect(stated).toEqual(usual);
    expect(none).toEqual([]);
    expect(some.toSorted()).toEqual(["read", "time_now"]);
  });

  it("CFG-05 a flag wins over the profile's environment, that over the environment, and that over the file", async () => {
    const { home, asked } = await openHome(false, "red/m");
    const askIn = (more: Record<string, string>, ...args: string[]) =>
      runCommand(askCommand, ["ask", "hello", ...args], {
        environment: { ...home.environment, PINCER_PROFILE: "work", ...more },
      });
    const profile = { PINCER_MODEL: "red/m", PROFILE_WORK_MODEL: "blue/m" };
    await askIn({});
    await askIn({ PINCER_MODEL: "blue/m" });
    await askIn(profile);
    await askIn(profile, "--provider", "red");
    expect(asked.map((line) => line.split(" ")[0])).toEqual(["red", "blue", "blue", "red"]);
  });

  it("CLI-06 uses the credential that --profile names, and the active one without it", async () => {
    const { home, asked } = await openHome(withGateway, "red/m");
    await ask(home);
    await ask(home, "--profile", "second");
    await ask(home);
    await home.run(auth, "auth", "use", "second");
    await ask(home);
    const key = (name: string) => `red sk-0123456789-${name}`;
    expect(asked).toEqual([key("first"), key("second"), key("first"), key("second")]);
  });
});
