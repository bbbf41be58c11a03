import { describe, expect, it } from "vitest";
import { classifyFailure } from "./classify-failure.ts";
import type { FailureEvidence } from "./failure-evidence.ts";
import { chineseFailureCases } from "./fixtures/chinese-failure-cases.ts";
import { failureCases } from "./fixtures/failure-cases.ts";
import { furtherFailureCases } from "./fixtures/further-failure-cases.ts";

const now = Date.UTC(2026, 0, 1, 12);
const classify = (evidence: FailureEvidence, secrets?: string[]) =>
  classifyFailure(evidence, { now, ...(secrets ? { secrets } : {}) });

const allCases = [...failureCases, ...chineseFailureCases, ...furtherFailureCases];

describe("a failure", () => {
  it.each(allCases)("AUTH-08 MODEL-09 is $code when $who says so", ({ code, evidence }) => {
    const failure = classify(evidence);
    expect(failure.code).toBe(code);
    expect(failure.message).toMatch(/^[^\n]{3,300}$/);
    expect(failure.message).not.toMatch(/<[a-z!/]/i);
    expect(failure.status).toBe(evidence.status ?? failure.status);
  });

  it("has at least three hundred bodies behind its table, none twice", () => {
    const bodies = allCases.filter(({ evidence }) => evidence.body ?? evidence.text);
    const known = new Set(bodies.map(({ evidence: { status, body, text } }) => `${status} ${body ?? text}`));
    expect(known.size).toBe(bodies.length);
    expect(known.size).toBeGreaterThanOrEqual(300);
  });

  it("is judged by each value on its own: two that stand side by side say nothing together", () => {
    const body = { error: { message: "'max_tokens' is wrong", param: "token", type: "x", hint: "expired" } };
    expect(classify({ status: 400, body: JSON.stringify(body) }).code).toBe("invalid_request");
    expect(classify({ status: 400, body: JSON.stringify(body).slice(0, -1) }).code).toBe("invalid_request");
  });

  it("of a request that is called invalid is not explained by loose words in it", () => {
    const words =
      "tools.0.name: 'rate_limit' (timeout, refusal, content_filter, access denied) is overloaded";
    const called = (type: string | undefined, status = 400) =>
      classify({ status, body: JSON.stringify({ error: { message: `Invalid ${words}`, type } }) }).code;
    expect(called("invalid_request_error")).toBe("invalid_request");
    expect(called("INVALID_ARGUMENT", 422)).toBe("invalid_request");
    expect(called(undefined)).not.toBe("invalid_request");
  });

  it("is told in one line: what the provider said, deepest first, without markup and without keys", () => {
    const message = (evidence: FailureEvidence, secrets?: string[]) => classify(evidence, secrets).message;
    const nested = {
      error: {
        message: "Provider returned error",
        code: 502,
        metadata: { raw: '{"error":{"message":"upstream exploded"}}' },
      },
    };
    expect(message({ status: 502, body: JSON.stringify(nested) })).toBe("502: upstream exploded");
    const page =
      "<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body><center><h1>502 Bad Gateway</h1></center></body></html>";
    expect(message({ status: 502, body: page })).toBe("502 Bad Gateway");
    const key = {
      error: { message: "Incorrect API key provided: sk-proj-abc***********wxyz. See\nthe page." },
    };
    expect(message({ status: 401, body: JSON.stringify(key) })).toBe(
      "401: Incorrect API key provided: … See the page.",
    );
    expect(message({ status: 401, body: "the key my-own-secret is wrong" }, ["my-own-secret"])).not.toContain(
      "my-own",
    );
    expect(message({ status: 500, body: "x".repeat(5000) })).toHaveLength(300);
    expect(message({ status: 500, body: "" })).toBe("500");
    expect(message({})).toBe("nothing was said about the reason");
  });

  it("with 402 is about money, whatever limit it names", () => {
    expect(classify({ status: 402, body: '{"error":{"code":"rate_limit_exceeded"}}' }).code).toBe("billing");
  });

  it("never shows half a secret: they go before the line is cut", () => {
    const secret = "Zq7".repeat(20);
    for (let before = 200; before <= 300; before++) {
      const body = `${"x".repeat(before)} ${secret} ${"y".repeat(300)}`;
      const { message } = classify({ status: 401, body }, [secret]);
      expect(message).not.toContain("Zq7");
      expect(message.length).toBeLessThanOrEqual(300);
    }
  });

  it("never cuts a character in two", () => {
    for (const lead of ["", "x"])
      expect(classify({ status: 500, body: lead + "😀".repeat(400) }).message.isWellFormed()).toBe(true);
  });

  it.each<[string, Partial<FailureEvidence>, number | undefined]>([
    ["retry-after in seconds", { headers: { "retry-after": "20" } }, 20_000],
    ["retry-after as a date", { headers: { "retry-after": new Date(now + 90_000).toUTCString() } }, 90_000],
    [
      "retry-after-ms before retry-after",
      { headers: { "retry-after-ms": "1500", "retry-after": "9" } },
      1500,
    ],
    ["a reset as a length", { headers: { "x-ratelimit-reset-requests": "6m0s" } }, 360_000],
    [
      "only limits that are used up",
      {
        headers: {
          "x-ratelimit-reset-requests": "1s",
          "x-ratelimit-remaining-requests": "9",
          "x-ratelimit-reset-tokens": "120ms",
          "x-ratelimit-remaining-tokens": "0",
        },
      },
      120,
    ],
    [
      "a reset in milliseconds since the epoch",
      { headers: { "x-ratelimit-reset": String(now + 4000) } },
      4000,
    ],
    [
      "a reset in seconds since the epoch",
      { headers: { "x-ratelimit-reset": String(now / 1000 + 30) } },
      30_000,
    ],
    [
      "a reset as a time",
      { headers: { "anthropic-ratelimit-tokens-reset": new Date(now + 12_000).toISOString() } },
      12_000,
    ],
    [
      "words of OpenAI",
      { body: '{"error":{"message":"Rate limit reached. Please try again in 1.5s. Visit …"}}' },
      1500,
    ],
    [
      "words with minutes",
      { body: '{"error":{"message":"Rate limit. Please try again in 6m0s."}}' },
      360_000,
    ],
    ["spoken words", { body: "You have hit your usage limit. Try again in ~12 min." }, 720_000],
    [
      "Google's RetryInfo",
      {
        body: '{"error":{"code":429,"status":"RESOURCE_EXHAUSTED","message":"quota","details":[{"retryDelay":"17s"}]}}',
      },
      17_000,
    ],
    [
      "a plan's reset",
      { body: '{"error":{"type":"usage_limit_reached","message":"limit","resets_in_seconds":600}}' },
      600_000,
    ],
    ["nothing at all", { body: "slow down" }, undefined],
    ["a time that has passed", { headers: { "retry-after": new Date(now - 5000).toUTCString() } }, 0],
    ["nonsense", { headers: { "retry-after": "soon" } }, undefined],
  ])("asks to be left alone by %s", (_, evidence, expected) => {
    expect(classify({ status: 429, ...evidence })).toMatchObject({ code: "rate_limit" });
    expect(classify({ status: 429, ...evidence }).retryAfterMs).toBe(expected);
  });

  it("of the key or of the request asks for no pause", () => {
    expect(classify({ status: 401, body: "{}", headers: { "retry-after": "5" } })).not.toHaveProperty(
      "retryAfterMs",
    );
    expect(classify({ status: 400, body: "{}", headers: { "retry-after": "5" } })).not.toHaveProperty(
      "retryAfterMs",
    );
  });
});
