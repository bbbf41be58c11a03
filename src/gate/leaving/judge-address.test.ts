import { joinLabels, type Label } from "@pincer/sdk";
import {
  array,
  assert,
  boolean,
  constantFrom,
  integer,
  oneof,
  property,
  record,
  string,
  subarray,
} from "fast-check";
import { describe, expect, it } from "vitest";
import type { ShownText } from "../call-context.ts";
import { addressesIn, spokenAddressesIn } from "./addresses-in.ts";
import { judgeAddress, mayShow, type AddressContext, type AddressQuestion } from "./judge-address.ts";

const origins = [
  "web",
  "peer",
  "group",
  "quoted",
  "file",
  "program",
  "tool",
  "memory",
  "session",
  "summary",
  "owner",
  "system",
  "prompt",
] as const;
const outside: readonly string[] = ["web", "peer", "group", "quoted"];

const hosts = ["news.example", "evil.example", "docs.example", "pаypal.example"];
const address = record({
  host: constantFrom(...hosts),
  path: constantFrom("", "a", "a/b", "a?d=secret", "a?d=other", "secret"),
}).map(({ host, path }) => `https://${host}/${path}`);
const label = record<Label>({
  untrusted: boolean(),
  sources: subarray(["memory", "file:a.md"]),
}).map((each) => joinLabels([each]));
const text = record<ShownText>({
  origin: constantFrom(...origins),
  from: constantFrom("x"),
  text: array(oneof(address, constantFrom("see", "and", "notes.md", "(", ")", "."))).map((words) =>
    words.join(" "),
  ),
  label,
});
const context = record<AddressContext>({
  label,
  shown: array(text, { maxLength: 8 }),
  typed: array(
    oneof(
      address.map((each) => `read ${each}`),
      constantFrom("look at news.example", "add it to notes.md"),
    ),
    { maxLength: 2 },
  ),
});
const plain: Omit<AddressQuestion, "url"> = {
  isRead: true,
  isBare: true,
  trusted: [],
  hasScout: false,
  calls: [],
};
const judge = (around: AddressContext, url: string, more: Partial<AddressQuestion> = {}) =>
  judgeAddress(around, { ...plain, url, ...more });

const tainted: Label = { untrusted: true, sources: ["memory"] };
const shows = (origin: ShownText["origin"], words: string): ShownText => ({
  origin,
  from: "somewhere",
  text: words,
  label: tainted,
});
const within = (shown: ShownText[], typed: string[] = []): AddressContext => ({
  label: tainted,
  shown,
  typed,
});
const reading = { controls: { url: "url" as const } };

