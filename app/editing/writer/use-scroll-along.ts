import { type RefObject, useEffect } from 'react';
import { headingPlaces } from './split-sections.ts';
import { interpolate, textRows } from './text-rows.ts';

/**
 * Synchronises scrolling between text and preview in both directions.
 * @param text shown in the preview
 */
export function useScrollAlong(
  area: RefObject<HTMLTextAreaElement | null>,
  preview: RefObject<HTMLElement | null>,
  text: string,
): void {
  useEffect(() => {
    const [source, target] = [area.current, preview.current];
    if (!source || !target) return;
    let leader: Element = source;
    const rows = textRows(text, columnsOf(source));

    const headings = headingPlaces(text);
    const isAtStart = (pane: Element) => pane.scrollTop <= 0;
    /** Positions known in both: the headings, if their number matches. */
    const anchors = () => {
      const shown = [...target.querySelectorAll('h2, h3, h4, h5, h6')];
      const origin = target.getBoundingClientRect().top - target.scrollTop;
      const known = shown.length < headings.length ? [] : headings;
      const tops = known.map((_, index) => (shown[index]?.getBoundingClientRect().top ?? origin) - origin);
      return { places: [0, ...known, text.length], tops: [0, ...tops, target.scrollHeight] };
    };
    const isAtEnd = (pane: Element) =>
      pane.scrollTop > 0 && pane.scrollTop + pane.clientHeight >= pane.scrollHeight - 2;
    const follow = () => {
      const { places, tops } = anchors();
      if (leader === source) {
        const place = rows.placeAt(source.scrollTop / source.scrollHeight);
        const top = isAtStart(source) ? 0 : interpolate(place, places, tops);
        target.scrollTop = isAtEnd(source) ? target.scrollHeight : top;
      } else {
        const place = interpolate(target.scrollTop, tops, places);
        const top = isAtStart(target) ? 0 : rows.heightOf(place) * source.scrollHeight;
        source.scrollTop = isAtEnd(target) ? source.scrollHeight : top;
      }
    };
    let frame = 0;
    const onScroll = (event: Event) => {
      if (event.currentTarget !== leader) return;
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(follow);
    };
    const lead = (event: Event) => {
      if (event.currentTarget instanceof Element) leader = event.currentTarget;
    };
    follow();
    const stop = new AbortController();
    const options = { signal: stop.signal, passive: true };
    for (const pane of [source, target]) {
      pane.addEventListener('scroll', onScroll, options);
      for (const sign of ['wheel', 'touchstart', 'pointerdown', 'keydown', 'focus'])
        pane.addEventListener(sign, lead, options);
    }
    return () => {
      stop.abort();
      cancelAnimationFrame(frame);
    };
  }, [area, preview, text]);
}

/** Estimates the characters per row: letters are about half as wide as high. */
function columnsOf(area: HTMLTextAreaElement): number {
  const { fontSize, paddingLeft, paddingRight } = getComputedStyle(area);
  const width = area.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
  return Math.max(10, Math.floor(width / (Number.parseFloat(fontSize) * 0.5)));
}
