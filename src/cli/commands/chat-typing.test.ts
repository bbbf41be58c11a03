import type { Entry } from "@pincer/sdk";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { completeTerminalLine } from "../../routing/commands/terminal-commands.ts";
import { createChatScreen } from "../testing/chat-screen.ts";
import type { CommandHome } from "../testing/command-home.ts";
import { runCommand } from "../testing/fake-terminal.ts";
import { createModelHome } from "../testing/model-home.ts";
import * as chat from "./chat.ts";
import * as sessions from "./sessions.ts";

const patience = { timeout: 30_000, interval: 20 };

const openHome = () => createModelHome("ok");

async function beginChat({ environment, root }: CommandHome, ...options: string[]) {
  const { terminal, keys, screen } = createChatScreen();
  const chatting = runCommand(chat, ["chat", ...options], { environment, cwd: root, terminal });
  await vi.waitFor(() => expect(screen()).toContain("› "), patience);
  return { chatting, keys, screen };
}

// On a terminal that it calls dumb, readline has no arrow keys.
beforeEach(() => void vi.stubEnv("TERM", "xterm"));
afterEach(() => void vi.unstubAllEnvs());

describe("typing in a chat", { timeout: 60_000 }, () => {
  it("CLI-26 sends what was pasted as one message, and goes on behind a backslash", async () => {
    const { home, server } = await openHome();
    const { chatting, keys, screen } = await beginChat(home);
    keys.write("read: \u001B[200~one\ntwo\u0003\u001B[201~");
    await vi.waitFor(() => expect(screen()).toContain("one⏎two"), patience);
    expect(server.asked).toEqual([]);
    keys.write("\r");
    await vi.waitFor(() => expect(server.asked).toHaveLength(1), patience);
    expect(server.asked[0]?.at(-1)).toContain(String.raw`read: one\ntwo`);
    await vi.waitFor(() => expect(screen()).toContain("Hello world.\n"), patience);
    keys.write("three\\\r");
    await vi.waitFor(() => expect(screen()).toContain("… "), patience);
    keys.write("四\r");
    await vi.waitFor(() => expect(server.asked).toHaveLength(2), patience);
    expect(server.asked[1]?.at(-1)).toContain(String.raw`three\n四`);
    keys.write("\u0004");
    expect(await chatting).toMatchObject({ status: 0 });
    // The terminal is left as it was.
    expect(screen().lastIndexOf("\u001B[?2004l")).toBeGreaterThan(screen().lastIndexOf("\u001B[?2004h"));
  });

  it("SEC-02 sends what of a line was pasted as pasted, also when the arrow keys bring it back", async () => {
    const { home, server } = await openHome();
    const paste = (text: string) => `\u001B[200~${text}\u001B[201~`;
    const said = async (count: number) => {
      const shown = await runCommand(sessions, ["sessions", "show", "main", "--json"], home);
      const { entries } = shown.json<{ entries: Entry[] }>();
      const messages = entries.flatMap((entry) => (entry.type === "message" ? [entry.message] : []));
      const users = messages.filter(({ role }) => role === "user");
      expect(users).toHaveLength(count);
      return (users.at(-1)?.content ?? [])
        .flatMap((block) => (block.type === "text" ? [block] : []))
        .map(({ text, pasted }) => (pasted === "certain" ? `<${text}>` : text));
    };
    const first = await beginChat(home);
    const leave = async ({ chatting, keys }: typeof first) => {
      keys.write("\u0004");
      expect(await chatting).toMatchObject({ status: 0 });
    };
    const answered = (count: number) => vi.waitFor(() => expect(server.asked).toHaveLength(count), patience);
    first.keys.write(`Write to ${paste("ann@b.example\nnow")} soo`);
    // Within the paste, and behind it; what is deleted is gone.
    first.keys.write(`${"\u001B[D".repeat(6)}X\u0005\u007Fon\r`);
    await answered(1);
    await leave(first);
    expect(await said(1)).toEqual(["Write to ", "<ann@b.example\nnXow>", " soon"]);

    const second = await beginChat(home);
    second.keys.write("\u001B[A");
    await vi.waitFor(() => expect(second.screen()).toContain("Write to ann"), patience);
    second.keys.write("!\r");
    await answered(2);
    // A pasted command is text, and a typed one may be about what is pasted.
    second.keys.write(`${paste("/status")}\r`);
    await vi.waitFor(() => expect(second.screen()).toContain("A pasted command is only text."), patience);
    await answered(3);
    second.keys.write(`/help ${paste("compact")}\r`);
    await vi.waitFor(() => expect(second.screen()).toContain("/compact"), patience);
    expect(server.asked).toHaveLength(3);
    await leave(second);
    expect(await said(3)).toEqual(["</status>"]);
    expect(server.asked[1]?.at(-1)).toContain(String.raw`now soon!`.slice(-6));
  });

  it("CLI-26 shows words as they come, stops at Ctrl-C and leaves at Ctrl-D", async () => {
    const { home } = await openHome();
    const { chatting, keys, screen } = await beginChat(home, "--model", "mine/held");
    keys.write("hi\r");
    await vi.waitFor(() => expect(screen()).toContain("Hello "), patience);
    keys.write("\u0003");
    await vi.waitFor(() => expect(screen()).toContain("Stopped."), patience);
    keys.write("\u0004");
    expect(await chatting).toMatchObject({ status: 0 });
    expect(screen()).toContain("Bye.");
  });

  it("CLI-26 a stop takes the waiting lines along, and the next line is asked", async () => {
    const { home, server } = await openHome();
    const { chatting, keys, screen } = await beginChat(home, "--model", "mine/held");
    keys.write("hi\r");
    await vi.waitFor(() => expect(screen()).toContain("Hello "), patience);
    keys.write("and also this\rstop\r");
    await vi.waitFor(() => expect(screen()).toContain("Not sent: and also this"), patience);
    keys.write("/status\r");
    await vi.waitFor(() => expect(screen()).toContain("agent:main"), patience);
    expect(screen()).not.toContain("Nothing is running.");
    expect(server.asked).toHaveLength(1);
    keys.write("what now?\r");
    await vi.waitFor(() => expect(server.asked).toHaveLength(2), patience);
    keys.write("\u0003\u0004");
    expect(await chatting).toMatchObject({ status: 0 });
  });

  it("CLI-26 has the lines of earlier chats under the arrow keys", async () => {
    const { home, server } = await openHome();
    const first = await beginChat(home);
    first.keys.write("remember me\r");
    await vi.waitFor(() => expect(first.screen()).toContain("Hello world."), patience);
    first.keys.write("\u0004");
    await first.chatting;
    expect(JSON.parse(await readFile(join(home.root, "home", "chat-history.json"), "utf8"))).toEqual([
      "remember me",
    ]);
    const second = await beginChat(home);
    second.keys.write("\u001B[A");
    await vi.waitFor(() => expect(second.screen()).toContain("remember me"), patience);
    second.keys.write("\r");
    await vi.waitFor(() => expect(server.asked).toHaveLength(2), patience);
    await vi.waitFor(() => expect(second.screen()).toContain("Hello world."), patience);
    second.keys.write("\u0004");
    await second.chatting;
  });

  it("CLI-26 completes commands with Tab, and leaves other words alone", async () => {
    const { home } = await openHome();
    const { chatting, keys, screen } = await beginChat(home);
    keys.write("/hel\t");
    await vi.waitFor(() => expect(screen()).toContain("/help "), patience);
    keys.write("\u0015\u0004");
    await chatting;
    expect(completeTerminalLine("/hel")).toEqual(["/help"]);
    expect(completeTerminalLine(",help co")).toContain(",help compact");
    expect(completeTerminalLine("/")).toContain("/new");
    expect(completeTerminalLine("hel")).toEqual([]);
    expect(completeTerminalLine("/model gpt")).toEqual([]);
  });
});
