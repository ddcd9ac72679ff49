import { type RefObject, useEffect, useState } from 'react';

/** Tracks if an element is at least `width` px wide. */
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
