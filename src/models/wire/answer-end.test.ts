import { expect, it } from "vitest";
import { ask, testRecord, testWire } from "./testing/ask-wire.ts";

it("keeps out of a failure's words whatever the provider repeats of what it was sent", async () => {
  const message = [
    "no such key planted-key",
    "header planted-record-header",
    "token planted-bearer",
    "of planted-key-of-the-account",
    "settings planted-setting",
    "in eu-central-1",
  ].join("; ");
  const wire = testWire({
    fetch: async () =>
      new Response(JSON.stringify({ error: { message } }), {
        status: 401,
        headers: { "content-type": "application/json" },
      }),
  });
  const record = testRecord("openai-completions", "http://127.0.0.1:1", {
    headers: { "x-gateway-key": "planted-record-header", "x-forward": "Bearer planted-bearer" },
  });
  const auth = {
    apiKey: "planted-key",
    headers: { "x-account": "planted-key-of-the-account" },
    settings: { AWS_SECRET_ACCESS_KEY: "planted-setting", AWS_REGION: "eu-central-1" },
  };
  const { failure, message: answer } = await ask(wire, record, { auth });
  expect(failure).toMatchObject({ code: "auth", status: 401 });
  expect(failure?.message).toContain("of …; settings …; in eu-central-1");
  expect(JSON.stringify(answer)).not.toMatch(/planted|of-the-account/);
});
