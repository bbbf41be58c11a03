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
});

/** A real terminal to type at. */
function openTerminal({ path }: TestHome) {
  const socket = join(path, "tmux.sock");
  const tmux = (...args: string[]) => execFileSync("tmux", ["-S", socket, ...args], { encoding: "utf8" });
  const command = `PINCER_HOME='${path}' '${process.execPath}' '${pincerBin}' chat; sleep 60`;
  tmux("-f", "/dev/null", "new-session", "-d", "-s", "chat", "-x", "120", "-y", "40", command);
  const screen = () => tmux("capture-pane", "-p", "-t", "chat");
  return {
    type: (text: string) =>
      tmux("send-keys", "-t", "chat", "-l", text) + tmux("send-keys", "-t", "chat", "Enter"),
    key: (name: string) => tmux("send-keys", "-t", "chat", name),
    /** Looks until the text is on the screen; a person's patience is the limit. */
    async until(text: string) {
      for (let look = 0; look < 600; look++) {
        if (screen().includes(text)) return;
        await pause(50);
      }
      expect(screen()).toContain(text);
    },
    close: () => tmux("kill-server"),
  };
}
