import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createCommandHome } from "../testing/command-home.ts";
import { createFakeTerminal } from "../testing/fake-terminal.ts";
import * as access from "./access.ts";

it("GW-11 makes a token, lists it without its secret, and takes it back", async () => {
  const home = await createCommandHome();
  expect((await home.run(access, "access", "list")).out).toContain("Nobody has access");
  const good = await home.run(
    access,
    "access",
    "token",
    "ci",
    "--role",
    "developer",
    "--agent",
    "main",
    "--days",
    "7",
  );
  expect(good.status).toBe(0);
  const nobody = await home.run(access, "access", "token", "t1", "--role", "viewer", "--agent", "mian");
  expect(nobody).toMatchObject({ status: 2, out: "", err: expect.stringContaining("Did you mean main?") });
  const token = good.out.trim();
  expect(token).toMatch(/^pin_[\w-]{43}$/);
  const id = /pincer access revoke (\S+)/.exec(good.err)?.[1] ?? "";
  const listed = await home.run(access, "access", "list");
  expect(listed.out).toMatch(
    new RegExp(`${id}  token  developer \\(main\\)  ci  never used  until \\S+  owner`),
  );
  expect(listed.out).not.toContain(token.slice(4));
  const revoked = await home.run(access, "access", "revoke", id);
  expect(revoked).toMatchObject({ status: 0, err: "Revoked: 1.\n" });
  const again = await home.run(access, "access", "revoke", id, "--json");
  expect(again.json()).toMatchObject({ error: { code: "message/over" } });
  expect((await home.run(access, "access", "list", "--all")).out).toContain("revoked");
  expect((await home.runInChinese(access, "access", "list")).out).toContain("没有其他人");
});

it("lets a waiting device in by its code, and another one not", async () => {
  const home = await createCommandHome();
  const ask = (publicKey: string, code: string) =>
    home.fill((stores) =>
      stores.access.askForDevice(
        { publicKey, name: "Ada\u001b[31m", wants: "owner", address: "10.0.0.9" },
        () => code,
      ),
    );
  await ask("k1", "ABCD2345");
  await ask("k2", "EFGH2345");
  const listed = await home.run(access, "access", "list");
  expect(listed.out).toMatch(/ABCD-2345 {2}Ada␛\[31m {2}asks for the role owner {2}10\.0\.0\.9/);
  const approved = await home.run(
    access,
    "access",
    "approve",
    "abcd-2345",
    "--role",
    "viewer",
    "--name",
    "phone",
  );
  expect(approved.err).toBe("phone now has access as viewer.\n");
  expect((await home.run(access, "access", "deny", "EFGH-2345")).err).toBe("Denied.\n");
  const unknown = await home.run(access, "access", "approve", "EFGH-2345", "--role", "viewer");
  expect(unknown.status).not.toBe(0);
  expect(unknown.err).toContain("pincer access list");
  const [device] = (await home.run(access, "access", "list", "--json")).json<{ access: unknown[] }>().access;
  expect(device).toMatchObject({ kind: "device", role: "viewer", name: "phone" });
});

it("says which roles and days there are", async () => {
  const home = await createCommandHome();
  const role = await home.run(access, "access", "token", "x", "--role", "root");
  expect(role.err).toContain("owner, admin, developer, viewer, auditor, node");
  const days = await home.run(access, "access", "token", "x", "--role", "viewer", "--days", "soon");
  expect(days.err).toContain("soon");
});

it("a link needs a gateway, and says so", async () => {
  const home = await createCommandHome();
  const made = await home.run(access, "access", "code");
  expect(made.status).not.toBe(0);
  expect(made.err).toContain("pincer gateway start");
});

it("GW-11 keeps only the hash of the page's password, outside of the config", async () => {
  const home = await createCommandHome();
  const password = "a whole sentence of words";
  const typed = (text: string) => createFakeTerminal({ stdin: text });
  const short = await home.runAt(typed("too short"), access, "access", "password");
  expect(short.err).toContain("at least 16");
  const set = await home.runAt(typed(`${password}\n`), access, "access", "password");
  expect(set).toMatchObject({ status: 0 });
  const config = await readFile(join(home.environment["PINCER_HOME"] ?? "", "config.json5"), "utf8");
  expect(config).toContain("secret:");
  expect(config).toMatch(/mode.*password/);
  expect(config).not.toContain("argon2");
  expect(`${config}${set.out}${set.err}`).not.toContain(password);
});
