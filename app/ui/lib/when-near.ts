import { type HydrationStrategy, visible } from '@tanstack/react-start/hydration';

/**
 * Hydrates what comes within `rootMargin` of the screen. The library's observer reads only the first of the changes that
 * the browser tells at once: "out of view, in view", told to who scrolls while a busy phone takes the page over, left
 * the part without its code for good. Each change counts here, and the library opens at once what has no element.
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
