import { type RefObject, useEffect } from 'react';

/** Focuses a heading on mount and centres it in the viewport. */
export function useFocusOnMount(heading: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView({ block: 'center' });
  }, [heading]);
}
