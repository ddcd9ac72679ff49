import { lazy } from '../../ui/lazy.tsx';

/** User events that may scroll the section into view. */
const FIRST_INPUTS = ['scroll', 'pointerdown', 'keydown', 'focusin'] as const;

/** Lazy-loaded on the first user event, because the section is below the fold. */
export const LazyDomainCheck = lazy(
  async () => {
    if (typeof window !== 'undefined') await firstInput();
    return import('./domain-check.tsx');
  },
  { ssr: true },
);

function firstInput(): Promise<void> {
  return new Promise((resolve) => {
    function onInput() {
      for (const type of FIRST_INPUTS) window.removeEventListener(type, onInput);
      resolve();
    }
    for (const type of FIRST_INPUTS) window.addEventListener(type, onInput, { passive: true });
    // The scroll position was restored, or the page is rendered in the browser.
    if (window.scrollY > 0 || !document.getElementById('domain-check')) onInput();
  });
}
