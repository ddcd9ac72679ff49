import { type RefObject, useEffect, useState } from 'react';

/** Tells whether an element is at least that wide, in px, live. */
export function useIsWide(element: RefObject<HTMLElement | null>, width: number): boolean {
  const [isWide, setWide] = useState(false);
  useEffect(() => {
    if (!element.current) return;
    const observer = new ResizeObserver(([entry]) => entry && setWide(entry.contentRect.width >= width));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element, width]);
  return isWide;
}
