// Finds in the conversation that is shown, its messages that are not drawn yet and its folded parts included. Promises:
// the count is of the words of the whole path, as they are read; what is looked at is brought into sight and opened where
// it is folded; text that streams is found as it comes. It is a file of its own in the build, fetched when somebody
// looks for something first, and shares no module with the panel, which hands in what both need.

import type { Message, MessageId } from '../../model/message.ts';
import { begun, foundWords, grown, hitsIn, mostHits, nothing, stepped, type Found, type Hit } from './matcher.ts';
import { bringIntoSight, opened, paint, rangesIn, regionOf, unpaint } from './page.ts';
import { shownWords, type WordTools } from './shownWords.ts';

export { foundWords };

/** More is not coloured at once: what is nearest to the one that is looked at goes first. */
const mostRegions = 300;
const mostRanges = 3000;
const repaintAfter = 100;
const rereadAfter = 200;
/** Frames in which something that was opened is drawn. */
const patience = 90;

export interface FinderPorts {
  readonly tools: WordTools;
  readonly messages: () => readonly Message[];
  readonly scroller: HTMLElement;
  /** Draws this message if it is not drawn yet, and hands out its article when it is. */
  readonly reveal: (message: MessageId, then: (article: HTMLElement) => void) => void;
  readonly changed: (found: Found) => void;
}

export interface Finder {
  seek(query: string): void;
  step(by: 1 | -1): void;
  /** The conversation changed. */
  reread(): void;
  close(): void;
}

export function createFinder({ tools, messages, scroller, reveal, changed }: FinderPorts): Finder {
  const words = shownWords(tools);
  let found: Found = nothing;
  let painting: ReturnType<typeof setTimeout> | undefined;
  let rereading: ReturnType<typeof setTimeout> | undefined;
  let wanted = 0;
  const watch = new MutationObserver(() => (painting ??= setTimeout(repaint, repaintAfter)));
  watch.observe(scroller, { childList: true, characterData: true, subtree: true });
  /** What is looked at stays in sight, whatever comes above it, until the person does something. */
  let held = -1;
  // Where the person scrolls, nothing else does.
  const taken = () => void (wanted += 1);
  const hands = new AbortController();
  for (const hand of ['wheel', 'pointerdown'])
    scroller.addEventListener(hand, taken, { passive: true, signal: hands.signal });
  window.addEventListener('keydown', taken, { capture: true, signal: hands.signal });

  function hitsOf(query: string): readonly Hit[] {
    const hits: Hit[] = [];
    if (query === '') return hits;
    for (const message of messages()) {
      for (const [at, parts] of words.of(message).entries()) hits.push(...hitsIn(message.id, at, parts, query));
      if (hits.length >= mostHits) return hits.slice(0, mostHits);
    }
    return hits;
  }

  function become(next: Found) {
    found = next;
    changed(found);
    repaint();
  }

  function articleOf(message: MessageId): HTMLElement | null {
    return scroller.querySelector<HTMLElement>(`[data-message="${CSS.escape(message)}"]`);
  }

  function repaint() {
    clearTimeout(painting);
    painting = undefined;
    const { hits, current, query } = found;
    const byId = new Map(messages().map(message => [message.id, message]));
    const regions = new Set<HTMLElement>();
    const ranges: Range[] = [];
    const now = hits[current];
    const paintHit = (hit: Hit | undefined) => {
      const message = hit && byId.get(hit.message);
      const article = message && articleOf(message.id);
      const region = article && regionOf(article, message, hit);
      if (!region || regions.has(region)) return;
      regions.add(region);
      ranges.push(...rangesIn(region, query, mostRanges - ranges.length));
    };
    const last = Math.max(current, hits.length - current);
    for (let away = 0; away <= last && regions.size < mostRegions && ranges.length < mostRanges; away++) {
      paintHit(hits[current + away]);
      if (away > 0) paintHit(hits[current - away]);
    }
    paint(ranges, now ? rangeOf(now) : null);
  }

  function rangeOf(hit: Hit): Range | null {
    const message = messages().find(({ id }) => id === hit.message);
    const article = articleOf(hit.message);
    const region = message && article && regionOf(article, message, hit);
    const drawn = region ? rangesIn(region, found.query, mostHits) : [];
    // What is drawn may be a letter or two away from what was read; the last one is then the nearest.
    return drawn[hit.nth] ?? drawn.at(-1) ?? null;
  }

  function go() {
    const hit = found.hits[found.current];
    const ours = (held = ++wanted);
    if (!hit) return;
    reveal(hit.message, article => {
      const look = (frames: number) => {
        const message = messages().find(({ id }) => id === hit.message);
        if (ours !== wanted || !message) return;
        const region = regionOf(article, message, hit);
        const isOpening = opened(article, message, hit, region !== null);
        const range = isOpening ? null : rangeOf(hit);
        if (range)
          bringIntoSight(
            () => rangeOf(hit),
            scroller,
            () => ours !== wanted,
          );
        else if (frames > 0) return void requestAnimationFrame(() => look(frames - 1));
        else article.scrollIntoView({ block: 'nearest' });
        repaint();
      };
      look(patience);
    });
  }

  /** Whether it stands above what is seen. */
  function isAbove(hit: Hit): boolean {
    const article = articleOf(hit.message);
    return !article || article.offsetTop + article.offsetHeight <= scroller.scrollTop;
  }

  return {
    seek(query) {
      if (query === found.query) return;
      const hits = hitsOf(query);
      const old = found.hits[found.current];
      const from = old ? messages().findIndex(({ id }) => id === old.message) : -1;
      const order = new Map(messages().map(({ id }, at) => [id, at]));
      become(begun(query, hits, hit => (from >= 0 ? (order.get(hit.message) ?? 0) < from : isAbove(hit))));
      go();
    },
    step(by) {
      become(stepped(found, by));
      go();
    },
    reread() {
      if (found.query === '') return;
      rereading ??= setTimeout(() => {
        rereading = undefined;
        const wasNone = found.hits.length === 0;
        become(grown(found, hitsOf(found.query)));
        // Of a long conversation what is looked for may not have been here yet, and what comes pushes it away.
        if (wasNone || held === wanted) go();
      }, rereadAfter);
    },
    close() {
      taken();
      hands.abort();
      watch.disconnect();
      clearTimeout(painting);
      clearTimeout(rereading);
      unpaint();
    },
  };
}
