/** A terminal with somebody at it: what is typed goes in as keys, and everything that is written is on one screen. */
import { PassThrough, Writable } from "node:stream";
import { createFakeTerminal, type FakeTerminal } from "./fake-terminal.ts";

export interface ChatScreen {
  terminal: FakeTerminal;
  keys: PassThrough;
  /** All of it so far. */
  screen(): string;
}

export function createChatScreen(): ChatScreen {
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
  return { terminal, keys, screen: () => screen };
}
