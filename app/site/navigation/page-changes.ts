/** Animates a change of the path: the new page fades and slides in, and the keyboard goes there. */
import type { AnyRouter } from '@tanstack/react-router';
import { focusHeading } from '../../ui/lib/focus-heading.ts';

const TRANSITION_MS = 400;

/** Lets new pages come in over 0.4 s, at once for people who want no motion. @returns ends it */
export function animatePageChanges(router: AnyRouter): () => void {
  return router.subscribe('onRendered', ({ pathChanged, fromLocation }) => {
    if (!pathChanged || !fromLocation || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    document.querySelector('main')?.animate(
      [
        { opacity: 0, transform: 'translateY(16px)' },
        { opacity: 1, transform: 'none' },
      ],
      { duration: TRANSITION_MS, easing: 'cubic-bezier(0.2, 0.7, 0.2, 1)' },
    );
  });
}

/** Moves the keyboard to every new page; where its address names a part of it, scrolling there does. @returns ends it */
export function focusNewPages(router: AnyRouter): () => void {
  return router.subscribe('onRendered', ({ pathChanged, fromLocation, toLocation }) => {
    if (pathChanged && fromLocation && !toLocation.hash) focusHeading();
  });
}
