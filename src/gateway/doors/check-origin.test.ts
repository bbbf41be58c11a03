import type { IncomingHttpHeaders } from "node:http";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  clientAddress,
  findOriginFault,
  isForwarded,
  isTrustedProxy,
  readHost,
  type AskedRequest,
} from "./check-origin.ts";

const rules = {
  allowedHosts: ["pincer.example.com", "box.lan:8443"],
  allowedOrigins: ["https://app.example.com"],
};
const ask = (headers: IncomingHttpHeaders, more: Partial<AskedRequest> = {}) =>
  findOriginFault(
    {
      method: "POST",
      isUpgrade: false,
      localAddress: "127.0.0.1",
      localPort: 18650,
      ...more,
      headers: { host: "localhost:18650", ...headers },
    },
    rules,
  );

describe("Host", () => {
  it.each([
    "localhost:18650",
    "LOCALHOST:18650",
    "127.0.0.1:18650",
    "[::1]:18650",
    "pincer.example.com",
    "PINCER.example.com:443",
    "box.lan:8443",
  ])("answers to %s", (host) => {
    expect(ask({ host })).toBeUndefined();
  });

  it.each([
    "",
    "localhost",
    "localhost:80",
    "localhost:18651",
    "localhost:018650",
    "localhost.:18650",
    "localhost:18650:18650",
    "localhost:18650, evil.example",
    "evil.example",
    "evil.example:18650",
    "localhost.evil.example:18650",
    "127.0.0.1.evil.example:18650",
    "127.0.0.1.nip.io:18650",
    "127.1:18650",
    "2130706433:18650",
    "0x7f.0.0.1:18650",
    "0177.0.0.1:18650",
    "0.0.0.0:18650",
    "127.0.0.2:18650",
    "[::]:18650",
    "[::ffff:7f00:2]:18650",
    "[fe80::1%25lo]:18650",
    "::1:18650",
    "user@localhost:18650",
    "user:pass@localhost:18650",
    "localhost:18650/",
    "localhost:18650#",
    "http://localhost:18650",
    " localhost:18650",
    "localhost :18650",
    "localhost\t:18650",
    "lοcalhost:18650",
    "*",
    "box.lan",
    "box.lan:18650",
    "sub.pincer.example.com",
    "xpincer.example.com",
    "a".repeat(400),
  ])("does not answer to %s", (host) => {
    expect(ask({ host })).toBe("host");
  });

  it("does not answer without one, and not to several", () => {
    const request = { method: "GET", isUpgrade: false, localAddress: "127.0.0.1", localPort: 18650 };
    expect(findOriginFault({ ...request, headers: {} }, rules)).toBe("host");
  });

  it("answers to the address that was connected to, however it is written", () => {
    const lan = { localAddress: "::ffff:192.168.1.10" };
    expect(ask({ host: "192.168.1.10:18650" }, lan)).toBeUndefined();
    expect(ask({ host: "192.168.1.11:18650" }, lan)).toBe("host");
    expect(ask({ host: "127.0.0.1:18650" }, lan)).toBe("host");
    expect(ask({ host: "[fd7a:115c:a1e0::1]:18650" }, { localAddress: "fd7a:115c:a1e0::1" })).toBeUndefined();
  });

  it("answers without a port only where ours is the usual one", () => {
    expect(ask({ host: "localhost" }, { localPort: 80 })).toBeUndefined();
  });

  it("a name that its owner points at this machine is refused, whatever else is right", () => {
    const host = "rebind.evil.example:18650";
    const headers = { host, origin: `http://${host}`, "sec-fetch-site": "same-origin" };
    expect(ask(headers, { method: "GET" })).toBe("host");
    expect(ask(headers, { isUpgrade: true })).toBe("host");
  });

  it("reads nothing but names and addresses", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const read = readHost(text);
        expect(read === undefined || /^[a-z0-9._:-]+$/.test(read.name)).toBe(true);
      }),
    );
  });
});

describe("Origin", () => {
  it.each([
    "http://localhost:18650",
    "HTTP://LOCALHOST:18650",
    "https://localhost:18650",
    "https://app.example.com",
  ])("lets a page of %s speak", (origin) => {
    expect(ask({ origin })).toBeUndefined();
    expect(ask({ origin }, { isUpgrade: true, method: "GET" })).toBeUndefined();
  });

  it.each([
    "null",
    "",
    "http://localhost",
    "http://localhost:3000",
    "http://127.0.0.1:18650",
    "http://localhost:18650.evil.example",
    "http://localhost:18650@evil.example",
    "http://evil.example",
    "http://app.example.com",
    "https://app.example.com:8443",
    "https://app.example.com.evil.example",
    "https://app.example.com/path",
    "file://",
    "chrome-extension://abcdef",
    "http://localhost:18650, http://evil.example",
    "http://localhost:18650/%2e",
    "//localhost:18650",
    "localhost:18650",
  ])("does not let a page of %s speak", (origin) => {
    for (const method of ["GET", "POST", "PUT", "DELETE", "OPTIONS"])
      expect(ask({ origin }, { method })).toBe("origin");
    expect(ask({ origin }, { isUpgrade: true, method: "GET" })).toBe("origin");
  });

  it("a page of a place that the config names may speak although it is elsewhere", () => {
    const headers = { origin: "https://app.example.com", "sec-fetch-site": "cross-site" };
    expect(ask(headers)).toBeUndefined();
  });
});

