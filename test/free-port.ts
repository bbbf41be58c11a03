import { createServer } from "node:net";

/** Below the ports that the system assigns to programs that ask for any. */
const [first, end] = [10_240, 32_768];

/**
 * A port of this machine that is free, and that stays so until somebody takes it by its number: those who run beside us and ask the system for
 * any port are given others.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = first + Math.floor(Math.random() * (end - first));
    if (await isFree(port)) return port;
  }
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
