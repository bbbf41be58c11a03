import { expect, it } from "vitest";
import { isKeptClass, isKeptField, isOwnPicture } from "./kept-markup.ts";

it("SEC-02 what others say has no class of the page: only code says its language", () => {
  expect(isKeptClass("CODE", "language-c++")).toBe(true);
  for (const [tag, name] of [
    ["A", "button primary"],
    ["P", "language-ts"],
    ["CODE", "language-ts shell-banner"],
    ["CODE", "chat-drop"],
  ] as const)
    expect(isKeptClass(tag, name)).toBe(false);
});

it("SEC-02 nothing that others say can be written into or pressed", () => {
  expect(isKeptField("checkbox")).toBe(true);
  for (const type of ["text", "password", "submit", "image", "file", ""])
    expect(isKeptField(type)).toBe(false);
});

it("SEC-02 a picture is shown only where it is the gateway's own", () => {
  expect(isOwnPicture("/docs/images/chat.png")).toBe(true);
  for (const source of [
    "//evil.example/x.png",
    "/\\evil.example/x.png",
    "https://evil.example/x.png",
    "#",
    "",
  ])
    expect(isOwnPicture(source)).toBe(false);
});
