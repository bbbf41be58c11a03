/**
 * The other end of the proxy's socket, inside the sandbox: programs know proxies by host and port, and in a network namespace of their own there
 * is nothing on any port. The bridge listens on one of 127.0.0.1, passes everything on to the socket and runs the program. It is handed to Node
 * as a text, so that no file of ours has to be found in there.
 */

/** The arguments for Node that run `file` with `args` behind the bridge. The environment that names the proxy is set by the bridge. */
export const bridgeArguments = ({ socket, port, file, args }: BridgeCall): string[] => [
  "--input-type=module",
  "-e",
  bridgeText,
  "--",
  socket,
  String(port),
  file,
  ...args,
];

export interface BridgeCall {
  /** As the sandbox sees it. */
  socket: string;
  /** Free in there: any is, in a network namespace of its own. */
  port: number;
  file: string;
  args: readonly string[];
}

/**
 * What ends the program ends the bridge, with the same code or signal. Of the signals of a terminal the program hears by itself, since the whole
 * foreground does: they are only passed on where there is no terminal.
 */
const bridgeText = `
import { spawn } from "node:child_process";
import net from "node:net";
import os from "node:os";
import tty from "node:tty";

const [socket, port, file, ...args] = process.argv.slice(1);
const server = net.createServer({ allowHalfOpen: true }, (near) => {
  const far = net.connect({ path: socket, allowHalfOpen: true });
  const end = () => { near.destroy(); far.destroy(); };
  near.on("error", end);
  far.on("error", end);
  near.once("close", () => far.destroy());
  far.once("close", () => near.end());
  near.pipe(far);
  far.pipe(near);
});
server.on("error", (error) => {
  process.stderr.write("pincer: no way to the network: " + error.message + "\\n");
  if (!server.listening) run();
});
server.listen(Number(port), "127.0.0.1", run);

function run() {
  const proxy = "http://127.0.0.1:" + port;
  const own = "localhost,127.0.0.1,::1";
  const env = {
    ...process.env,
    http_proxy: proxy, https_proxy: proxy, all_proxy: proxy, no_proxy: own,
    HTTP_PROXY: proxy, HTTPS_PROXY: proxy, ALL_PROXY: proxy, NO_PROXY: own,
    NODE_USE_ENV_PROXY: "1",
  };
  const heard = ["SIGINT", "SIGQUIT", "SIGTERM", "SIGHUP", "SIGUSR1", "SIGUSR2"];
  const ofTerminal = ["SIGINT", "SIGQUIT"];
  for (const signal of heard)
    process.on(signal, () => {
      if (!(ofTerminal.includes(signal) && tty.isatty(0))) child.kill(signal);
    });
  // Only now: a program that runs before its bridge listens could outlive it.
  const child = spawn(file, args, { stdio: "inherit", env });
  child.on("error", (error) => {
    process.stderr.write("pincer: " + file + ": " + error.message + "\\n");
    process.exit(error.code === "ENOENT" ? 127 : 126);
  });
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
    // A signal that does not end us, because we are the first process of the namespace.
    setTimeout(() => process.exit(128 + (os.constants.signals[signal] ?? 0)), 100);
  });
}
`;
