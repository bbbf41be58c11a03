/** A real server in a directory of its own, and people who talk on it. */
import { execFile, spawn } from "node:child_process";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { freePort } from "../../../test/free-port.ts";

export interface Ngircd {
  port: number;
  tlsPort: number;
  /** The server's self-signed certificate. */
  certificate: string;
  person(nick: string): Promise<Person>;
  /** Kills the server and starts it again on the same ports. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export interface Person {
  /** What the server told, all of it. */
  lines: string[];
  write(line: string): void;
  /** Resolves to the first line like this that has not been waited for. */
  until(pattern: RegExp): Promise<string>;
  close(): void;
}

export async function startNgircd(): Promise<Ngircd> {
  const directory = await mkdtemp(join(tmpdir(), "ngircd-"));
  await chmod(directory, 0o755);
  const [port, tlsPort] = [await freePort(), await freePort()];
  const [key, certificate] = [join(directory, "key.pem"), join(directory, "cert.pem")];
  const names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
  const make = [
    "req",
    "-x509",
    "-newkey",
    "rsa:2048",
    "-nodes",
    "-days",
    "2",
    "-keyout",
    key,
    "-out",
    certificate,
  ];
  await promisify(execFile)("openssl", [...make, ...names]);
  await chmod(key, 0o644);
  const config = join(directory, "ngircd.conf");
  await writeFile(
    config,
    `[Global]
Name = irc.test.local
Info = test
Listen = 127.0.0.1
Ports = ${port}
MotdPhrase = hello
ServerUID = ${process.getuid?.() === 0 ? "nobody" : process.getuid?.()}
ServerGID = ${process.getuid?.() === 0 ? "nogroup" : process.getgid?.()}
[Limits]
MaxConnectionsIP = 0
MaxNickLength = 20
MaxPenaltyTime = 0
[Options]
DNS = no
Ident = no
PAM = no
[SSL]
CertFile = ${certificate}
KeyFile = ${key}
Ports = ${tlsPort}
`,
  );

  async function start() {
    const child = spawn("ngircd", ["-n", "-f", config], { stdio: ["ignore", "pipe", "pipe"] });
    let said = "";
    for (const output of [child.stdout, child.stderr])
      output.on("data", (text: Buffer) => (said += text.toString()));
    const gone = new Promise<void>((resolve) => child.once("close", () => resolve()));
    const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
    while (!hasEnded() && !(await isListening(port)));
    if (hasEnded()) throw new Error(`ngircd did not start: ${said}`);
    return async () => {
      child.kill("SIGKILL");
      await gone;
    };
  }
  let stop = await start();
  const people: Person[] = [];
  return {
    port,
    tlsPort,
    certificate: await readFile(certificate, "utf8"),
    async person(nick) {
      const one = openPerson(port);
      people.push(one);
      one.write(`NICK ${nick}`);
      one.write(`USER ${nick} 0 * :${nick}`);
      await one.until(/ 001 /);
      return one;
    },
    async restart() {
      await stop();
      stop = await start();
    },
    async close() {
      for (const one of people) one.close();
      await stop();
      await rm(directory, { recursive: true });
    },
  };
}

function openPerson(port: number): Person {
  const socket = createConnection(port, "127.0.0.1");
  const lines: string[] = [];
  const watchers = new Set<() => void>();
  let read = 0;
  const input = createInterface({ input: socket });
  input.on("line", (line) => {
    lines.push(line);
    if (line.startsWith("PING")) socket.write(`PONG ${line.slice(5)}\r\n`);
    for (const watch of watchers) watch();
  });
  // A server that was killed is what some tests want.
  for (const source of [socket, input]) source.on("error", () => socket.destroy());
  return {
    lines,
    write: (line) => void socket.write(`${line}\r\n`),
    until: (pattern) =>
      new Promise((resolve) => {
        const look = () => {
          const at = lines.findIndex((line, index) => index >= read && pattern.test(line));
          if (at < 0) return;
          watchers.delete(look);
          read = at + 1;
          resolve(lines[at] ?? "");
        };
        watchers.add(look);
        look();
      }),
    close: () => socket.destroy(),
  };
}

/** A no comes after a moment. */
const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createConnection(port, "127.0.0.1");
    socket.once("connect", () => resolve(true));
    socket.once("error", () => setTimeout(resolve, 20, false));
    socket.once("connect", () => socket.destroy());
  });
