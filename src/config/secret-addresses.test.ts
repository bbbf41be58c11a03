import { describe, expect, it } from "vitest";
import { findSecretAddresses } from "./secret-addresses.ts";
import { literalSecrets, maskConfig } from "./mask-config.ts";

const config = (baseUrl: string) => ({ models: { providers: { mine: { baseUrl } } } });

describe("an address with a secret in it", () => {
  it.each([
    ["https://user:passSECRET@host/v1", "passSECRET", "https://user:***@host/v1"],
    ["https://tokenSECRET@host/v1", "tokenSECRET", "https://***@host/v1"],
    ["https://host/v1?api_key=QSECRET123&x=", "QSECRET123", "https://host/v1?api_key=***&x="],
    ["postgres://u:p%40ssword@host/db", "p@ssword", "postgres://u:***@host/db"],
  ])("is %s", (address, secret, shown) => {
    expect(literalSecrets(config(address)).map(({ value }) => value)).toContain(secret);
    expect(maskConfig(config(address)).models.providers.mine.baseUrl).toBe(shown);
  });

  it.each(["http://127.0.0.1:8000/v1", "not an address", "mailto:a@b", "secret:name", "http://[bad"])(
    "is not %s",
    (address) => {
      expect(findSecretAddresses(config(address))).toEqual([]);
      expect(maskConfig(config(address))).toEqual(config(address));
    },
  );
});
