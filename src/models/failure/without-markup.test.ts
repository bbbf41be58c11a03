import { describe, expect, it } from "vitest";
import { titleOfPage, withoutMarkup } from "./without-markup.ts";

const words = (text: string): string => withoutMarkup(text).replace(/\s+/g, " ").trim();

describe("markup", () => {
  it("goes, with what a browser does not show", () => {
    const page =
      "<p>one<STYLE>p > a {}</style ><b>two</b><script>if (a</b>) x()</script>three &amp; four&nbsp;<br/>";
    expect(words(page)).toBe("one two three & four");
    expect(words("one <script> never closed")).toBe("one");
  });

  it("that is none stays", () => {
    expect(words("4000 < 5000 and 6 > 5")).toBe("4000 < 5000 and 6 > 5");
    expect(words("a <b that never ends")).toBe("a b that never ends");
  });

  it("of a page has a title, or is all that there is", () => {
    expect(titleOfPage("<!DOCTYPE html><title lang=en>502 Bad</TITLE><p>more")).toBe("502 Bad");
    expect(titleOfPage("<html><body>no title")).toBe("<html><body>no title");
    expect(titleOfPage("<html><title>never closed")).toBe("<html><title>never closed");
    expect(titleOfPage('{"error":"<html><title>x</title>"}')).toBeUndefined();
    expect(titleOfPage("plain words")).toBeUndefined();
  });
});
