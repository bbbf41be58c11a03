/** What every storage promises about notices and about the cursors of channels. */
import { describe, expect, it } from "vitest";
import { draft, noticeDraft } from "./message-samples.ts";
import type { Stage } from "./stage.ts";

export function describeNotices(stage: Stage): void {
  describe("notices", () => {
    it("has one open notice per subject, newest first", async () => {
      const first = await stage.tenant.notices.add(noticeDraft("a"));
      expect(first).toEqual({
        isNew: true,
        notice: {
          ...noticeDraft("a"),
          id: expect.stringMatching(/^n_/),
          createdAt: "2026-01-01T12:00:00.000Z",
          dismissedAt: null,
        },
      });
      expect(await stage.tenant.notices.add(noticeDraft("a"))).toEqual({ ...first, isNew: false });
      const second = await stage.tenant.notices.add(noticeDraft("b"));
      expect(await stage.tenant.notices.list({ limit: 9 })).toEqual([second.notice, first.notice]);
      expect(await stage.tenant.notices.list({ limit: 1 })).toEqual([second.notice]);
      expect(await stage.stores.tenant("rival").notices.list({ limit: 9 })).toEqual([]);
    });

    it("dismisses by id or by subject, and then takes a new one about it", async () => {
      const { notice } = await stage.tenant.notices.add(noticeDraft("a"));
      await stage.tenant.notices.add(noticeDraft("b"));
      expect(await stage.tenant.notices.dismiss(notice.id)).toBe(true);
      expect(await stage.tenant.notices.dismiss(notice.id)).toBe(false);
      expect(await stage.tenant.notices.dismiss("b")).toBe(true);
      expect(await stage.tenant.notices.list({ limit: 9 })).toEqual([]);
      expect((await stage.tenant.notices.add(noticeDraft("a"))).isNew).toBe(true);
      const all = await stage.tenant.notices.list({ limit: 9, all: true });
      expect(all.map(({ subject, dismissedAt }) => [subject, dismissedAt !== null])).toEqual([
        ["a", false],
        ["b", true],
        ["a", true],
      ]);
    });
  });

  describe("telling the owner", () => {
    it("tells each open notice once, oldest first", async () => {
      const { untold, tell, add, dismiss } = stage.tenant.notices;
      const { notice } = await add(noticeDraft("a"));
      const { notice: second } = await add(noticeDraft("b"));
      const { notice: third } = await add(noticeDraft("c"));
      expect(await untold(9)).toEqual([notice, second, third]);
      expect(await untold(1)).toEqual([notice]);
      expect(await tell(notice.id, [draft("look", { kind: "notice" })])).toMatchObject([{ text: "look" }]);
      expect(await tell(notice.id, [draft("look again")])).toEqual([]);
      await dismiss("b");
      expect(await untold(9)).toEqual([third]);
      expect(await stage.tenant.outbox.list({ limit: 9 })).toHaveLength(1);
    });
  });

  describe("a notice that replaces an open one", () => {
    it("puts other words in its place and is told again, but equal words are no news", async () => {
      const { untold, tell, add, list } = stage.tenant.notices;
      const asking = (code: string) => ({
        ...noticeDraft("a"),
        text: { key: "k", parameters: { code } },
        replaces: true as const,
      });
      const { notice } = await add(asking("one"));
      await tell(notice.id, []);
      expect((await add(asking("one"))).isNew).toBe(false);
      expect(await untold(9)).toEqual([]);
      const { text } = asking("two");
      expect(await add(asking("two"))).toEqual({ isNew: true, notice: { ...notice, text } });
      expect(await list({ limit: 9 })).toHaveLength(1);
      expect(await untold(9)).toMatchObject([{ text }]);
      await add({ ...noticeDraft("a"), text: { key: "k", parameters: { code: "three" } } });
      expect(await untold(9)).toMatchObject([{ text }]);
    });
  });

  describe("cursors", () => {
    it("remembers how far each account has read", async () => {
      const { load, save } = stage.tenant.cursors;
      expect(await load("telegram", "bot")).toBeUndefined();
      await save("telegram", "bot", "7");
      await save("telegram", "other", "9");
      await save("telegram", "bot", "8");
      expect(await load("telegram", "bot")).toBe("8");
      expect(await stage.stores.tenant("rival").cursors.load("telegram", "bot")).toBeUndefined();
    });
  });
}
