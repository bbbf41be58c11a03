import { describe, expect, it } from "vitest";
import { HttpResponse } from "./http-response.ts";

const streamed = (text: string) => new Blob([text]).stream();

describe("a response", () => {
  it("is that of the platform", async () => {
    const views = async (Kind: typeof Response | typeof HttpResponse) => {
      const init = { status: 404, statusText: "Gone", headers: { "content-type": "a/b" } };
      const plain = new Kind("words");
      const copied = new Kind(streamed("{}"), new Kind(null, init));
      const cloned = new Kind("twice");
      const other = cloned.clone();
      return [
        [plain.ok, plain.status, plain.statusText, plain.url, plain.type, plain.redirected],
        [...plain.headers],
        [copied.ok, copied.status, copied.statusText, [...copied.headers], copied.bodyUsed],
        [await copied.json(), copied.bodyUsed],
        [await cloned.text(), await other.text()],
        [new Kind().body, await new Kind().text(), new Kind().bodyUsed],
        Buffer.from(await new Kind("\ufeffä").arrayBuffer()).toString("hex"),
        await new Kind("\ufeffä").text(),
        (await new Kind("abc", init).blob()).type,
        [...(await new Kind("a").bytes())],
      ];
    };
    expect(await views(HttpResponse)).toEqual(await views(Response));
  });

  it("makes its body when that is asked for, once", async () => {
    let made = 0;
    const make = () => {
      made++;
      return streamed("late");
    };
    const response = new HttpResponse(make, { status: 201 });
    expect([response.status, response.bodyUsed, made]).toEqual([201, false, 0]);
    expect(response.body).toBe(response.body);
    expect(await response.text()).toBe("late");
    expect([made, response.bodyUsed]).toEqual([1, true]);
    const twice = new HttpResponse(make).clone();
    expect([await twice.text(), made]).toEqual(["late", 2]);
    await expect(response.text()).rejects.toThrow("read already");
  });

  it("is read once", async () => {
    for (const Kind of [Response, HttpResponse]) {
      const read = new Kind("once");
      await read.text();
      await expect(read.text()).rejects.toThrow(TypeError);
      expect(() => read.clone()).toThrow(TypeError);
      const held = new Kind(streamed("held"));
      held.body?.getReader();
      await expect(held.json()).rejects.toThrow(TypeError);
    }
  });

  it("passes on what breaks its body", async () => {
    const broken = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.error(new Error("cut")),
    });
    await expect(new HttpResponse(broken).text()).rejects.toThrow("cut");
  });
});
