import { expect, it } from "vitest";
import { defaultConfig } from "../../config/default-config.ts";
import type { Config } from "../../config/schema.ts";
import { resolveBind, type Interfaces } from "./bind.ts";

type Gateway = Config["gateway"];

const tailnet: Interfaces = {
  lo: [{ address: "127.0.0.1", internal: true }],
  eth0: [{ address: "192.168.1.10", internal: false }],
  tailscale0: [
    { address: "100.101.102.103", internal: false },
    { address: "fd7a:115c:a1e0::1234", internal: false },
    { address: "fe80::1", internal: false },
  ],
};
const strong = { token: "t".repeat(43), password: undefined };

const resolve = (
  gateway: Partial<Gateway>,
  { interfaces = {}, secrets = strong }: { interfaces?: Interfaces; secrets?: typeof strong | object } = {},
) =>
  resolveBind(
    { gateway: { ...defaultConfig.gateway, ...gateway } },
    {
      interfaces: () => interfaces,
      secrets: async () => ({ token: undefined, password: undefined, ...secrets }),
    },
  );
const hosts = async (...given: Parameters<typeof resolve>) => {
  const outcome = await resolve(...given);
  return outcome.type === "bound" ? outcome.addresses.map(({ host }) => host) : outcome.error.message;
};
const auth = (more: Partial<Gateway["auth"]>) =>
  ({ ...defaultConfig.gateway.auth, ...more }) as Gateway["auth"];
const loopback = ["127.0.0.1", "::1"];

it("DEP-01 listens on this machine alone unless somebody says otherwise", async () => {
  expect(await resolve({})).toEqual({
    type: "bound",
    addresses: [
      { host: "127.0.0.1", port: 18650, isOptional: false },
      { host: "::1", port: 18650, isOptional: true },
    ],
  });
});

it("asks for no secret where only this machine is listened to", async () => {
  const gateway = defaultConfig.gateway;
  const nobody = () => {
    throw new Error("nobody needs to know");
  };
  expect((await resolveBind({ gateway }, { interfaces: nobody, secrets: nobody })).type).toBe("bound");
});

it("listens to the network, the tailnet, or one address", async () => {
  expect(await hosts({ bind: "lan" })).toEqual(["0.0.0.0", "::"]);
  const found = ["100.101.102.103", "fd7a:115c:a1e0::1234"];
  expect(await hosts({ bind: "tailnet" }, { interfaces: tailnet })).toEqual([...loopback, ...found]);
  expect(await hosts({ bind: "auto" }, { interfaces: tailnet })).toEqual([...loopback, ...found]);
  expect(await hosts({ bind: "auto" })).toEqual(loopback);
  expect(await hosts({ bind: "custom", host: "192.168.1.10" })).toEqual([...loopback, "192.168.1.10"]);
  expect(await hosts({ bind: "custom", host: "127.0.0.1" })).toEqual(["127.0.0.1"]);
  expect(await hosts({ bind: "custom", host: "localhost" })).toEqual(["127.0.0.1"]);
  expect(await hosts({ bind: "custom", host: "0.0.0.0" })).toEqual(["0.0.0.0"]);
});

it("takes no address for a tailnet's that is not one", async () => {
  const interfaces: Interfaces = {
    a: [
      { address: "100.63.255.255", internal: false },
      { address: "100.128.0.0", internal: false },
      { address: "fd7a:115c:a1e1::1", internal: false },
    ],
    b: [{ address: "100.100.100.100", internal: true }],
  };
  expect(await hosts({ bind: "tailnet" }, { interfaces })).toContain("no tailnet address");
});

it.each(["", "pincer.example.com", "192.168.1", "*", "0x7f000001"])(
  "refuses %s for an address",
  async (host) => {
    expect(await hosts({ bind: "custom", host })).toContain("is not an address");
  },
);

it.each([
  { bind: "lan" },
  { bind: "tailnet" },
  { bind: "custom", host: "0.0.0.0" },
  { bind: "custom", host: "::" },
  { bind: "custom", host: "192.168.1.10" },
  { bind: "loopback", tailscale: "serve" },
  { bind: "loopback", tailscale: "funnel" },
  { bind: "loopback", trustedProxies: ["127.0.0.1"] },
] as Array<Partial<Gateway>>)("GW-11 refuses %j without a proof that cannot be guessed", async (gateway) => {
  const given = (more: Partial<Gateway["auth"]>, secrets: object) =>
    resolve({ ...gateway, auth: auth(more) }, { interfaces: tailnet, secrets });
  const open = await given({ mode: "none" }, strong);
  expect(open).toMatchObject({ type: "refused", error: { code: "config/bad-value" } });
  expect(open.type === "refused" && open.error.hint).toContain("gateway.auth.mode");
  for (const token of [undefined, "", "short", "x".repeat(15), " ".repeat(40)]) {
    expect((await given({ mode: "token" }, { token })).type).toBe("refused");
  }
  for (const password of [undefined, "", "x".repeat(15), " ".repeat(40)]) {
    expect((await given({ mode: "password" }, { ...strong, password })).type).toBe("refused");
  }
  expect((await given({ mode: "token" }, { token: "x".repeat(16) })).type).toBe("bound");
  expect((await given({ mode: "password" }, { ...strong, password: "x".repeat(16) })).type).toBe("bound");
  expect((await given({ mode: "password" }, { ...strong, password: "$argon2id$v=19$x" })).type).toBe("bound");
  // The token lets in as well: a short one is a hole beside the password.
  expect((await given({ mode: "password" }, { token: "short", password: "x".repeat(16) })).type).toBe(
    "refused",
  );
});

it("auto stays on this machine where there is no proof that cannot be guessed", async () => {
  const interfaces = tailnet;
  expect(await hosts({ bind: "auto", auth: auth({ mode: "none" }) }, { interfaces })).toEqual(loopback);
  expect(await hosts({ bind: "auto" }, { interfaces, secrets: { token: "short" } })).toEqual(loopback);
});
