/** As much of the library as is used here; it comes without types. */
declare module "irc-framework" {
  import type { Socket } from "node:net";
  type Mask = Record<"nick" | "ident" | "hostname", string>;
  export type IrcMessage = Mask & { command: string; params: string[]; tags: Record<string, string> };
  class Client {
    connect(options: object): void;
    raw(line: string): void;
    on(event: "socket close", listener: (error: NodeJS.ErrnoException | false) => void): void;
    on(event: "raw socket connected", listener: (socket: Socket) => void): void;
    raw_middleware: { use(step: (...args: [string, IrcMessage, string, Client, () => void]) => void): void };
    connection: { end(lastLine: null, isForced: true): void };
  }
  const irc: { Client: typeof Client };
  export default irc;
}
