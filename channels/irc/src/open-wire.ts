/**
 * The connection to a server: registers, keeps a nick, and passes on what the server says. The library implements the
 * protocol; lines without end, and lines that make it throw, are stopped here.
 */
import type { Socket } from "node:net";
import { SendError, createConnectionLife, createHearing, readableWords, watchLines } from "@pincer/sdk";
import type { ChannelHost } from "@pincer/sdk";
import type { IrcMessage } from "irc-framework";
import type { IrcConfig } from "./irc-config.ts";

/** IRCv3 has up to 8191 bytes of tags and 512 of message. */
const longestLineBytes = 16_384;
const nickTries = 5;

/** Resolves when the server has let us in. Throws SendError. */
export async function openWire(config: IrcConfig, host: ChannelHost) {
  const { default: irc } = await import("irc-framework");
  const client = new irc.Client();
  const life = createConnectionLife(host);
  life.ended.addEventListener("abort", () => {
    write("QUIT", "bye");
    client.connection.end(null, true);
  });
  const hearing = createHearing<IrcMessage>();
  let [nick, tries, tokens, isLoggedIn, lastWords] = [config.nick, 0, 0, false, ""];
  let socket: Socket | undefined;

  function write(...words: string[]): void {
    const clean = words.map((word) => word.replaceAll(/[\r\n\0]/g, " "));
    client.raw([...clean.slice(0, -1), `:${clean.at(-1)}`].join(" "));
  }
  const refuse = (words: string) => life.end(new SendError("rejected", words));

  function take({ command, params, nick: sender }: IrcMessage): void {
    const last = readableWords(params.at(-1) ?? "");
    if (command === "NICK" && sender === nick) nick = params.at(-1) ?? nick;
    if (command === "ERROR") lastWords = last;
    if (command === "900" || command === "903") isLoggedIn = true;
    if (life.state() !== "opening") return;
    if (/^90[24568]$/.test(command)) refuse(`the login was refused: ${last}`);
    if (/^(432|464|465)$/.test(command)) refuse(last);
    if (/^43[367]$/.test(command)) takeOtherNick();
    if (command === "001") welcome(params[0] ?? nick);
  }
  function takeOtherNick(): void {
    if (++tries > nickTries) return refuse(`the nick ${config.nick} and those like it are taken`);
    nick = `${config.nick.slice(0, 30 - tries)}${"_".repeat(tries)}`;
    write("NICK", nick);
  }
  function welcome(given: string): void {
    if (isSasl(config) && !isLoggedIn) return refuse('no SASL here; set login to "nickserv" if it has that');
    nick = given;
    life.open();
  }

  client.raw_middleware.use((_command, message, _line, _client, next) => {
    if (life.state() === "over") return;
    try {
      next();
    } catch (error) {
      // The library trusts the number of parameters, and prints what it stumbles over.
      host.log.warn(`a line of the server was skipped: ${String(error)}`);
    }
    take(message);
    hearing.tell(message);
  });
  client.on("raw socket connected", (connected) => {
    socket = connected;
    const endless = new SendError("unavailable", "the server sent an endless line");
    socket.on(
      "data",
      watchLines(longestLineBytes, () => life.end(endless)),
    );
  });
  client.on("socket close", (error) => {
    const { code = "", message } = error || { message: "the server closed the connection" };
    // Retrying does not help against an untrusted certificate.
    const word = /CERT|SIGNATURE/.test(code) ? "rejected" : "unavailable";
    life.end(new SendError(word, lastWords || readableWords(message)));
  });
  if (life.state() === "opening") client.connect(optionsOf(config));
  await life.opened;

  return {
    /** The nick in use, which need not be the one that was wished for. */
    nick: () => nick,
    /** One line, whatever is in the words. Does nothing when the connection has ended. */
    write,
    /** With a reason it counts as lost. Safe to call twice; never throws. */
    end: (reason?: string) =>
      life.end(new SendError("closed", reason ?? "the connection was closed"), reason !== undefined),
    /** Aborts with the connection. */
    ended: life.ended,
    /** Whether to read on. */
    flow: (isOpen: boolean) => void (isOpen ? socket?.resume() : socket?.pause()),
    listen: hearing.listen,
    /** Runs `act`, and answers with what the server said until it had dealt with everything. Throws when the signal aborts. */
    exchange(act: () => void | Promise<void>, signal: AbortSignal): Promise<IrcMessage[]> {
      const token = `pincer-${++tokens}`;
      const isAnswer = ({ command, params }: IrcMessage) => command === "PONG" && params.at(-1) === token;
      return hearing.exchange({ act, ask: () => write("PING", token), isAnswer, signal });
    },
  };
}

const isSasl = ({ password, login }: IrcConfig): boolean => password !== undefined && login === "sasl";

function optionsOf(config: IrcConfig): object {
  const { server: host, port, tls, nick, account = nick, password, serverPassword } = config;
  // Programs that ask for the version get no answer; the host connects again, and its clock counts the time.
  const own = { username: "pincer", gecos: "Pincer", version: "", auto_reconnect: false, ping_interval: 0 };
  // An account is never left out: the library would log in with the server's password.
  const login = { account: isSasl(config) ? { account, password } : {}, password: serverPassword };
  return { ...own, ...login, host, port, tls, rejectUnauthorized: true, nick, ping_timeout: 0 };
}
