import { expect, it } from "vitest";
import { failedAddress } from "./load-again.ts";

it("knows from the browser's words which part of the page failed to load", () => {
  const script = "http://localhost:1/assets/usage-view-x1.js";
  expect(failedAddress(`Failed to fetch dynamically imported module: ${script}`)).toEqual({ script });
  expect(failedAddress(`error loading dynamically imported module: ${script}`)).toEqual({ script });
  expect(failedAddress("Unable to preload CSS for /assets/usage-view-x2.css")).toEqual({
    style: "/assets/usage-view-x2.css",
  });
  expect(failedAddress("Importing a module script failed.")).toEqual({});
});
