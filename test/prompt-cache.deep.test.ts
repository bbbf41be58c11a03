import { it } from "vitest";
import { expectGrowingRequests } from "./growing-requests.ts";

it("keeps the beginning of its requests the same to the byte over 1,000 turns, and the ledger shows what was found in the cache", () =>
  expectGrowingRequests(1000));
