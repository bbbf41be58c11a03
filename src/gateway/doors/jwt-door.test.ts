import { createServer } from "node:http";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHandClock } from "@pincer/sdk/testing";
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK, type JWTPayload } from "jose";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { Config } from "../../config/schema.ts";
import { createJwtDoor } from "./jwt-door.ts";
import { createKeySource, readKeysFrom } from "./jwks.ts";

type JwtConfig = NonNullable<Config["gateway"]["auth"]["jwt"]>;
interface Key {
  privateKey: CryptoKey;
  jwk: JWK;
}

const clock = createHandClock();
const nowSeconds = clock.now() / 1000;
const issuer = "https://id.example.com/";
let key: Key;
let stranger: Key;

async function makeKey(kid: string, algorithm = "ES256"): Promise<Key> {
  const { privateKey, publicKey } = await generateKeyPair(algorithm, { extractable: true });
  return { privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: algorithm } };
}

const claims = {
  sub: "ada",
  name: "Ada\u0007 L.",
  roles: ["admin"],
  iss: issuer,
  aud: "pincer",
  exp: nowSeconds + 600,
};
const signed = (payload: JWTPayload, header: object = {}, by: Key = key) =>
  new SignJWT(payload).setProtectedHeader({ alg: "ES256", kid: "k1", ...header }).sign(by.privateKey);
const without = (name: string) =>
  Object.fromEntries(Object.entries(claims).filter(([each]) => each !== name));