describe("Sec-Fetch-Site", () => {
  it.each(["cross-site", "same-site", "", "CROSS-SITE", "same-origin, cross-site", "unknown"])(
    "refuses what changes something and what upgrades when it says %s",
    (site) => {
      for (const origin of [undefined, "http://localhost:18650"]) {
        const headers = { "sec-fetch-site": site, ...(origin === undefined ? {} : { origin }) };
        for (const method of ["POST", "PUT", "DELETE", "PATCH"])
          expect(ask(headers, { method })).toBe("fetch-site");
        expect(ask(headers, { method: "GET", isUpgrade: true })).toBe("fetch-site");
      }
    },
  );

  it("refuses what a page of another origin embeds, and admits a person who follows a link", () => {
    const get = { method: "GET" };
    const site = { "sec-fetch-site": "cross-site" };
    expect(ask({ ...site, "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image" }, get)).toBe("fetch-site");
    expect(ask({ ...site, "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe" }, get)).toBe(
      "fetch-site",
    );
    const link = { ...site, "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
    expect(ask(link, get)).toBeUndefined();
    expect(ask(link, { method: "POST" })).toBe("fetch-site");
    expect(ask(link, { method: "GET", isUpgrade: true })).toBe("fetch-site");
  });

  it("lets programs in, which say nothing, and the person themselves", () => {
    expect(ask({})).toBeUndefined();
    expect(ask({ "sec-fetch-site": "none" })).toBeUndefined();
    expect(ask({ "sec-fetch-site": "same-origin" })).toBeUndefined();
  });
});

describe("the address of the caller", () => {
  const from = (
    remoteAddress: string,
    forwarded: string | undefined,
    trusted: string[] = ["10.0.0.0/8", "::1"],
  ) =>
    clientAddress(
      { remoteAddress, headers: forwarded === undefined ? {} : { "x-forwarded-for": forwarded } },
      trusted,
    );

  it.each([
    ["203.0.113.1", undefined, "203.0.113.1"],
    ["203.0.113.1", "198.51.100.1", "203.0.113.1"],
    ["10.0.0.1", "198.51.100.1", "198.51.100.1"],
    ["::ffff:10.0.0.1", "198.51.100.1", "198.51.100.1"],
    ["::1", "2001:db8::7", "2001:db8::7"],
    ["10.0.0.1", "127.0.0.1, 198.51.100.1", "198.51.100.1"],
    ["10.0.0.1", "127.0.0.1, 198.51.100.1, 10.9.9.9", "198.51.100.1"],
    ["10.0.0.1", "nonsense", "10.0.0.1"],
    ["10.0.0.1", "", "10.0.0.1"],
    ["10.0.0.1", "198.51.100.1, ", "10.0.0.1"],
    ["10.0.0.1", "198.51.100.1:1234", "10.0.0.1"],
    ["10.0.0.1", "10.0.0.2, 10.0.0.3", "10.0.0.2"],
  ])("%s saying %s is %s", (remote, forwarded, address) => {
    expect(from(remote, forwarded)).toBe(address);
  });

  it("nobody is believed where nobody is trusted, and a range that is none trusts nobody", () => {
    expect(from("10.0.0.1", "127.0.0.1", [])).toBe("10.0.0.1");
    expect(from("10.0.0.1", "127.0.0.1", ["10.0.0.0/99", "proxy.lan", "*", "/0"])).toBe("10.0.0.1");
  });

  it("sees that something was passed on", () => {
    expect(isForwarded({})).toBe(false);
    for (const name of ["forwarded", "x-forwarded-for", "x-forwarded-proto", "x-real-ip", "via"]) {
      expect(isForwarded({ [name]: "x" })).toBe(true);
    }
  });
});

it("GW-11 a proxy is one that the config names, in whichever spelling it connects", () => {
  const proxies = ["192.0.2.1", "10.0.0.0/8", "2001:db8::/32", "nonsense"];
  const isOne = (address: string) => isTrustedProxy(address, proxies);
  expect(["192.0.2.1", "::ffff:192.0.2.1", "10.9.8.7", "2001:db8::5"].map(isOne)).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(["192.0.2.2", "11.0.0.1", "2001:db9::5", "", "nonsense"].some(isOne)).toBe(false);
  expect(isTrustedProxy("192.0.2.1", [])).toBe(false);
});
