import { type HydrationStrategy, visible } from '@tanstack/react-start/hydration';

/**
 * Hydrates when an element is within `rootMargin` of the viewport. TanStack's `visible` reads only the first queued
 * change. Slow phones queue "outside, inside" during hydration, so the section would never hydrate.
 */
export function whenNear(rootMargin: string): HydrationStrategy {
  const strategy = visible({ rootMargin });
  const wait: HydrationStrategy['_s'] = (context) => {
    if (!context.element) return strategy._s?.(context);
    const observer = new IntersectionObserver(
      (changes) => {
        if (!changes.some(({ isIntersecting }) => isIntersecting)) return;
        observer.disconnect();
        strategy._s?.({ ...context, element: null });
      },
      { rootMargin },
    );
    observer.observe(context.element);
    return () => observer.disconnect();
  };
  return { ...strategy, _s: wait };
}
