import { type RefObject, useEffect, useState } from 'react';

/** Tells whether any part of the element is in the viewport, by the last change told. True until one was told. */
export function useOnScreen(ref: RefObject<Element | null>): boolean {
  const [isOnScreen, setOnScreen] = useState(true);
  useEffect(() => {
    if (!ref.current) return;
    const observer = new IntersectionObserver((changes) => setOnScreen(changes.at(-1)?.isIntersecting ?? true));
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, [ref]);
  return isOnScreen;
}
