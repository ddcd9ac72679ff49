import { useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect, useState } from 'react';
import { layOutWholePage } from '../../ui/lib/stable-scroll.ts';
import { readEditableFields } from './editable-fields.ts';
import { findMatches } from './find-matches.ts';
import { type PositionedMatch, positionMatches } from './position-matches.ts';

/** Debounce delay before the edit buttons are repositioned, in milliseconds. */
const DEBOUNCE_MS = 150;
/** Time that an IntersectionObserver needs to report a section, in milliseconds. */
const OBSERVER_MS = 200;

/** Finds the editable texts and pictures on the page, and updates when the page changes. */
export function useMatches(layer: RefObject<HTMLElement | null>): PositionedMatch[] {
  const client = useQueryClient();
  const [positionedMatches, setPositionedMatches] = useState<PositionedMatch[]>([]);
  useEffect(() => {
    const root = layer.current?.parentElement;
    if (!root) return;
    const regions = () => [...root.querySelectorAll(':scope > main, :scope > footer')];
    layOutWholePage();
    hydrateAll(root);
    const update = () => {
      pauseMotion(root);
      if (layer.current)
        setPositionedMatches(positionMatches(findMatches(regions(), readEditableFields(client)), layer.current));
    };
    let timer = setTimeout(update);
    const schedule = () => {
      clearTimeout(timer);
      timer = setTimeout(update, DEBOUNCE_MS);
    };
    const changes = new MutationObserver(schedule);
    const sizes = new ResizeObserver(schedule);
    for (const region of regions()) {
      changes.observe(region, {
        ...{ childList: true, characterData: true, subtree: true },
        attributeFilter: ['data-shown', 'hidden', 'src'],
      });
      sizes.observe(region);
    }
    // The scroll events of areas inside the page, such as a carousel, do not bubble.
    document.addEventListener('scroll', schedule, { capture: true, passive: true });
    return () => {
      clearTimeout(timer);
      changes.disconnect();
      sizes.disconnect();
      document.removeEventListener('scroll', schedule, { capture: true });
    };
  }, [client, layer]);
  return positionedMatches;
}

/**
 * Hydrates the sections below the fold, because only hydrated sections update while the editor types. Sections hydrate
 * near the viewport, so they are moved there for a moment while they are invisible.
 */
function hydrateAll(root: Element): void {
  const sections = [...root.querySelectorAll<HTMLElement>('[data-ts-hydrate-id]')].filter(
    (section) => section.getBoundingClientRect().top > window.innerHeight,
  );
  for (const section of sections) {
    section.style.opacity = '0';
    section.style.translate = `0 ${-section.getBoundingClientRect().top}px`;
  }
  setTimeout(() => {
    for (const { style } of sections) style.opacity = style.translate = '';
  }, OBSERVER_MS);
}

/** Pauses carousels and animations, which would move the texts under their buttons. */
function pauseMotion(root: Element): void {
  for (const button of root.querySelectorAll<HTMLElement>('main button[aria-label^="Pause the "]')) button.click();
  for (const animation of document.getAnimations()) {
    if (animation.effect?.getComputedTiming().iterations === Number.POSITIVE_INFINITY) animation.pause();
  }
}
