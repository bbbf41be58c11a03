import * as fc from "fast-check";
import { expect, it } from "vitest";
import { prepareHistory } from "./prepare-history.ts";
import { anyHistory, targets } from "./testing/any-history.ts";
import { historyFaults } from "./testing/history-faults.ts";

it("SESS-16 a history is refused by no wire format, in a hundred thousand of them", () => {
  fc.assert(
    fc.property(anyHistory, fc.constantFrom(...targets), fc.nat(10), (messages, record, plainUntil) => {
      expect(historyFaults(prepareHistory(messages, record, "normal"), record)).toEqual([]);
      expect(historyFaults(prepareHistory(messages, record, "normal", plainUntil), record)).toEqual([]);
      expect(
        historyFaults(prepareHistory(messages, record, "plain"), { ...record, input: ["text"] }),
      ).toEqual([]);
    }),
    { numRuns: 100_000 },
  );
});
