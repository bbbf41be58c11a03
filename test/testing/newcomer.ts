/**
 * A newcomer at a terminal, in a home of their own: `pincer` on the PATH as `npm link` puts it, and of the network
 * two servers, a model's and Telegram's, which this process plays at their real addresses.
 */
import { LLMock } from "@copilotkit/aimock";
import { spawn } from "@lydell/node-pty";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { vi } from "vitest";
import { createFakeBotApi, type FakeBotApi } from "../../channels/telegram/src/testing/fake-bot-api.ts";
import { freePort } from "../free-port.ts";
import { pincerBin } from "../run-pincer.ts";

export const checkout = fileURLToPath(new URL("../..", import.meta.url));

export interface Terminal {
  /** Everything that was on the screen, without colours and moves of the cursor. */
  screen(): string;
  keys(text: string): void;
  /** Until the text has been on the screen, after what was waited for last. */
  until(text: string): Promise<void>;
  /** The exit status. */
  ended: Promise<number>;
}

export interface Newcomer {
  home: string;
  port: number;
  model: LLMock;
  telegram: FakeBotApi;
  /** Types a command line in the checkout. */
  type(line: string, environment?: Record<string, string>): Terminal;
  close(): Promise<void>;
}

export async function createNewcomer(): Promise<Newcomer> {
  const place = mkdtempSync(join(tmpdir(), "pincer-newcomer-"));
  const home = join(place, "home");
  const programs = join(place, "bin");
  for (const directory of [home, programs]) mkdirSync(directory);
  const model = new LLMock({ port: 0 });
  await model.start();
  const telegram = await createFakeBotApi();
  const port = await freePort();
  symlinkSync(pincerBin, join(programs, "pincer"));
  writeFileSync(join(programs, "systemctl"), fakeSystemctl, { mode: 0o755 });
  writeFileSync(join(place, "network.mjs"), smallNetwork);
  const own = {
    HOME: home,
    PATH: [programs, dirname(process.execPath), process.env["PATH"]].join(":"),
    TERM: "xterm-256color",
    LANG: "C.UTF-8",
    PINCER_PORT: String(port),
    OTHER_PORT: String(await freePort()),
    NODE_OPTIONS: `--import=${join(place, "network.mjs")}`,
    SERVERS: JSON.stringify({ "api.anthropic.com": model.url, "api.telegram.org": telegram.apiRoot }),
    npm_config_update_notifier: "false",
  };
  const open = new Set<() => void>();

  function type(line: string, environment: Record<string, string> = {}): Terminal {
    const terminal = spawn("sh", ["-c", line], {
      cols: 200,
      rows: 50,
      cwd: checkout,
      env: { ...own, ...environment },
    });
    const kill = () => terminal.kill("SIGKILL");
    open.add(kill);
    let seen = "";
    let read = 0;
    terminal.onData((data) => (seen += data));
    const ended = new Promise<number>((resolve) =>
      terminal.onExit(({ exitCode }) => {
        open.delete(kill);
        resolve(exitCode);
      }),
    );
    const screen = () => stripVTControlCharacters(seen).replaceAll("\r", "");
    const look = (text: string) => {
      const at = screen().indexOf(text, read);
      if (at < 0) throw new Error(`${line}: no ${JSON.stringify(text)} in\n${screen()}`);
      read = at + text.length;
    };
    return {
      screen,
      ended,
      keys: (text) => terminal.write(text),
      until: (text) => vi.waitFor(() => look(text), { timeout: 90_000, interval: 20 }),
    };
  }

  return {
    home,
    port,
    model,
    telegram,
    type,
    async close() {
      // Ends when the gateway has ended, also one that the fake systemctl started.
      await type("pincer gateway stop").ended;
      for (const kill of open) kill();
      await model.stop();
      await telegram.close();
      rmSync(place, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
    },
  };
}

/** Runs the unit of the user as systemd does: in a process of its own, with what the unit says and nothing to read. */
const fakeSystemctl = `#!/bin/sh
unit=$HOME/.config/systemd/user/pincer.service
case "$*" in
*enable*--now*)
  variables=$(sed -n 's/^Environment=//p' "$unit" | tr '\\n' ' ')
  command=$(sed -n 's/^ExecStart=//p' "$unit")
  ( eval "exec setsid env $variables $command" ) </dev/null >/dev/null 2>&1 &
  echo $! >"$HOME/unit.pid" ;;
esac
exit 0
`;

/** Loaded before each program: a request to one of the servers goes to the one that plays it, any other nowhere. */
const smallNetwork = `
const getBuiltin = process.getBuiltinModule;
const servers = JSON.parse(process.env.SERVERS);
let own;
const fetch = globalThis.fetch;
globalThis.fetch = (address, init) => {
  const { hostname, pathname, search } = new URL(address);
  return fetch(servers[hostname] ? servers[hostname] + pathname + search : address, init);
};
process.getBuiltinModule = (name) => (name === "node:https" ? (own ??= make()) : getBuiltin(name));
function make() {
  const http = getBuiltin("node:http");
  const request = (first, second) => {
    const { hostname, pathname, search = "", path = pathname + search } =
      typeof first === "string" ? new URL(first) : first;
    const { method, headers } = second ?? first;
    const target = new URL(servers[hostname] ?? "http://nowhere.invalid");
    return http.request({ hostname: target.hostname, port: target.port, path, method, headers });
  };
  return { ...getBuiltin("node:https"), request };
}
`;
