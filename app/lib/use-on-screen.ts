import { type RefObject, useEffect, useState } from 'react';

/** Tells whether any part of the element is in the viewport. True until the browser has told otherwise. */
export function useOnScreen(ref: RefObject<Element | null>): boolean {
  const [isOnScreen, setOnScreen] = useState(true);
  useEffect(() => {
    if (!ref.current) return;
    const observer = new IntersectionObserver(([entry]) => setOnScreen(entry?.isIntersecting ?? true));
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, [ref]);
  return isOnScreen;
}
