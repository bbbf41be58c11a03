import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createCommandHome } from "../testing/command-home.ts";
import * as owner from "./owner.ts";

it("prints a code alone on stdout, and says on stderr what to do with it", async () => {
  const home = await createCommandHome();
  const ran = await home.run(owner, "owner", "claim");
  expect(ran.out).toMatch(/^[A-Z2-9]{4}-[A-Z2-9]{4}\n$/);
  expect(ran.err).toContain("direct message");
  expect(ran.err).toContain("No gateway is running");
  await home.startGateway();
  const beside = await home.run(owner, "owner", "claim");
  expect(beside.err).not.toContain("No gateway is running");
  expect((await home.run(owner, "owner", "claim", "--json")).json()).toMatchObject({
    code: expect.any(String),
  });
});

it("lists and removes owners", async () => {
  const home = await createCommandHome();
  expect((await home.run(owner, "owner", "list")).err).toContain("pincer owner claim");
  const { code } = (await home.run(owner, "owner", "claim", "--json")).json<{ code: string }>();
  await home.fill(({ pairing }) =>
    pairing.claimOwner({ code, channel: "telegram", senderId: "42", maxTries: 5 }),
  );
  await writeFile(join(home.root, "home", "config.json5"), "{ owners: ['feishu:ou_1'] }");
  const listed = await home.run(owner, "owner", "list");
  expect(listed.out).toMatch(/feishu:ou_1 {2}set in the config\ntelegram:42 {2}20/);
  expect((await home.run(owner, "owner", "remove", "telegram:42")).err).toContain("no longer an owner");
  expect((await home.run(owner, "owner", "remove", "feishu:ou_1")).status).toBe(1);
  expect((await home.run(owner, "owner", "remove", "nobody")).status).toBe(2);
});
