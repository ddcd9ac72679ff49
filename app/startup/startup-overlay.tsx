import { useEffect, useRef, useState } from 'react';
import { LogoMark } from '../brand/logo.tsx';

/**
 * Blocks scrolling for the 3.5 s of the overlay, from the first byte on. It stops the gestures instead of hiding the
 * scrollbar, because a scrollbar that comes back moves the page; and it does so before anybody else hears of them, because
 * React keeps keys to itself while it hydrates. People who want no motion get no overlay, and neither does the framed chat.
 */
export const STARTUP_SCRIPT = `
if (!matchMedia('(prefers-reduced-motion: reduce)').matches && location.pathname !== '/chat-embed') {
  const keys = ['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End', ' '];
  const block = (event) => {
    if (event.type !== 'keydown' || (event.target === document.body && keys.includes(event.key))) event.preventDefault();
  };
  const gestures = ['wheel', 'touchmove', 'keydown'];
  for (const gesture of gestures) addEventListener(gesture, block, { passive: false, capture: true });
  setTimeout(() => gestures.forEach((gesture) => removeEventListener(gesture, block, true)), 3500);
}`;

/**
 * The splash and preloader: the mark, the name typed letter by letter, three pulsing dots. It lies over the page, which
 * loads and becomes interactive beneath it. Everything moves by CSS, so it also goes away without JavaScript.
 */
export function StartupOverlay({ siteName }: { siteName: string }) {
  const overlay = useRef<HTMLDivElement>(null);
  const [over, setOver] = useState(false);

  useEffect(() => {
    // The script may arrive when the animation is long over, or where there is none.
    const leaving = overlay.current?.getAnimations()[0];
    if (!leaving) return setOver(true);
    leaving.finished.then(
      () => setOver(true),
      () => undefined,
    );
  }, []);

  if (over) return null;
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
            // biome-ignore lint/suspicious/noArrayIndexKey: the letters of a name do not change places
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
