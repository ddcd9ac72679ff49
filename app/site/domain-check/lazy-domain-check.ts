import { lazy } from '../../ui/lazy.tsx';

/** Events that show that the visitor may scroll to the section. */
const FIRST_INPUTS = ['scroll', 'pointerdown', 'keydown', 'focusin'] as const;

/** Section far down the page. Its code loads with the first input, so that the first visit stays small. */
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
    // The scroll position was restored, or the browser renders the page itself.
    if (window.scrollY > 0 || !document.getElementById('domain-check')) onInput();
  });
}
