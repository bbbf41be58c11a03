import { describe, expect, it } from "vitest";
import { mayBeCode, pastedSecret, takeCode } from "./take-code.ts";

function open(hash: string) {
  const shown: string[] = [];
  const history = {
    replaceState: (_state: unknown, _title: string, url?: string | URL | null) =>
      void shown.push(String(url)),
  };
  return { code: takeCode({ hash, pathname: "/", search: "" }, history), shown };
}

describe("the code of a sign-in link", () => {
  it("UI-01 is taken out of the address bar", () => {
    expect(open("#code=abc-_9")).toEqual({ code: { code: "abc-_9", role: "owner" }, shown: ["/"] });
    expect(open("#code=")).toEqual({ code: { code: "", role: "owner" }, shown: ["/"] });
  });

  it("is none where the address names a view", () => {
    expect(open("#/chat/agent:main")).toEqual({ code: undefined, shown: [] });
    expect(open("")).toEqual({ code: undefined, shown: [] });
  });

  it("is found in what somebody pastes, link or not", () => {
    expect(pastedSecret(" http://localhost:18650/#code=abc-_9 ")).toBe("abc-_9");
    expect(pastedSecret("https://desk.example/#x=1&code=abc")).toBe("abc");
    expect(pastedSecret("https://desk.example/#code=abc&role=viewer")).toBe("abc");
    expect(pastedSecret(" pin_abc\n")).toBe("pin_abc");
  });

  it("looks like one or not", () => {
    expect(mayBeCode("fEtS5yKKmf6iTX5Oz8Pqo4-XBFrK1bMZ")).toBe(true);
    expect(mayBeCode("pin_fEtS5yKKmf6iTX5Oz8Pqo4-XBFrK1bMZ")).toBe(false);
  });
});
