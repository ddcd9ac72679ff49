import { type RefObject, useEffect, useState } from 'react';
import { useFormContext, useFormState } from 'react-hook-form';

export interface FullScreen {
  isFull: boolean;
  toggle: () => void;
  leave: () => void;
}

/**
 * Lets an element fill the window. The element is not moved in the DOM, so the text area keeps its undo history.
 * All other elements are inert. A failed save exits full screen.
 */
export function useFullScreen(root: RefObject<HTMLElement | null>): FullScreen {
  const [isFull, setFull] = useState(false);
  useLeaveWhenRefused(isFull, () => setFull(false));
  useEffect(() => {
    if (!isFull || !root.current) return;
    const restore = makeOthersInert(root.current);
    const { overflow } = document.documentElement.style;
    document.documentElement.style.overflow = 'hidden';
    return () => {
      restore();
      document.documentElement.style.overflow = overflow;
    };
  }, [isFull, root]);
  return { isFull, toggle: () => setFull(!isFull), leave: () => setFull(false) };
}

function useLeaveWhenRefused(isFull: boolean, leave: () => void): void {
  const { submitCount, errors } = useFormState();
  const { setFocus } = useFormContext();
  const [lastSubmitCount, setLastSubmitCount] = useState(submitCount);
  const [invalidField] = Object.keys(errors);
  const isRefused = isFull && submitCount > lastSubmitCount && invalidField !== undefined;
  if (submitCount !== lastSubmitCount && !isRefused) setLastSubmitCount(submitCount);
  useEffect(() => {
    if (!isRefused) return;
    setLastSubmitCount(submitCount);
    leave();
    // The field was inert when the form focused it.
    requestAnimationFrame(() => setFocus(invalidField));
  });
}

/** Makes all other elements inert, except toasts. Returns a function that undoes this. */
function makeOthersInert(element: HTMLElement): () => void {
  const inertElements: HTMLElement[] = [];
  for (let node = element; node !== document.body && node.parentElement; node = node.parentElement) {
    for (const sibling of node.parentElement.children) {
      if (sibling === node || !(sibling instanceof HTMLElement) || sibling.inert) continue;
      if (sibling.matches('script, style, link, section[aria-live]')) continue;
      sibling.inert = true;
      inertElements.push(sibling);
    }
  }
  return () => {
    for (const sibling of inertElements) sibling.inert = false;
  };
}
