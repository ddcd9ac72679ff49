import { useEffect, useState } from 'react';
import { lazy } from './lazy.tsx';
import { whenIdle } from './lib/when-idle.ts';
import { PlainToasts } from './plain-toasts.tsx';
import { onQueuedToasts, type ToastRequest } from './toast.ts';

interface ToasterProps {
  theme: 'light' | 'dark' | 'system';
  queuedToasts: readonly ToastRequest[];
}

const ToasterView = lazy<ToasterProps>(() => import('./toaster-view.tsx'), { Failed: PlainToasts });

/** Events that may lead to a toast. `focus` is excluded because dialogs receive it on load. */
const FIRST_INPUTS = ['pointerdown', 'keydown', 'input'] as const;

/** Mounted once. The toast library is loaded when idle after the first user input. */
export function Toaster({ theme }: Pick<ToasterProps, 'theme'>) {
  const [queuedToasts, setQueuedToasts] = useState<readonly ToastRequest[]>([]);
  useEffect(() => onQueuedToasts(setQueuedToasts), []);
  useEffect(() => {
    let cancel = removeListeners;
    function preload() {
      removeListeners();
      cancel = whenIdle(ToasterView.preload);
    }
    function removeListeners() {
      for (const type of FIRST_INPUTS) window.removeEventListener(type, preload);
    }
    for (const type of FIRST_INPUTS) window.addEventListener(type, preload, { passive: true });
    return () => cancel();
  }, []);
  return queuedToasts.length > 0 && <ToasterView theme={theme} queuedToasts={queuedToasts} />;
}
