/** A small IRC server that can misbehave. Like a bouncer it replays what people wrote to new connections. */
import { createServer, type AddressInfo, type Socket } from "node:net";
import { createInterface } from "node:readline";

export interface IrcServer {
  port: number;
  /** What came from the client, all of it. */
  lines: string[];
  /** What people see, as `target text`. */
  shown: string[];
  /** Sent now, and again to later connections. */
  say(line: string): void;
  /** Told now, as it is. */
  tell(bytes: string | Buffer): void;
  /** Answers to the next PRIVMSG instead of showing it; `cut` ends the connection. */
  failNext(answer: string | "cut"): void;
  options: ServerOptions;
  /** Resolves when the client has sent a line like this. */
  until(pattern: RegExp): Promise<void>;
  cut(): void;
  close(): Promise<void>;
}

export interface ServerOptions {
  capabilities: string;
  /** Nicks that are taken. */
  taken: string[];
  /** Account and password that are let in. */
  login?: { account: string; password: string };
  serverPassword?: string;
  /** Who has which nick, as WHOIS tells: user, host and perhaps account. */
  people: Record<string, { user: string; host: string; account?: string }>;
  isSilent: boolean;
}

export async function startIrcServer(given: Partial<ServerOptions> = {}): Promise<IrcServer> {
  const options: ServerOptions = {
    capabilities: "message-tags account-tag server-time sasl",
    taken: [],
    people: {},
    isSilent: false,
    ...given,
  };
  const sockets = new Set<Socket>();
  const remembered: string[] = [];
  const failing: string[] = [];
  const watchers = new Set<() => void>();
  const lines: string[] = [];
  const shown: string[] = [];

  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    const client = { nick: "*", isNegotiating: false, isIn: false, password: "", secret: "" };
    const write = (line: string) => void (socket.writable && socket.write(`${line}\r\n`));
    const number = (code: string, ...rest: string[]) =>
      write(`:irc.test ${code} ${client.nick} ${rest.join(" ")}`);

    function welcome(): void {
      if (client.isIn || client.isNegotiating || client.nick === "*") return;
      if (options.serverPassword !== undefined && client.password !== options.serverPassword) {
        number("464", ":Password incorrect");
        return void socket.end("ERROR :Closing link: bad password\r\n");
      }
      client.isIn = true;
      number("001", `:Welcome ${client.nick}`);
      for (const line of remembered) write(line);
    }

    const input = createInterface({ input: socket });
    // The socket's own failures are told here too.
    input.on("error", () => socket.destroy());
    input.on("line", (line) => {
      lines.push(line);
      for (const watch of watchers) watch();
      const [command = "", first = "", ...more] = line.split(" ");
      const last = line.includes(" :") ? line.slice(line.indexOf(" :") + 2) : (more.at(-1) ?? first);
      const one = first.replace(/^:/, "");
      if (options.isSilent) return;
      if (command === "PASS") client.password = last;
      if (command === "CAP" && one === "LS") {
        client.isNegotiating = true;
        write(`:irc.test CAP * LS :${options.capabilities}`);
      }
      if (command === "CAP" && one === "REQ") write(`:irc.test CAP * ACK :${last.trim()}`);
      if (command === "CAP" && one === "END") client.isNegotiating = false;
      if (command === "AUTHENTICATE" && one === "PLAIN") write("AUTHENTICATE +");
      if (command === "AUTHENTICATE" && one !== "PLAIN") {
        const [, account, password] = Buffer.from(one, "base64").toString().split("\0");
        const isRight = account === options.login?.account && password === options.login?.password;
        number(
          isRight ? "903" : "904",
          isRight ? ":SASL authentication successful" : ":SASL authentication failed",
        );
      }
      if (command === "NICK" && options.taken.includes(one))
        number("433", one, ":Nickname is already in use");
      else if (command === "NICK") {
        if (client.isIn) write(`:${client.nick}!~pincer@client.test NICK :${one}`);
        client.nick = one;
      }
      if (["CAP", "NICK", "USER"].includes(command)) welcome();
      if (command === "PING") write(`:irc.test PONG irc.test :${one}`);
      if (command === "JOIN") write(`:${client.nick}!~pincer@client.test JOIN :${one}`);
      if (command === "WHOIS") {
        const person = options.people[one];
        if (!person) number("401", one, ":No such nick");
        else number("311", one, person.user, person.host, "*", ":Somebody");
        if (person?.account) number("330", one, person.account, ":is logged in as");
        number("318", one, ":End of WHOIS list");
      }
      if (command === "PRIVMSG") {
        const answer = failing.shift();
        if (answer === "cut") socket.destroy();
        else if (answer === undefined) shown.push(`${one} ${last}`);
        else number(answer, one, ":No");
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

  const tell = (bytes: string | Buffer) => {
    for (const socket of sockets) socket.write(bytes);
  };
  return {
    port: (server.address() as AddressInfo).port,
    lines,
    shown,
    options,
    say(line) {
      remembered.push(line);
      tell(`${line}\r\n`);
    },
    tell,
    failNext: (answer) => void failing.push(answer),
    until: (pattern) =>
      new Promise((resolve) => {
        const look = () => {
          if (!lines.some((line) => pattern.test(line))) return;
          watchers.delete(look);
          resolve();
        };
        watchers.add(look);
        look();
      }),
    cut() {
      for (const socket of sockets) socket.destroy();
    },
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
