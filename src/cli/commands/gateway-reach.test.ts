import { expect, it } from "vitest";
import { createCommandHome } from "../testing/command-home.ts";
import * as gateway from "./gateway.ts";

it("GW-16 prints the command of a tunnel, and refuses a host that is none", async () => {
  const home = await createCommandHome();
  const shown = await home.run(gateway, "gateway", "tunnel", "me@desk", "--port", "9000", "--print");
  expect(shown.out).toBe(
    "ssh -N -L 127.0.0.1:9000:127.0.0.1:9000 -o ExitOnForwardFailure=yes -o ServerAliveInterval=30 -- me@desk\n",
  );
  const refused = await home.run(gateway, "gateway", "tunnel", "me@desk;rm", "--print");
  expect([refused.status, refused.out]).toEqual([2, ""]);
  expect(refused.err).toContain("not a valid host");
});

it("GW-16 says what it found on the local network, as one document too", async () => {
  const home = await createCommandHome();
  const found = await home.run(gateway, "gateway", "discover", "--seconds", "1", "--json");
  expect(found.json()).toEqual({ gateways: expect.any(Array) });
});
