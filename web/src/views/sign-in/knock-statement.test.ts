import { deviceStatement } from "@pincer/sdk";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { knockStatement } from "./knock-statement.ts";

it("a browser signs what every device signs", () => {
  const text = fc.string();
  fc.assert(
    fc.property(
      fc.record({ gatewayId: text, challenge: text, publicKey: text, wants: text }),
      (about) => knockStatement(about) === deviceStatement(about),
    ),
  );
  expect(knockStatement({ gatewayId: "g", challenge: "c", publicKey: "k", wants: "owner" })).toContain(
    '"owner"',
  );
});
