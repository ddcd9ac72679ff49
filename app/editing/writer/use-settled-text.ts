import { startTransition, useEffect, useState } from 'react';
import { useFormContext } from 'react-hook-form';
import { whenIdle } from '../../ui/lib/when-idle.ts';

/** Debounce delay after typing. */
const PAUSE_MS = 250;

/**
 * Returns the debounced text of a field. It is read when the browser is idle and rendered in a transition, so that
 * typing is never delayed.
 */
export function useSettledText(name: string): string {
  const { getValues, subscribe } = useFormContext();
  const [text, setText] = useState<string>(() => getValues(name) ?? '');
  useEffect(() => {
    let timer = 0;
    let cancel = () => {};
    const read = () => startTransition(() => setText(getValues(name) ?? ''));
    const stop = () => {
      window.clearTimeout(timer);
      cancel();
    };
    const unsubscribe = subscribe({
      name,
      formState: { values: true },
      callback: () => {
        stop();
        timer = window.setTimeout(() => {
          cancel = whenIdle(read);
        }, PAUSE_MS);
      },
    });
    return () => {
      unsubscribe();
      stop();
    };
  }, [getValues, name, subscribe]);
  return text;
}
