import { useEffect, useRef, useState } from 'react';
import { LogoMark } from '../../settings/brand/logo.tsx';
import { MAILED_PAGE } from '../../ui/lib/mailed-page.ts';

/**
 * Decides before the first paint whether this page load shows the overlay. Only the first page load of a browser
 * session shows it, and pages linked in emails never do. While the overlay is shown, the script blocks scrolling for
 * 3.5 s. It blocks the input events instead of hiding the scrollbar, because the layout would shift when the scrollbar
 * returns. It listens in the capture phase, because React stops the propagation of key events during hydration. The
 * overlay is not shown in the framed chat or if the user prefers reduced motion.
 */
export const STARTUP_SCRIPT = `
let isStart = !new RegExp(${JSON.stringify(MAILED_PAGE)}).test(location.pathname + location.search);
try {
  isStart &&= sessionStorage.getItem('started') === null;
  sessionStorage.setItem('started', 'true');
} catch {
  // Storage is denied in this browser, so every full page load counts as the first.
}
if (!isStart) document.documentElement.dataset.started = '';
if (isStart && !matchMedia('(prefers-reduced-motion: reduce)').matches && location.pathname !== '/chat-embed') {
  const keys = ['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End', ' '];
  const block = (event) => {
    if (event.type !== 'keydown' || (event.target === document.body && keys.includes(event.key))) event.preventDefault();
  };
  const gestures = ['wheel', 'touchmove', 'keydown'];
  for (const gesture of gestures) addEventListener(gesture, block, { passive: false, capture: true });
  setTimeout(() => gestures.forEach((gesture) => removeEventListener(gesture, block, true)), 3500);
}`;

/**
 * Splash screen with the mark, the name typed letter by letter, and three pulsing dots. It covers the page, which loads
 * and hydrates beneath it. All animations are CSS, so it disappears even without JavaScript.
 */
export function StartupOverlay({ siteName }: { siteName: string }) {
  const overlay = useRef<HTMLDivElement>(null);
  const [isFinished, setFinished] = useState(false);

  useEffect(() => {
    // The animation may have finished before this runs, or may be disabled.
    const fadeOut = overlay.current?.getAnimations()[0];
    if (!fadeOut) return setFinished(true);
    fadeOut.finished.then(
      () => setFinished(true),
      () => undefined,
    );
  }, []);

  if (isFinished) return null;
  return (
    <div
      ref={overlay}
      aria-hidden="true"
      className="startup fixed inset-0 z-100 grid place-content-center justify-items-center gap-7 bg-canvas"
    >
      <LogoMark className="size-18" />
      <p className="text-2xl font-semibold tracking-[-0.03em]">
        {Array.from(siteName, (letter, index) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: the letters never change order
            key={index}
            className="startup-letter whitespace-pre"
          >
            {letter}
          </span>
        ))}
      </p>
      <div className="flex gap-2">
        {[0, 1, 2].map((dot) => (
          <span key={dot} className="startup-dot size-2 rounded-full bg-accent" />
        ))}
      </div>
    </div>
  );
}
