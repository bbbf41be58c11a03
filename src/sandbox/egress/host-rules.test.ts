import { describe, expect, it } from "vitest";
import { ownAddresses, isInTheWorld } from "./address-class.ts";
import { rejection } from "./testing/local-servers.ts";
import { recordedEgress } from "./testing/recorded-egress.ts";

const signal = new AbortController().signal;
const names = {
  "example.org": ["93.184.216.34"],
  "a.example.org": ["93.184.216.35"],
  "badexample.org": ["93.184.216.36"],
  "nas.lan": ["192.168.1.5", "fd00::5"],
  "xn--mnchen-3ya.example": ["93.184.216.37"],
};

async function isReached(url: string, rules: Parameters<typeof recordedEgress>[1]): Promise<boolean> {
  const { egress, dialled } = recordedEgress(names, rules);
  await egress.request({ url, signal }).catch(() => undefined);
  return dialled.length > 0;
}

describe("the hosts that may be reached", () => {
  it.each([
    ["example.org", "http://example.org/", true],
    ["EXAMPLE.org.", "http://example.org/", true],
    ["example.org", "http://example.org./", true],
    ["example.org", "http://a.example.org/", false],
    ["*.example.org", "http://a.example.org/", true],
    ["*.example.org", "http://example.org/", false],
    ["*.example.org", "http://badexample.org/", false],
    ["*", "http://badexample.org/", true],
    ["example.org:8080", "http://example.org:8080/", true],
    ["example.org:8080", "http://example.org/", false],
    ["example.org:22", "http://example.org:22/", true],
    ["example.org", "http://example.org:22/", false],
    ["münchen.example", "http://xn--mnchen-3ya.example/", true],
    ["8.8.8.8", "http://8.8.8.8/", true],
    ["8.8.8.0/24", "http://8.8.8.8/", true],
    ["8.8.4.0/24", "http://8.8.8.8/", false],
    ["[2606:4700:4700::1111]:8080", "http://[2606:4700:4700::1111]:8080/", true],
    ["2606:4700:4700::1111", "http://[2606:4700:4700:0::1111]/", true],
    ["not a host", "http://example.org/", false],
    ["", "http://example.org/", false],
  ])("with %j allowed, %s: %s", async (entry, url, expected) => {
    expect(await isReached(url, { allow: [entry] })).toBe(expected);
  });

  it.each([
    ["example.org", "http://example.org/", false],
    ["example.org", "http://EXAMPLE.ORG.:8080/", false],
    ["example.org:8080", "http://example.org/", true],
    ["93.184.216.0/24", "http://example.org/", false],
    ["93.184.216.34", "http://example.org/", false],
    ["*.org", "http://a.example.org/", false],
  ])("with %j denied, %s: %s", async (entry, url, expected) => {
    expect(await isReached(url, { deny: [entry] })).toBe(expected);
    expect(await isReached(url, { deny: [entry], allow: ["*"], allowPrivate: ["*"] })).toBe(expected);
  });

  it.each([
    ["http://127.0.0.1:8080/", {}, "this machine"],
    ["http://[::1]/", {}, "this machine"],
    ["http://localhost/", {}, "this machine"],
    ["http://10.0.0.5/", {}, "this machine or its network"],
    ["ftp://example.org/", {}, "only http and https"],
    ["no address", {}, "not an address"],
    ["http://example.org/", { deny: ["example.org"] }, "may not be reached"],
    ["http://8.8.8.8/", { deny: ["8.8.8.0/24"] }, "may not be reached"],
    ["http://127.0.0.1/", { allowPrivate: ["127.0.0.1"] }, "let through"],
    ["http://nas.lan/", {}, "let through"],
    ["http://example.org/", {}, "let through"],
  ])(
    "%s with %j is refused beforehand where that is known, and nobody is asked",
    async (url, rules, reason) => {
      const { egress, dialled, lookedUp } = recordedEgress(names, rules);
      const refused = await egress.check?.(url).then(
        () => "let through",
        (error: Error) => error.message,
      );
      expect(refused).toContain(reason);
      expect([...dialled, ...lookedUp]).toEqual([]);
    },
  );

  it("are asked of no name server where they are not allowed: a name can carry a secret", async () => {
    const { egress, lookedUp } = recordedEgress(names, { allow: ["example.org"] });
    await rejection(egress.request({ url: "http://secret.badexample.org/", signal }));
    await rejection(egress.dial({ host: "example.org", port: 80 }, { allow: [] }, signal));
    expect(lookedUp).toEqual([]);
  });

  it("are narrowed for programs by what is named for them", async () => {
    const { egress, dialled } = recordedEgress(names, { allow: ["*.example.org", "example.org"] });
    const dial = (host: string, allow: string[]) =>
      rejection(egress.dial({ host, port: 443 }, { allow }, signal));
    expect(await dial("example.org", ["badexample.org"])).toMatchObject({ code: "refused" });
    expect(await dial("badexample.org", ["badexample.org"])).toMatchObject({ code: "refused" });
    expect(await dial("example.org", ["example.org"])).toBeUndefined();
    expect(dialled).toEqual(["93.184.216.34:443"]);
  });
});

describe("what the owner opened of the inside", () => {
  it.each([
    ["127.0.0.1:8080", "http://127.0.0.1:8080/", true],
    ["127.0.0.1:8080", "http://localhost:8080/", true],
    ["127.0.0.1:8080", "http://127.1:8080/", true],
    ["127.0.0.1:8080", "http://127.0.0.1:8081/", false],
    ["127.0.0.1:8080", "http://127.0.0.2:8080/", false],
    ["192.168.1.0/24", "http://192.168.1.7/", true],
    ["192.168.1.0/24", "http://nas.lan/", true],
    ["192.168.1.0/24", "http://192.168.2.7/", false],
    ["nas.lan:8080", "http://nas.lan:8080/", true],
    ["nas.lan:8080", "http://nas.lan/", false],
    ["nas.lan", "http://192.168.1.5/", false],
    ["[::1]:8080", "http://[::1]:8080/", true],
    ["fd00::/8", "http://[fd12::1]/", true],
    ["127.0.0.1:6379", "http://127.0.0.1:6379/", true],
    ["127.0.0.0/8", "http://127.0.0.1:6379/", false],
  ])("is, with %j, %s: %s", async (entry, url, expected) => {
    expect(await isReached(url, { allowPrivate: [entry] })).toBe(expected);
  });

  it("is all that is dialled where a name leads to more than that", async () => {
    const { egress, dialled } = recordedEgress(names, { allowPrivate: ["192.168.1.0/24"] });
    await egress.request({ url: "http://nas.lan/", signal });
    expect(dialled).toEqual(["192.168.1.5:80"]);
  });
});

describe("this machine's own addresses", () => {
  const address = (text: string, family: "IPv4" | "IPv6", bits: number) => ({
    address: text,
    family,
    cidr: `${text}/${bits}`,
  });
  const own = ownAddresses({
    eth0: [address("93.184.216.34", "IPv4", 24), address("2606:2800:21f::34", "IPv6", 64)],
  } as unknown as Parameters<typeof ownAddresses>[0]);

  it("are inside, even those that the world knows, and so are the neighbours on its IPv6 net", () => {
    const found = [
      "93.184.216.34",
      "93.184.216.35",
      "2606:2800:21f::34",
      "2606:2800:21f::99",
      "2606:2800::1",
    ];
    expect(found.map((text) => isInTheWorld(text, own))).toEqual([false, true, false, false, true]);
  });
});
