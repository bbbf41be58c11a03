/** The network: the machine's, its neighbours', its sockets, and the one way that is allowed. */
import { createServer } from "node:http";
import { join } from "node:path";
import { expect, it } from "vitest";
import { bubblewrapHere } from "./cell.ts";
import { networkTricks } from "./tricks.ts";
import { tryTricks } from "./try-tricks.ts";

await tryTricks({
  kind: "bubblewrap",
  row: "SAFE-04",
  build: bubblewrapHere,
  tricks: networkTricks,
  more(cell) {
    it("reaches hosts through the broker's socket and in no other way", async () => {
      const asked: string[] = [];
      const broker = createServer((request, response) => {
        asked.push(request.url ?? "");
        response.end("through the broker");
      });
      const socket = join(cell.outside, "broker.sock");
      await new Promise<void>((resolve) => {
        broker.listen({ path: socket, writableAll: true }, resolve);
      });
      const network = { type: "broker", socket, hosts: ["example.org"] } as const;
      const ask = `"$NODE" -e 'const { hostname, port } = new URL(process.env.http_proxy); require("node:http").get({ hostname, port, path: "http://example.org/page" }, (r) => r.pipe(process.stdout))'; echo; ${networkTricks.map(({ script }) => script).join("; ")}`;
      const { text } = await cell.run(ask, { enclosure: { network } });
      const { status } = await cell.run("exit 5", { enclosure: { network } });
      await new Promise((resolve) => broker.close(resolve));
      expect(text).toContain("through the broker");
      expect(asked).toEqual(["http://example.org/page"]);
      expect(text).not.toContain("ESCAPED");
      expect(status).toBe(5);
    });
  },
});