async function open(keys: object[], more: Partial<JwtConfig> = {}) {
  const root = await mkdtemp(join(tmpdir(), "pincer-jwt-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  await writeFile(join(root, "keys.json"), JSON.stringify({ keys }));
  const errors: unknown[] = [];
  const door = createJwtDoor({
    clock,
    tenantId: "acme",
    homeRoot: root,
    onError: (error) => errors.push(error),
  });
  const jwt: JwtConfig = { issuer, audience: "pincer", jwksFile: "keys.json", ...more };
  return {
    find: (token: string, other: Partial<JwtConfig> = {}) => door.find(token, { ...jwt, ...other }),
    root,
    errors,
  };
}

beforeAll(async () => {
  key = await makeKey("k1");
  stranger = await makeKey("k1");
});

describe("a token of an identity provider", () => {
  it("GW-11 means the role that it names", async () => {
    const { find, errors } = await open([key.jwk]);
    expect(await find(await signed(claims))).toEqual({
      id: "user:ada",
      name: "Ada L.",
      role: "admin",
      way: "jwt",
      tenantId: "acme",
      scope: { type: "tenant" },
    });
    expect(errors).toEqual([]);
  });

  it("GW-11 is refused for every fault, and nobody is told which", async () => {
    const { find } = await open([key.jwk]);
    const good = await signed(claims);
    const [head = "", body = "", signature = ""] = good.split(".");
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const raised = encode({ ...claims, roles: ["owner"] });
    const tokens = {
      "signed by somebody else": await signed(claims, {}, stranger),
      "another key": await signed(claims, { kid: "k2" }),
      expired: await signed({ ...claims, exp: nowSeconds - 6 }),
      "not yet": await signed({ ...claims, nbf: nowSeconds + 60 }),
      "for ever": await signed(without("exp")),
      "of nobody": await signed(without("sub")),
      "of an empty name": await signed({ ...claims, sub: "" }),
      "of a number": await signed({ ...claims, sub: 7 as unknown as string }),
      "of another issuer": await signed({ ...claims, iss: "https://id.example.com" }),
      "without an issuer": await signed(without("iss")),
      "for another audience": await signed({ ...claims, aud: "other" }),
      "without an audience": await signed(without("aud")),
      "without a role": await signed(without("roles")),
      "a role that means nothing": await signed({ ...claims, roles: ["root"] }),
      "an owner that the config does not name": await signed({ ...claims, roles: ["owner"] }),
      "a role from the prototype": await signed({
        ...claims,
        roles: ["constructor", "__proto__", "toString"],
      }),
      "no list of roles": await signed({ ...claims, roles: { admin: true } }),
      unsigned: `${encode({ alg: "none" })}.${body}.`,
      "signed with nothing": `${encode({ alg: "none", kid: "k1" })}.${body}.AA`,
      "altered claims": `${head}.${raised}.${signature}`,
      "cut off": good.slice(0, -2),
      "without a signature": `${head}.${body}.`,
      "four parts": `${good}.${signature}`,
      "its own key": await signed(claims, { jwk: stranger.jwk, kid: undefined }, stranger),
      "a critical header": await signed(claims, { crit: ["b64"], b64: false }).catch(() => "a.b.c"),
      empty: "",
      "no JSON": "a.b.c",
    };
    for (const [what, token] of Object.entries(tokens)) {
      expect({ what, found: await find(token) }).toEqual({ what, found: undefined });
    }
    expect(await find(good)).toBeDefined();
  });

  it("GW-11 is never checked with a shared secret, not even with the public key as one", async () => {
    const secret = new TextEncoder().encode("a secret of thirty-two bytes....");
    const shared = { kty: "oct", kid: "k1", alg: "HS256", k: Buffer.from(secret).toString("base64url") };
    const { find } = await open([shared, key.jwk]);
    const token = (bytes: Uint8Array) =>
      new SignJWT(claims).setProtectedHeader({ alg: "HS256", kid: "k1" }).sign(bytes);
    expect(await find(await token(secret))).toBeUndefined();
    expect(await find(await token(new TextEncoder().encode(JSON.stringify(key.jwk))))).toBeUndefined();
    expect(await find(await signed(claims))).toBeDefined();
  });

  it("TEN-02 names of roles are what the config says they are", async () => {
    const { find } = await open([key.jwk]);
    const role = async (roles: unknown, other: Partial<JwtConfig> = {}) =>
      (await find(await signed({ ...claims, roles }), other))?.role;
    expect(await role(["tenant_admin"])).toBe("admin");
    expect(await role(["member", "something else"])).toBe("developer");
    expect(await role("viewer")).toBe("viewer");
    const roles = { boss: "owner", watcher: "auditor" } as const;
    expect(await role(["watcher", "boss"], { roles })).toBe("owner");
    expect(await role(["admin"], { roles })).toBeUndefined();
    const nested = await signed({ ...claims, realm: { roles: ["auditor"] } });
    expect((await find(nested, { roleClaim: "realm.roles" }))?.role).toBe("auditor");
    expect(await find(nested, { roleClaim: "realm.__proto__" })).toBeUndefined();
  });

  it("TEN-02 is confined to the agents that it lists, and to nothing where it should and does not", async () => {
    const { find } = await open([key.jwk], { agentsClaim: "agents" });
    const scope = async (agents: unknown) => (await find(await signed({ ...claims, agents })))?.scope;
    expect(await scope(["work", "home"])).toEqual({ type: "agent", agentIds: ["work", "home"] });
    expect(await scope("work")).toEqual({ type: "agent", agentIds: ["work"] });
    expect(await scope(["*"])).toEqual({ type: "tenant" });
    for (const nothing of [undefined, [], null, [7], ""]) expect(await scope(nothing)).toBeUndefined();
  });

  it("is refused while there are no keys, and the operator is told", async () => {
    const { find, errors, root } = await open([key.jwk], { jwksFile: "missing.json" });
    expect(await find(await signed(claims))).toBeUndefined();
    expect(errors).toHaveLength(1);
    await writeFile(join(root, "broken.json"), "[]");
    expect(await find(await signed(claims), { jwksFile: "broken.json" })).toBeUndefined();
    expect(errors).toHaveLength(2);
  });
});

describe("keys", () => {
  it("are kept, and asked for again when one is missing, at most every half a minute", async () => {
    const time = createHandClock();
    let asked = 0;
    const source = createKeySource({
      clock: time,
      read: async () => JSON.stringify({ keys: [{ kty: "EC", kid: `k${++asked}` }] }),
    });
    await source.keys();
    await source.keys();
    await source.keys(true);
    expect(asked).toBe(1);
    await time.advance(30_000);
    await Promise.all([source.keys(true), source.keys(true), source.keys(true)]);
    expect(asked).toBe(2);
    await time.advance(600_001);
    expect((await source.keys()).keys[0]?.kid).toBe("k3");
  });

  it("stay good for a day while they cannot be had, and no longer", async () => {
    const time = createHandClock();
    let isUp = true;
    const source = createKeySource({
      clock: time,
      read: async () => (isUp ? '{"keys":[]}' : Promise.reject(new Error("down"))),
    });
    await source.keys();
    isUp = false;
    await time.advance(3_600_000);
    expect(await source.keys()).toEqual({ keys: [] });
    await time.advance(24 * 3_600_000);
    await expect(source.keys()).rejects.toThrow("down");
    await expect(source.keys()).rejects.toThrow("no keys");
  });

  it("private keys and shared secrets among them do not count", async () => {
    const keys = [{ kty: "oct", k: "AA" }, { kty: "EC", d: "AA" }, "EC", null, { kty: "EC", kid: "good" }];
    const source = createKeySource({ clock, read: async () => JSON.stringify({ keys }) });
    expect(await source.keys()).toEqual({ keys: [{ kty: "EC", kid: "good" }] });
  });

  it("come over the network in one short answer, by https unless from this machine", async () => {
    const answers: Record<string, [number, string]> = {
      "/keys": [200, '{"keys":[]}'],
      "/moved": [302, ""],
      "/large": [200, `{"keys":[]${" ".repeat(300_000)}}`],
    };
    const server = createServer((request, response) => {
      const [status, body] = answers[request.url ?? ""] ?? [404, ""];
      response.writeHead(status, { location: "/keys" }).end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const read = (url: string) => readKeysFrom(url, createHandClock())();
    expect(await read(`http://127.0.0.1:${port}/keys`)).toBe('{"keys":[]}');
    await expect(read(`http://127.0.0.1:${port}/moved`)).rejects.toThrow("answered 302");
    await expect(read(`http://127.0.0.1:${port}/large`)).rejects.toThrow("larger than");
    await expect(read("http://id.example.com/keys")).rejects.toThrow("https");
  });
});
