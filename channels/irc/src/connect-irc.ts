/** One connection in use: what comes in is stored in order, what goes out is paced, and a server that falls silent is noticed. */
import { SendError, createIntake, createLineSender, createPace, createRecent, isSameName } from "@pincer/sdk";
import { keepAsking, readableWords, refuseInClear } from "@pincer/sdk";
import type { ChannelConnection, ChannelHost, Target } from "@pincer/sdk";
import { plainLines } from "@pincer/sdk/markdown";
import type { IrcMessage } from "irc-framework";
import type { IrcConfig } from "./irc-config.ts";
import { openWire } from "./open-wire.ts";
import { personOf, readMessage } from "./read-message.ts";

const beatMs = 20_000;
/** How many times we ask to rejoin a channel that removed us. */
const settleBeats = 3;
const burst = 5;
/** More would take longer than the host waits. */
const mostLines = 20;
const codes = { strong: "\x02", emphasis: "\x1d", delete: "\x1e", code: "\x11" };

export async function connectIrc(config: IrcConfig, host: ChannelHost): Promise<ChannelConnection> {
  if (!config.tls) refuseInClear(config.server, config.password ?? config.serverPassword);
  const wire = await openWire(config, host);
  const intake = createIntake(host, { signal: wire.ended, onFlow: wire.flow });
  const pace = createPace(host.clock, { everyMs: config.paceMs, burst });
  const joins = config.channels.map((each) => each.split(" "));
  const channels = joins.map(([channel = ""]) => channel);
  const joined = new Set<string>();
  /** Under which nick a person was last heard, and how often the same was said. */
  const [nickOf, counts] = [createRecent<string>(), createRecent<number>()];

  wire.listen((message) => {
    host.alive();
    const { command, nick, params } = message;
    const [channel = "", second = ""] = params;
    if (command === "JOIN" && isSameName(nick, wire.nick())) joined.add(channel.toLowerCase());
    if (command === "KICK" && isSameName(second, wire.nick())) joined.delete(channel.toLowerCase());
    if (/^(403|405|47\d|489)$/.test(command)) host.log.warn(readableWords(params.slice(1).join(" ")));
    if (command !== "PRIVMSG") return;
    const now = host.clock.now();
    const received = readMessage(message, { nicks: [wire.nick(), config.nick], channels, now, counts });
    if (!received) return;
    nickOf.set(received.sender.id, nick);
    intake.push(received);
  });

  /** Into the channels that we are not in, and back to our nick. */
  function settle(): void {
    const outside = joins.filter(([channel = ""]) => !joined.has(channel.toLowerCase()));
    for (const join of outside) wire.write("JOIN", ...join);
    if (!isSameName(wire.nick(), config.nick)) wire.write("NICK", config.nick);
  }

  /** The recipient's address. Looks a nick up each time: its new owner must not read what was meant for another. */
  async function addressOf({ peerKind, peerId }: Target, signal: AbortSignal): Promise<string> {
    if (peerKind !== "user") {
      const channel = channels.find((each) => isSameName(each, peerId));
      if (channel !== undefined && joined.has(channel.toLowerCase())) return channel;
      throw new SendError(channel === undefined ? "rejected" : "unavailable", `we are not in ${peerId}`);
    }
    const nick = peerId.includes("!") ? (peerId.split("!")[0] ?? "") : (nickOf.get(peerId) ?? peerId);
    if (!/^[^\s,:#&+$!@*?\p{Cc}][^\s,!@*?\p{Cc}]*$/u.test(nick))
      throw new SendError("rejected", "that is not a valid nick");
    await pace.take(signal);
    const said = await wire.exchange(() => wire.write("WHOIS", nick), signal);
    const told = (code: string) =>
      said.find(({ command, params }) => command === code && isSameName(params[1] ?? "", nick));
    const [, own = "", ident = "", hostname = ""] = told("311")?.params ?? [];
    const { id } = personOf({ nick: own, ident, hostname }, told("330")?.params[2]);
    if (id !== peerId) throw new SendError("unavailable", `${peerId} is not there as ${nick}`);
    return nick;
  }

  if (config.password !== undefined && config.login === "nickserv")
    wire.write("PRIVMSG", "NickServ", `IDENTIFY ${config.account ?? config.nick} ${config.password}`);
  await wire.exchange(settle, wire.ended);
  void keepAsking(host.clock, {
    everyMs: beatMs,
    ask: () => wire.exchange(() => undefined, wire.ended),
    onAnswer: (count) => void (count % settleBeats === 0 && settle()),
    onSilence: () => wire.end("the server no longer answers"),
    signal: wire.ended,
  });

  const network = {
    addressOf,
    linesOf(text: string, address: string) {
      const rules = { bytes: textBytesFor(wire.nick(), address), most: mostLines };
      return plainLines(text, config.formatting ? { ...rules, marks: codes } : rules);
    },
    write: (address: string, line: string) => wire.write("PRIVMSG", address, line),
    async confirm(address: string, act: () => Promise<void>, signal: AbortSignal) {
      refuseIfComplained(await wire.exchange(act, signal), address);
    },
  };
  return {
    heartbeatSeconds: (beatMs / 1000) * 1.5,
    send: createLineSender(network, { pace, ended: wire.ended }),
    close: async () => wire.end(),
  };
}

/** A line has 512 bytes, with its end, and as the others get it: with our whole mask before it. */
const textBytesFor = (nick: string, address: string): number =>
  510 - Buffer.byteLength(`:${nick}!~${"u".repeat(10)}@${"h".repeat(63)} PRIVMSG ${address} :`);

/** What the server said against it, by number. */
function refuseIfComplained(said: readonly IrcMessage[], address: string): void {
  for (const { command, params } of said) {
    if (!/^(263|[45]\d\d)$/.test(command) || !isSameName(params[1] ?? "", address)) continue;
    const words = `the server said: ${readableWords(params.at(-1) ?? "")}`;
    if (/^(263|439)$/.test(command)) throw new SendError("rate-limited", words);
    throw new SendError(command === "401" ? "unavailable" : "rejected", words);
  }
}
