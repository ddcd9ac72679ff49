/** Page transitions: new pages fade and slide in, and receive the keyboard focus. */
import type { AnyRouter } from '@tanstack/react-router';
import { focusHeading } from '../../ui/lib/focus-heading.ts';
import { repeatScroll } from '../../ui/lib/stable-scroll.ts';

const TRANSITION_MS = 400;

/**
 * Animates new pages for 0.4 s, unless the user prefers reduced motion.
 *
 * @returns unsubscribe
 */
export function animatePageChanges(router: AnyRouter): () => void {
  return router.subscribe('onRendered', ({ pathChanged, fromLocation }) => {
    if (!pathChanged || !fromLocation || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const animation = document.querySelector('main')?.animate(
      [
        { opacity: 0, transform: 'translateY(16px)' },
        { opacity: 1, transform: 'none' },
      ],
      { duration: TRANSITION_MS, easing: 'cubic-bezier(0.2, 0.7, 0.2, 1)' },
    );
    // During the animation, the target of a hash link is up to 16 px too low.
    animation?.addEventListener('finish', repeatScroll);
  });
}

/**
 * Moves the keyboard focus to each new page, unless the URL has a hash.
 *
 * @returns unsubscribe
 */
export function focusNewPages(router: AnyRouter): () => void {
  return router.subscribe('onRendered', ({ pathChanged, fromLocation, toLocation }) => {
    if (pathChanged && fromLocation && !toLocation.hash) focusHeading();
  });
}
