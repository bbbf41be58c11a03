/**
 * Keeps the scroll position: at the end while the reader is there, else at the first visible row, whatever is added
 * above or changes its height.
 */

export interface ScrollAnchor {
  /** Whether the end is followed. */
  isStuck(): boolean;
  stick(): void;
  unstick(): void;
  /** After the rows have changed. */
  keep(): void;
  /** Pixels above and below what is seen. */
  distances(): { above: number; below: number };
  close(): void;
}

/** As near to the end as this counts as there. */
const nearPixels = 60;

export function createScrollAnchor(scroller: HTMLElement, { scrolled }: { scrolled(): void }): ScrollAnchor {
  let stuck = true;
  let lastTop = 0;
  let anchor: { key: string; top: number } | undefined;

  const distances = () => ({
    above: scroller.scrollTop,
    below: scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop,
  });
  const topOf = (row: Element) => row.getBoundingClientRect().top - scroller.getBoundingClientRect().top;

  /** The first row that reaches into what is seen. */
  function look(): void {
    const rows = scroller.querySelectorAll<HTMLElement>("[data-key]");
    let low = 0;
    let high = rows.length - 1;
    const edge = scroller.getBoundingClientRect().top;
    while (low < high) {
      const middle = (low + high) >> 1;
      const row = rows[middle];
      if (row && row.getBoundingClientRect().bottom > edge) high = middle;
      else low = middle + 1;
    }
    const row = rows[low];
    anchor = row ? { key: row.dataset["key"] ?? "", top: topOf(row) } : undefined;
  }

  function keep(): void {
    if (stuck) {
      scroller.scrollTop = scroller.scrollHeight;
      return;
    }
    if (!anchor) return look();
    const row = scroller.querySelector(`[data-key="${CSS.escape(anchor.key)}"]`);
    if (!row) return look();
    const moved = topOf(row) - anchor.top;
    if (Math.abs(moved) >= 1) scroller.scrollTop += moved;
  }

  const hear = () => {
    const { above, below } = distances();
    // Only scrolling up leaves the end: the log may have grown since the event.
    if (below < nearPixels) stuck = true;
    else if (above < lastTop) stuck = false;
    lastTop = above;
    look();
    scrolled();
  };
  scroller.addEventListener("scroll", hear, { passive: true });
  const sizes = new ResizeObserver(keep);
  sizes.observe(scroller);
  if (scroller.firstElementChild) sizes.observe(scroller.firstElementChild);

  return {
    isStuck: () => stuck,
    stick() {
      stuck = true;
      keep();
    },
    unstick() {
      stuck = false;
      look();
    },
    keep,
    distances,
    close() {
      scroller.removeEventListener("scroll", hear);
      sizes.disconnect();
    },
  };
}
