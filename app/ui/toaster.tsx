import { useEffect, useState } from 'react';
import { lazy } from './lazy.tsx';
import { whenIdle } from './lib/when-idle.ts';
import { PlainToasts } from './plain-toasts.tsx';
import { type ToastRequest, whenToastsWait } from './toast.ts';

interface ToasterProps {
  theme: 'light' | 'dark' | 'system';
  waiting: readonly ToastRequest[];
}

const ToasterView = lazy<ToasterProps>(() => import('./toaster-view.tsx'), { Failed: PlainToasts });

/**
 * Signs that somebody does something here, of which there may soon be something to tell. The focus alone is none: an opened
 * case has it as the page begins.
 */
const FIRST_INPUTS = ['pointerdown', 'keydown', 'input'] as const;

/**
 * Once on the page, near its end. Its code loads when the page is idle after the first input, so that a lost connection
 * can be told of, and who only looks at a page does not pay for it.
 */
export function Toaster({ theme }: Pick<ToasterProps, 'theme'>) {
  const [waiting, setWaiting] = useState<readonly ToastRequest[]>([]);
  useEffect(() => whenToastsWait(setWaiting), []);
  useEffect(() => {
    let cancel = stopWaiting;
    function preload() {
      stopWaiting();
      cancel = whenIdle(ToasterView.preload);
    }
    function stopWaiting() {
      for (const type of FIRST_INPUTS) window.removeEventListener(type, preload);
    }
    for (const type of FIRST_INPUTS) window.addEventListener(type, preload, { passive: true });
    return () => cancel();
  }, []);
  return waiting.length > 0 && <ToasterView theme={theme} waiting={waiting} />;
}
