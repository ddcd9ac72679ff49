import { drawnPiece } from '../../ui/drawn-piece.tsx';

/** Signs that somebody goes further than the first look at the page. */
const FIRST_SIGNS = ['scroll', 'pointerdown', 'keydown', 'focusin'] as const;

/**
 * The section far down the page, which the server draws. Its code is loaded only while the setting domain_check is on, and
 * with the first sign that somebody may come to it: a first look at the page does not pay for it.
 */
export const DomainCheckPiece = drawnPiece(async () => {
  if (typeof window !== 'undefined') await firstSign();
  return import('./domain-check.tsx');
});

function firstSign(): Promise<void> {
  return new Promise((resolve) => {
    function come() {
      for (const type of FIRST_SIGNS) window.removeEventListener(type, come);
      resolve();
    }
    for (const type of FIRST_SIGNS) window.addEventListener(type, come, { passive: true });
    // Restored where they were before, or on the way here from another page of the site.
    if (window.scrollY > 0 || !document.getElementById('domain-check')) come();
  });
}
