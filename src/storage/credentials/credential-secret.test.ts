import { describe, expect, it } from "vitest";
import { createRedactor } from "../../infra/redactor.ts";
import { createSecretBox } from "../../config/secret-box.ts";
import { expiresAtOf, hideCredentials, hideSecret, isUsable, labelOf } from "./credential-secret.ts";
import { createCredentialStage } from "../../models/credentials/testing/credential-stage.ts";

describe("AUTH-05 a credential is of use", () => {
  it.each([
    ["api_key", { key: "sk-1" }, true],
    ["api_key", { key: "" }, false],
    ["api_key", { key: "  \n" }, false],
    ["api_key", {}, false],
    ["api_key", { key: 7 }, false],
    ["token", { token: "t" }, true],
    ["token", { token: "" }, false],
    ["token", { token: "t", expires: 1001 }, true],
    ["token", { token: "t", expires: 1000 }, false],
    ["token", { token: "t", expires: 999 }, false],
    ["oauth", { access: "a", refresh: "" }, true],
    ["oauth", { access: "", refresh: "r" }, true],
    ["oauth", { access: "a", expires: 1 }, true],
    ["oauth", { access: "", refresh: "" }, false],
    ["oauth", {}, false],
  ] as const)("as %s with %j: %s", (type, secret, usable) => {
    expect(isUsable(type, secret, 1000)).toBe(usable);
  });
});

it("is told apart by its account or by the end of its key, of which a short one shows nothing", () => {
  expect(labelOf({ key: "sk-planted-abcd" })).toBe("…abcd");
  expect(labelOf({ token: "planted-token-wxyz", email: "a@example.com" })).toBe("a@example.com");
  expect(labelOf({ key: "short" })).toBeNull();
});

it("knows no end that a date could not hold", () => {
  expect(expiresAtOf({ expires: Number.MAX_SAFE_INTEGER })).toBeNull();
  expect(expiresAtOf({ expires: 0 })).toBeNull();
  expect(expiresAtOf({ expires: Date.UTC(2026, 0) })).toBe("2026-01-01T00:00:00.000Z");
});

it("makes every stored value known to the redactor, and names those that it could not open", async () => {
  const stage = createCredentialStage();
  await stage.put("a", "openai", { key: "planted-key-1" });
  await stage.put(
    "b",
    "openai-codex",
    { refresh: "planted-refresh", access: "planted-access" },
    { type: "oauth" },
  );
  const store = stage.stores.tenant("t_default").credentials;
  const redactor = createRedactor();
  const parts = { store, box: stage.box, redactor, tenantId: "t_default" };
  expect(await hideCredentials(parts)).toEqual({ locked: [] });
  expect(redactor.text("planted-key-1 planted-refresh planted-access")).toBe(
    "[secret:a] [secret:b] [secret:b]",
  );
  const wrong = createSecretBox(async () => Buffer.alloc(32, 8));
  expect(await hideCredentials({ ...parts, box: wrong })).toEqual({ locked: ["a", "b"] });
});

it("hides what is secret however deep it lies, and leaves what only tells whose it is", () => {
  const redactor = createRedactor();
  hideSecret(redactor, "bed", {
    key: "planted-key",
    accountId: "account-1",
    availableModelIds: ["claude-sonnet", "gpt-large"],
    settings: {
      AWS_SECRET_ACCESS_KEY: "planted-aws",
      AWS_ACCESS_KEY_ID: "planted-id",
      AWS_REGION: "eu-central-1",
      CLOUDFLARE_ACCOUNT_ID: "account-2",
      GOOGLE_CLOUD_PROJECT: "project-1",
      GOOGLE_APPLICATION_CREDENTIALS: "/home/me/login.json",
    },
    tokens: { refresh_token: "planted-refresh", token_type: "Bearer", more: [{ id_token: "planted-more" }] },
    expires: 1_800_000_000_000,
  });
  const secret = "planted-key planted-aws planted-id planted-refresh planted-more";
  expect(redactor.text(secret)).toBe(Array(5).fill("[secret:bed]").join(" "));
  const known =
    "account-1 account-2 claude-sonnet gpt-large eu-central-1 project-1 /home/me/login.json Bearer 1800000000000";
  expect(redactor.text(known)).toBe(known);
});
