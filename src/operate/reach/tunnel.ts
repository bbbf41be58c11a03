/** The gateway of another machine, through ssh: its port becomes a local port, reachable only from this machine. */
import { spawn } from "node:child_process";
import { failure } from "../../infra/failure.ts";

export interface Tunnel {
  /** `user@host` or `host`, as ssh knows it. */
  host: string;
  /** Of the gateway there. */
  port: number;
  /** Here. */
  localPort: number;
  sshPort?: number | undefined;
}

/** For `ssh`, one each; no shell reads them. Throws `usage/bad-argument` for a host that is none. Pure. */
export function tunnelArguments({ host, port, localPort, sshPort }: Tunnel): string[] {
  if (!isHost(host)) {
    throw failure(
      "usage/bad-argument",
      "reach.tunnel.bad-host",
      { host },
      { hint: "reach.tunnel.bad-host.hint" },
    );
  }
  return [
    "-N",
    "-L",
    `127.0.0.1:${localPort}:127.0.0.1:${port}`,
    "-o",
    "ExitOnForwardFailure=yes",
    "-o",
    "ServerAliveInterval=30",
    ...(sshPort === undefined ? [] : ["-p", String(sshPort)]),
    // What follows is no option, whatever it begins with.
    "--",
    host,
  ];
}

/** Nothing that ssh or a shell could take for something else: an option, a proxy, a command. */
const isHost = (text: string): boolean =>
  text.length <= 320 &&
  /^(?:[A-Za-z0-9_][A-Za-z0-9_.-]*@)?[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(text);

/** Starts a program that speaks with the terminal itself; resolves to its exit status, null when it was ended. */
export type RunSsh = (args: readonly string[], signal: AbortSignal) => Promise<number | null>;

/** Resolves when it is ended from here. Throws PincerError if ssh cannot be started, or exits. */
export async function runTunnel(tunnel: Tunnel, signal: AbortSignal, run: RunSsh = runSsh): Promise<void> {
  const status = await run(tunnelArguments(tunnel), signal);
  if (signal.aborted) return;
  const named = { status: status ?? "-", host: tunnel.host };
  throw failure("gateway/unreachable", "reach.tunnel.ended", named, { hint: "reach.tunnel.ended.hint" });
}

const runSsh: RunSsh = (args, signal) =>
  new Promise((resolve, reject) => {
    const child = spawn("ssh", args, { stdio: "inherit" });
    const end = () => child.kill("SIGTERM");
    signal.addEventListener("abort", end, { once: true });
    child.once("error", ({ message: reason }) =>
      reject(
        failure(
          "gateway/unreachable",
          "reach.tunnel.no-ssh",
          { reason },
          { hint: "reach.tunnel.no-ssh.hint" },
        ),
      ),
    );
    child.once("exit", (status) => {
      signal.removeEventListener("abort", end);
      resolve(status);
    });
    if (signal.aborted) end();
  });
