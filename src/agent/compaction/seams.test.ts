import { describe, expect, it } from "vitest";
import { seamsOf } from "./seams.ts";
import { assistant, entriesOf, result, user } from "./testing/conversation.ts";

describe("seams", () => {
  it("are before what people and assistants say, outside of exchanges", () => {
    const said = entriesOf([user("a"), assistant("", [{ id: "1" }]), result("1"), assistant("b"), user("c")]);
    expect(seamsOf(said)).toEqual([true, true, false, true, true]);
  });

  it("are not where a person spoke between a call and its result", () => {
    const said = entriesOf([assistant("", [{ id: "1" }]), user("wait"), result("1"), user("and?")]);
    expect(seamsOf(said)).toEqual([true, false, false, true]);
  });

  it("are behind a call that never got a result", () => {
    const said = entriesOf([
      assistant("", [{ id: "1" }, { id: "2" }]),
      result("1"),
      user("c"),
      assistant("d"),
    ]);
    expect(seamsOf(said)).toEqual([true, false, true, true]);
  });

  it("are not before a result whose call is not there", () => {
    expect(seamsOf(entriesOf([user("a"), result("lost"), user("b")]))).toEqual([true, false, true]);
  });

  it("hold where a call id is used again", () => {
    const exchange = [assistant("", [{ id: "1" }]), result("1")];
    expect(seamsOf(entriesOf([...exchange, ...exchange]))).toEqual([true, false, true, false]);
  });
});
