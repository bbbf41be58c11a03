import { describe, expect, it, vi } from "vitest";
import { createChatScreen } from "../testing/chat-screen.ts";
import type { CommandHome } from "../testing/command-home.ts";
import { runCommand } from "../testing/fake-terminal.ts";
import { createModelHome, startWholeGateway } from "../testing/model-home.ts";
import * as approvals from "./approvals.ts";
import * as chat from "./chat.ts";
import * as runs from "./runs.ts";

const patience = { timeout: 30_000, interval: 50 };

const askingFirst = { tools: { modes: { tools_echo: "approval-required" } } };

/** A home whose model never stops calling a tool that takes the owner's yes. */
async function openHome(): Promise<CommandHome & { release(): void }> {
  const { home, server } = await createModelHome("loop", askingFirst);
  return { ...home, release: server.release };
}

/** A chat at a terminal, up to its first prompt. */
async function beginChat({ environment, root }: CommandHome, ...options: string[]) {
  const { terminal, keys, screen } = createChatScreen();
  const interrupt = new AbortController();
  const given = { environment, cwd: root, terminal, signal: interrupt.signal };
  const chatting = runCommand(chat, ["chat", "--tool-max-steps", "2", ...options], given);
  await vi.waitFor(() => expect(screen()).toContain("› "), patience);
  return { chatting, keys, interrupt, screen };
}

/** Up to its first question. */
async function chatUntilAsked(home: CommandHome) {
  const begun = await beginChat(home);
  begun.keys.write("hi\r");
  await vi.waitFor(() => expect(begun.screen()).toContain("Run it? "), patience);
  return { ...begun, id: idIn(begun.screen()) };
}

const idIn = (screen: string): string => /(\w+) · tools_echo needs/.exec(screen)?.[1] ?? "";

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
  }, 60_000);

  it("SAFE-02 Ctrl-D beside a gateway leaves the question open and the turn waiting", async () => {
    const home = await openHome();
    await startWholeGateway(home);
    const { chatting, id, keys, screen } = await chatUntilAsked(home);
    keys.write("\u0004");
    expect(await chatting).toMatchObject({ status: 0 });
    expect(screen()).toContain(`${id} still needs your approval`);
    await vi.waitFor(async () => expect(await runOf(home)).toBe("waiting"), patience);
    expect(await stateOf(home, id)).toBe("pending");
  }, 60_000);

  it("SAFE-02 closing the window beside a gateway does not stop the turn", async () => {
    const home = await openHome();
    await startWholeGateway(home);
    const { chatting, id, interrupt } = await chatUntilAsked(home);
    interrupt.abort(new Error("hung up"));
    expect(await chatting).toMatchObject({ status: 0 });
    await vi.waitFor(async () => expect(await runOf(home)).toBe("waiting"), patience);
    expect(await stateOf(home, id)).toBe("pending");
  }, 60_000);

  it("SAFE-02 Ctrl-D before the question counts as no answer to it", async () => {
    const home = await openHome();
    const { chatting, keys, screen } = await beginChat(home);
    keys.write("hi\r\u0004");
    expect(await chatting).toMatchObject({ status: 0 });
    expect(screen()).toContain(`${idIn(screen())} is denied`);
    expect(await stateOf(home, idIn(screen()))).toBe("denied");
  }, 60_000);

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
  }, 60_000);

  it("still stops the turn beside a gateway when the process is told to end", async () => {
    const home = await openHome();
    await startWholeGateway(home);
    const { chatting, id, interrupt } = await chatUntilAsked(home);
    interrupt.abort(new Error("terminated"));
    await chatting;
    expect([await stateOf(home, id), await runOf(home)]).toEqual(["withdrawn", "failed"]);
  }, 60_000);
});

it("SAFE-02 a question that another terminal answers without a gateway makes room for what follows", async () => {
  const home = await openHome();
  const { chatting, id, keys, screen } = await chatUntilAsked(home);
  expect(await home.run(approvals, "approvals", "approve", id)).toMatchObject({ status: 0 });
  await vi.waitFor(() => expect(screen()).toContain("· tools_echo x1\n"), patience);
  expect(screen()).toContain("\r\u001B[K  · tools_echo x1\n");
  await vi.waitFor(() => expect(screen().split("needs your approval")).toHaveLength(3), patience);
  keys.write("\u0004");
  expect(await chatting).toMatchObject({ status: 0 });
}, 60_000);
