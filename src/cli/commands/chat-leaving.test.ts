import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough, Writable } from "node:stream";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createGateway } from "../../app/gateway/create-gateway.ts";
import { createRedactor } from "../../infra/redactor.ts";
import { createSay } from "../../infra/texts.ts";
import { createCommandHome, type CommandHome } from "../testing/command-home.ts";
import { createFakeTerminal, runCommand } from "../testing/fake-terminal.ts";
import { startModelServer } from "../testing/model-server.ts";
import * as approvals from "./approvals.ts";
import * as chat from "./chat.ts";
import * as runs from "./runs.ts";

const patience = { timeout: 15_000, interval: 50 };

/** A home whose model never stops calling a tool that takes the owner's yes. */
async function openHome(): Promise<CommandHome & { release(): void }> {
  const { baseUrl, release } = await startModelServer();
  const home = await createCommandHome();
  const own = {
    models: { discover: false, providers: { mine: { baseUrl, models: [{ id: "loop" }, { id: "held" }] } } },
    agents: { defaults: { model: { primary: "mine/loop" } } },
    tools: { modes: { tools_echo: "approval-required" } },
  };
  await mkdir(home.environment["PINCER_HOME"] ?? "", { mode: 0o700 });
  await writeFile(join(home.root, "home", "config.json5"), JSON.stringify(own), { mode: 0o600 });
  return { ...home, release };
}

async function startGateway({ environment, root }: CommandHome): Promise<void> {
  const parts = {
    environment,
    redactor: createRedactor(),
    say: createSay("en"),
    cwd: root,
    version: "0.0.0-test",
  };
  const gateway = await createGateway({ ...parts, notify: () => {}, tell: () => {} }, {});
  onTestFinished(() => gateway.stop(1000));
}

/** A chat at a terminal, up to its first prompt. */
async function beginChat({ environment, root }: CommandHome, ...options: string[]) {
  const keys = Object.assign(new PassThrough(), { isTTY: true });
  let screen = "";
  const write = (text: string) => void (screen += text);
  const terminal = {
    ...createFakeTerminal({ outIsTerminal: true, errIsTerminal: true }),
    out: write,
    err: write,
    stdin: keys,
    screen: new Writable({
      write(chunk, _encoding, done) {
        write(String(chunk));
        done();
      },
    }),
  };
  const interrupt = new AbortController();
  const given = { environment, cwd: root, terminal, signal: interrupt.signal };
  const chatting = runCommand(chat, ["chat", "--tool-max-steps", "2", ...options], given);
  await vi.waitFor(() => expect(screen).toContain("› "), patience);
  return { chatting, keys, interrupt, screen: () => screen };
}

/** Up to its first question. */
async function chatUntilAsked(home: CommandHome) {
  const begun = await beginChat(home);
  begun.keys.write("hi\r");
  await vi.waitFor(() => expect(begun.screen()).toContain("Run it? "), patience);
  return { ...begun, id: idIn(begun.screen()) };
}

const idIn = (screen: string): string => /(\w+) · tools_echo asks/.exec(screen)?.[1] ?? "";

const stateOf = async (home: CommandHome, id: string) =>
  (await home.run(approvals, "approvals", "show", id, "--json")).json<{ approval: { state: string } }>()
    .approval.state;

const runOf = async (home: CommandHome) =>
  (await home.run(runs, "runs", "list", "--json")).json<{ runs: Array<{ state: string }> }>().runs[0]?.state;

describe("leaving a chat at a question", () => {
  it("SAFE-02 Ctrl-D without a gateway denies what was asked, and ends cleanly", async () => {
    const home = await openHome();
    const { chatting, id, keys, screen } = await chatUntilAsked(home);
    keys.write("\u0004");
    expect(await chatting).toMatchObject({ status: 0 });
    expect(screen()).toContain(`${id} is denied`);
    expect(screen()).not.toMatch(/readline|aborted/);
    expect([await stateOf(home, id), await runOf(home)]).toEqual(["denied", "failed"]);
  }, 20_000);

  it("SAFE-02 Ctrl-D beside a gateway leaves the question open and the turn waiting", async () => {
    const home = await openHome();
    await startGateway(home);
    const { chatting, id, keys, screen } = await chatUntilAsked(home);
    keys.write("\u0004");
    expect(await chatting).toMatchObject({ status: 0 });
    expect(screen()).toContain(`${id} still waits`);
    await vi.waitFor(async () => expect(await runOf(home)).toBe("waiting"), patience);
    expect(await stateOf(home, id)).toBe("pending");
  }, 20_000);

  it("SAFE-02 closing the window beside a gateway does not stop the turn", async () => {
    const home = await openHome();
    await startGateway(home);
    const { chatting, id, interrupt } = await chatUntilAsked(home);
    interrupt.abort(new Error("hung up"));
    expect(await chatting).toMatchObject({ status: 0 });
    await vi.waitFor(async () => expect(await runOf(home)).toBe("waiting"), patience);
    expect(await stateOf(home, id)).toBe("pending");
  }, 20_000);

  it("SAFE-02 Ctrl-D before the question counts as no answer to it", async () => {
    const home = await openHome();
    const { chatting, keys, screen } = await beginChat(home);
    keys.write("hi\r\u0004");
    expect(await chatting).toMatchObject({ status: 0 });
    expect(screen()).toContain(`${idIn(screen())} is denied`);
    expect(await stateOf(home, idIn(screen()))).toBe("denied");
  }, 20_000);

  it("Ctrl-D while the answer is on its way leaves behind it", async () => {
    const home = await openHome();
    const { chatting, keys, screen } = await beginChat(home, "--model", "mine/held");
    keys.write("hi\r");
    await vi.waitFor(() => expect(screen()).toContain("Hello "), patience);
    keys.write("\u0004");
    home.release();
    expect(await chatting).toMatchObject({ status: 0 });
    expect(screen()).toContain("world.");
    expect(screen()).not.toContain("readline");
  }, 20_000);

  it("still stops the turn beside a gateway when the process is told to end", async () => {
    const home = await openHome();
    await startGateway(home);
    const { chatting, id, interrupt } = await chatUntilAsked(home);
    interrupt.abort(new Error("terminated"));
    await chatting;
    expect([await stateOf(home, id), await runOf(home)]).toEqual(["withdrawn", "failed"]);
  }, 20_000);
});

it("SAFE-02 a question that another terminal answers without a gateway makes room for what follows", async () => {
  const home = await openHome();
  const { chatting, id, keys, screen } = await chatUntilAsked(home);
  expect(await home.run(approvals, "approvals", "approve", id)).toMatchObject({ status: 0 });
  await vi.waitFor(() => expect(screen()).toContain("· tools_echo x1\n"), patience);
  expect(screen()).toContain("\r\u001B[K  · tools_echo x1\n");
  await vi.waitFor(() => expect(screen().split("asks for your yes")).toHaveLength(3), patience);
  keys.write("\u0004");
  expect(await chatting).toMatchObject({ status: 0 });
}, 20_000);
