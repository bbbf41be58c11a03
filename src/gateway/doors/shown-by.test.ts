import { expect, it } from "vitest";
import { sessionCookie, shownBy } from "./shown-by.ts";

it.each([
  [{}, {}],
  [{ authorization: "Bearer abc" }, { bearer: "abc" }],
  [{ authorization: "bearer   abc " }, { bearer: "abc" }],
  [{ authorization: "Basic YTpi" }, { bearer: "" }],
  [{ authorization: "" }, { bearer: "" }],
  [{ authorization: "Bearer" }, { bearer: "" }],
  [{ authorization: "Bearer a b" }, { bearer: "" }],
  [{ cookie: "a=b; pincer_session=xyz; c=d" }, { cookie: "xyz" }],
  [{ cookie: "xpincer_session=xyz" }, {}],
  [{ cookie: "PINCER_SESSION=xyz" }, {}],
  [{ cookie: "pincer_session=" }, { cookie: "" }],
  // Another server of this machine may have put one beside ours.
  [{ cookie: "pincer_session=one; pincer_session=two" }, { cookie: "" }],
  [
    { authorization: "Bearer abc", cookie: "pincer_session=xyz" },
    { bearer: "abc", cookie: "xyz" },
  ],
])("reads %j as %j", (headers, shown) => {
  expect(shownBy(headers)).toEqual(shown);
});

it("the cookie is for our own pages and for no script", () => {
  const marks = "HttpOnly; SameSite=Strict; Path=/; Max-Age=60";
  expect(sessionCookie("x", { maxAgeSeconds: 60, isSecure: false })).toBe(`pincer_session=x; ${marks}`);
  expect(sessionCookie("x", { maxAgeSeconds: 60, isSecure: true })).toBe(
    `pincer_session=x; ${marks}; Secure`,
  );
  expect(sessionCookie("", { maxAgeSeconds: 60, isSecure: false })).toContain("Max-Age=0");
});
