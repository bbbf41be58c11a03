import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hasProgram } from "../scripts/system-programs.ts";
import { makeHome, pincerBin, type TestHome } from "./run-pincer.ts";

let home: TestHome;
beforeEach(() => (home = makeHome()));
afterEach(() => home.remove());

describe("pincer chat", () => {
  it("answers each line of a pipe in one session as text, whatever it begins with, and ends with it", async () => {
    const { status, out } = await home.run(["chat", "--session", "talk"], {
      input: 'tool:tools_echo {"text":"one"}\n\n,help\nhello\nquit\nnever\n',
    });
    expect(status).toBe(0);
    // Three lines, three answers; no tool ran.
    expect(out.match(/no model is connected/g)).toHaveLength(3);
    expect(out).not.toContain("one\n");
    const shown = JSON.parse((await home.run(["sessions", "show", "talk", "--json"])).out) as {
      session: { messageCount: number };
    };
    expect(shown.session.messageCount).toBe(6);
  });

  it.skipIf(!hasProgram("tmux"))(
    "talks at a terminal, applies a changed config, and leaves on Ctrl-D",
    async () => {
      const terminal = openTerminal(home);
      try {
        await terminal.until("Pincer is ready");
        terminal.type("tool:time_now");
        await terminal.until("UTC)");
        writeFileSync(join(home.path, "config.json5"), "{ tools: { deny: ['time_now'] } }");
        await terminal.until("config changed: tools.deny");
        terminal.type("tool:time_now");
        await terminal.until("denied by tools.deny");
        writeFileSync(join(home.path, "config.json5"), "{ tools: ");
        await terminal.until("the changed config is not used");
        terminal.key("C-d");
        await terminal.until("Bye.");
      } finally {
        terminal.close();
      }
    },
  );

  it.skipIf(!hasProgram("tmux"))(
    "SEC-02 tells what is pasted from what is typed, and the terminal is as it was while it is suspended and afterwards",
    async () => {
      const terminal = openTerminal(home, "sh -i");
      try {
        terminal.type(chatIn(home));
        await terminal.until("Pincer is ready");
        terminal.key("Write to ");
        terminal.paste("ann@b.example\nand now");
        await terminal.until("ann@b.example⏎and now");
        terminal.type(" soon");
        await terminal.until("no model is connected");
        await terminal.untilPrompt();
        terminal.key("C-z");
        await terminal.until("Stopped");
        terminal.paste("echo sus''pended\n");
        await terminal.until("suspended");
        terminal.type("fg");
        await terminal.untilPrompt();
        terminal.paste("/status");
        terminal.key("Enter");
        await terminal.until("A pasted command is only text.");
        terminal.key("C-d");
        await terminal.until("Bye.");
        terminal.paste("echo af''ter\n");
        await terminal.until("after");
        expect(terminal.screen()).not.toMatch(/200~|201~/);
        const { out } = await home.run(["sessions", "show", "main", "--json"]);
        const { entries } = JSON.parse(out) as {
          entries: Array<{ message?: { role: string; content: Array<{ text: string; pasted?: string }> } }>;
        };
        const said = entries.flatMap(({ message }) => (message?.role === "user" ? [message.content] : []));
        expect(said.map((content) => content.map(({ text, pasted }) => [text, pasted]))).toEqual([
          [
            ["Write to ", undefined],
            ["ann@b.example\nand now", "certain"],
            [" soon", undefined],
          ],
          [["/status", "certain"]],
        ]);
      } finally {
        terminal.close();
      }
    },
  );
});

const chatIn = ({ path }: TestHome) => `PINCER_HOME='${path}' '${process.execPath}' '${pincerBin}' chat`;

/** A real terminal to type at. */
function openTerminal(place: TestHome, command = `${chatIn(place)}; sleep 60`) {
  const socket = join(place.path, "tmux.sock");
  const tmux = (...args: string[]) => execFileSync("tmux", ["-S", socket, ...args], { encoding: "utf8" });
  tmux("-f", "/dev/null", "new-session", "-d", "-s", "chat", "-x", "120", "-y", "40", command);
  const screen = () => tmux("capture-pane", "-p", "-t", "chat");
  /** Looks until it is true; a person's patience is the limit. */
  async function look(isTrue: (shown: string) => boolean, what: string) {
    for (let looks = 0; looks < 600; looks++) {
      if (isTrue(screen())) return;
      await pause(50);
    }
    throw new Error(`${what} is not on the screen:\n${screen()}`);
  }
  return {
    type: (text: string) =>
      tmux("send-keys", "-t", "chat", "-l", text) + tmux("send-keys", "-t", "chat", "Enter"),
    key: (name: string) => tmux("send-keys", "-t", "chat", name),
    /** As a terminal does it: with marks around it where it was asked for them. */
    paste(text: string) {
      tmux("set-buffer", "-b", "pasted", text);
      tmux("paste-buffer", "-p", "-r", "-b", "pasted", "-t", "chat");
    },
    screen,
    until: (text: string) => look((shown) => shown.includes(text), text),
    /** The last thing on the screen is the prompt: the chat hears what is typed next. */
    untilPrompt: () => look((shown) => shown.trimEnd().endsWith("›"), "a prompt at the end"),
    close: () => tmux("kill-server"),
  };
}
