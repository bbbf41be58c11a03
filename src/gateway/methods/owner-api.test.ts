import { createHandClock } from "@pincer/sdk/testing";
import { expect, it } from "vitest";
import { createIds } from "../../infra/ids.ts";
import type { NewAccess } from "../../storage/access/access.ts";
import { createMemoryStores } from "../../storage/memory-stores.ts";
import { createOwnerApi } from "./owner-api.ts";

it("SEC-02 who is no owner any more takes along what they let in from their chat, however long the chain", async () => {
  const clock = createHandClock();
  const { pairing, access } = createMemoryStores({ clock, ids: createIds(clock.now) }).tenant("acme");
  const api = createOwnerApi({ pairing, access, owners: () => [], clock, makeCode: () => "ABCDEFGH" });
  await api.claim({});
  await pairing.claimOwner({ code: "ABCDEFGH", channel: "telegram", senderId: "77", maxTries: 5 });
  const put = async (more: Pick<NewAccess, "kind" | "createdBy" | "secretDigest">) => {
    const scope = { type: "tenant" } as const;
    const outcome = await access.put({
      role: "owner",
      name: "x",
      scope,
      way: "code",
      expiresAt: null,
      ...more,
    });
    return outcome.type === "stored" ? outcome.access.id : "";
  };
  const browser = await put({ kind: "browser", createdBy: "chat:telegram:77", secretDigest: "d1" });
  await put({ kind: "token", createdBy: `browser:${browser}`, secretDigest: "d2" });
  const kept = await put({ kind: "browser", createdBy: "chat:telegram:7", secretDigest: "d3" });
  await api.remove({ channel: "telegram", senderId: "77" });
  expect((await access.list()).map(({ id }) => id)).toEqual([kept]);
});