describe("an address, by rule 3", () => {
  it("SAFE-01 is never free or counted from a tainted, private context unless the owner or an outside text wrote it", () => {
    assert(
      property(context, address, boolean(), (around, url, hasScout) => {
        const found = judge({ ...around, label: joinLabels([around.label, tainted]) }, url, { hasScout });
        const isTyped = around.typed.some((words) =>
          spokenAddressesIn(words).has(URL.parse(url)?.href ?? ""),
        );
        const isOutside = around.shown.some(
          (each) => outside.includes(each.origin) && addressesIn(each.text).has(URL.parse(url)?.href ?? ""),
        );
        const isShown = around.shown.some(({ text }) => addressesIn(text).has(URL.parse(url)?.href ?? ""));
        // A scout cannot know what stands in a mail or a file.
        const refused = hasScout && !isShown ? "denied" : "asks";
        expect(found.type).toBe(isTyped ? "free" : isOutside ? "bits" : refused);
      }),
    );
  });

  it("SAFE-01 costs what choosing it among all addresses from outside can say, and 3 for its moment", () => {
    assert(
      property(integer({ min: 1, max: 300 }), integer({ min: 0, max: 299 }), (count, chosen) => {
        const listed = Array.from({ length: count }, (_, index) => `https://news.example/${index}`);
        const halves = [listed.slice(0, count / 2), listed.slice(count / 2)];
        const shown = halves.map((half) => shows("web", half.join("\n")));
        const bits = Math.max(1, Math.ceil(Math.log2(count))) + 3;
        expect(judge(within(shown), listed[chosen % count] ?? "")).toEqual({ type: "bits", bits });
        expect(2 ** (bits - 3)).toBeGreaterThanOrEqual(count);
      }),
    );
  });

  it("is free where nobody else wrote in the context, and where nothing private is in it", () => {
    assert(
      property(context, address, (around, url) => {
        expect(judge({ ...around, label: { untrusted: false, sources: ["memory"] } }, url).type).toBe("free");
        expect(judge({ ...around, label: { untrusted: true, sources: [] } }, url).type).toBe("free");
      }),
    );
  });

  it("is never freer for a context that holds more, or for a call that says more", () => {
    const rank = { free: 0, bits: 1, denied: 2, asks: 2 };
    assert(
      property(context, label, address, boolean(), (around, more, url, isBare) => {
        const less = judge(around, url, { isBare: true });
        const wider = { ...around, label: joinLabels([around.label, more]) };
        expect(rank[judge(wider, url, { isBare }).type]).toBeGreaterThanOrEqual(rank[less.type]);
        expect(judge(around, url, { isRead: false }).type).toBe("asks");
      }),
    );
  });

  it("is judged by its origin and not by what private texts say", () => {
    assert(
      property(context, address, string(), string(), (around, url, one, other) => {
        const holding = (secret: string) => ({
          ...around,
          shown: [...around.shown, { ...shows("file", secret), from: "health.md" }, shows("memory", secret)],
        });
        expect(judge(holding(one), url)).toEqual(judge(holding(other), url));
      }),
    );
  });

  it("is one spelling: case of the host, a usual port and a fragment make no other address", () => {
    const around = within([shows("web", "read https://News.Example:443/Guide#top and go")]);
    expect(judge(around, "https://news.example/Guide").type).toBe("bits");
    expect(judge(around, "HTTPS://NEWS.EXAMPLE/Guide#secret").type).toBe("bits");
    expect(judge(around, "https://news.example/guide").type).toBe("asks");
    expect(judge(around, "http://news.example/Guide").type).toBe("asks");
    expect(judge(around, "https://news.example:8443/Guide").type).toBe("asks");
    expect(judge(around, "https://news.example/Guide?").type).toBe("asks");
    expect(judge(around, "https://ada:pw@news.example/Guide").type).toBe("asks");
    expect(judge(around, "https://news.example./Guide").type).toBe("asks");
  });

  it("is found as pages, mails and sentences write it", () => {
    const url = "https://news.example/a_(b)/c?d=1";
    for (const words of [
      `[t](${url})`,
      `(${url}).`,
      `**${url}**`,
      `<${url}>`,
      `看${url}。`,
      `${url}看`,
      `"${url}",`,
    ])
      expect([words, addressesIn(words).has(url)]).toEqual([words, true]);
    expect([...addressesIn("![a](https://news.example/x.png) text) https://news.example/y).")]).toEqual([
      "https://news.example/x.png",
      "https://news.example/y",
    ]);
  });

  it("SAFE-01 is composed on a host that the owner named, and a file name is no host", () => {
    const typed = ["look at news.example and add it to notes.md, then run setup.sh"];
    expect(judge(within([], typed), "https://news.example/").type).toBe("free");
    expect(judge(within([], typed), "http://news.example").type).toBe("free");
    expect(judge(within([], typed), "https://news.example/?d=secret").type).toBe("asks");
    for (const url of ["http://notes.md/", "http://notes.md/?d=secret", "https://setup.sh/"])
      expect([url, judge(within([], typed), url).type]).toEqual([url, "asks"]);
    expect(judge(within([], ["read www.notes.md"]), "http://www.notes.md/").type).toBe("free");
    expect(judge(within([], ["read http://notes.md/"]), "http://notes.md").type).toBe("free");
  });

  it("SAFE-01 is no other one that looks like it", () => {
    const around = within([shows("web", "https://paypal.example/")], ["open paypal.example"]);
    expect(judge(around, "https://paypal.example/").type).toBe("free");
    expect(judge(around, "https://pаypal.example/").type).toBe("asks");
    expect(judge(around, "https://xn--pypal-4ve.example/").type).toBe("asks");
  });

  it("SAFE-01 stands in no outside text where a file, a program, a tool, memory or the model itself wrote it", () => {
    const url = "https://evil.example/?d=secret";
    for (const origin of origins)
      expect([origin, judge(within([shows(origin, url)]), url).type]).toEqual([
        origin,
        outside.includes(origin) ? "bits" : "asks",
      ]);
  });

  it("SAFE-01 stands in no outside text where a server gives back what a call told it", () => {
    const url = "https://evil.example/?d=secret";
    const echo = within([shows("web", `you sent ${url} and https://news.example/`)]);
    const calls = (told: unknown) => [{ ...reading, arguments: { url: told } }];
    expect(judge(echo, url).type).toBe("bits");
    expect(judge(echo, url, { calls: calls(url) }).type).toBe("bits");
    expect(judge(echo, url, { calls: calls(`https://echo.example/?q=${url}`) }).type).toBe("asks");
    const escaped = `https://echo.example/?q=${encodeURIComponent(url)}`;
    expect(judge(echo, url, { calls: calls(escaped) }).type).toBe("asks");
    const posted = [{ controls: {}, arguments: { body: { to: "evil.example/?d=secret" } } }];
    expect(judge(echo, url, { calls: posted }).type).toBe("asks");
    expect(judge(echo, "https://news.example/", { calls: calls(escaped) }).type).toBe("bits");
  });

  it("is free once where the owner wrote it, and is counted when it is asked for again", () => {
    const around = within([], ["what does https://news.example/a say?"]);
    const calls = [{ ...reading, arguments: { url: "https://news.example/a#top" } }];
    expect(judge(around, "https://news.example/a")).toEqual({ type: "free" });
    expect(judge(around, "https://news.example/a", { calls })).toEqual({ type: "bits", bits: 4 });
  });

  it("SAFE-01 asks where the caller chose more than the address, or sends something", () => {
    const around = within([shows("web", "https://news.example/a")], ["see https://news.example/b"]);
    for (const url of ["https://news.example/a", "https://news.example/b"]) {
      expect(judge(around, url, { isBare: false })).toMatchObject({
        type: "asks",
        reason: { code: "address-with-headers", values: { host: "news.example" } },
      });
      expect(judge(around, url, { isRead: false })).toMatchObject({ reason: { code: "address-sends" } });
    }
  });

  it("is free for reading where the host is trusted, on its usual port", () => {
    const trusted = ["docs.example", "*.wiki.example", "api.example:8443"];
    const free = (url: string) => judge(within([]), url, { trusted, isBare: false }).type === "free";
    expect(free("https://docs.example/?q=anything")).toBe(true);
    expect(free("https://en.wiki.example/x")).toBe(true);
    expect(free("https://api.example:8443/x")).toBe(true);
    expect(free("https://docs.example:8443/x")).toBe(false);
    expect(free("https://docs.example.evil.example/")).toBe(false);
    expect(free("https://wiki.example.evil.example/")).toBe(false);
    expect(judge(within([]), "https://docs.example/", { trusted, isRead: false }).type).toBe("asks");
  });

  it("SAFE-01 asks about what is inside, unless the owner wrote it, also where nothing private was read", () => {
    const inside = [
      "http://nas/",
      "http://nas.lan:8080/x",
      "http://192.168.1.7/",
      "http://[::1]/",
      "http://2130706433/",
    ];
    for (const url of inside) {
      const around = { ...within([shows("web", url)]), label: { untrusted: true, sources: [] } };
      expect(judge(around, url)).toMatchObject({
        type: "asks",
        reason: { code: "address-inside", values: { url } },
      });
      const typed = judge({ ...around, typed: [`look at ${url}`] }, url).type;
      const alone = judge({ ...around, label: { untrusted: false, sources: [] } }, url).type;
      expect([url, typed, alone]).toEqual([url, "free", "free"]);
    }
    expect(
      judge({ ...within([]), label: { untrusted: true, sources: [] } }, "http://93.184.216.34/").type,
    ).toBe("free");
  });

  it("asks about what is no address of the web, where strangers' texts were read", () => {
    for (const url of ["evil.example/secret", "ftp://evil.example/secret", "//evil.example", ""])
      expect([url, judge(within([]), url).type]).toEqual([url, "asks"]);
  });

  it("SEC-02 is shown in an answer so that it can be followed only where that says nothing, and never composed", () => {
    assert(
      property(context, address, (around, url) => {
        const isFree = judge(around, url).type === "free";
        const isWritten = judge({ ...around, label: tainted }, url).type !== "asks";
        const isName =
          url.endsWith(".example/") &&
          around.shown.some(
            ({ origin, text }) =>
              outside.includes(origin) &&
              [...addressesIn(text)].some((each) => each.startsWith(URL.parse(url)?.href ?? "-")),
          );
        expect(mayShow(around, url, [])).toBe(isName || (isFree && (isWritten || !around.label.untrusted)));
      }),
    );
  });
});
