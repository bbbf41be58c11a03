import { PassThrough } from "node:stream";
import { createHandClock } from "@pincer/sdk/testing";
import { describe, expect, it } from "vitest";
import { createDial, type Connect, type Connection } from "./checked-dial.ts";
import { createHostRules } from "./host-rules.ts";
import { rejection } from "./testing/local-servers.ts";

const { signal } = new AbortController();
const place = { host: "two.example", port: 443 };
const addresses = ["93.184.216.34", "93.184.216.35"];

/** Takes the connection, leads elsewhere, or breaks, by address. */
function stage(ends: Record<string, "taken" | "elsewhere" | "broken">) {
  const dialled: string[] = [];
  const connect: Connect = ({ address }) => {
    dialled.push(address);
    const socket: Connection = new PassThrough();
    socket.remoteAddress = ends[address] === "elsewhere" ? "93.184.216.99" : address;
    queueMicrotask(() =>
      ends[address] === "broken" ? socket.destroy(new Error("reset")) : socket.emit("connect"),
    );
    return socket;
  };
  const rules = createHostRules({ allow: [], deny: [], allowPrivate: [] });
  const dial = createDial({ rules, clock: createHandClock(), lookup: async () => addresses, connect });
  return { dial: () => dial(place, signal), dialled };
}

describe("a name with several addresses", () => {
  it("is dialled at the next one where one does not take the connection", async () => {
    const { dial, dialled } = stage({ "93.184.216.34": "broken", "93.184.216.35": "taken" });
    expect((await dial()).remoteAddress).toBe("93.184.216.35");
    expect(dialled).toEqual(addresses);
  });

  it("is refused at once where a connection leads elsewhere than it was dialled to", async () => {
    const { dial, dialled } = stage({ "93.184.216.34": "elsewhere", "93.184.216.35": "taken" });
    expect(await rejection(dial())).toMatchObject({ code: "refused" });
    expect(dialled).toEqual(["93.184.216.34"]);
  });

  it("is unavailable where none of them takes the connection", async () => {
    const { dial, dialled } = stage({ "93.184.216.34": "broken", "93.184.216.35": "broken" });
    expect(await rejection(dial())).toMatchObject({ code: "unavailable" });
    expect(dialled).toEqual(addresses);
  });
});
