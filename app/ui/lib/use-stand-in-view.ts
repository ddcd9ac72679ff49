import { type RefObject, useEffect } from 'react';

/** Gives the focus to a heading when it appears, and puts it into the middle of what is in view. */
export function useStandInView(heading: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView({ block: 'center' });
  }, [heading]);
}
