import { startTransition, useEffect, useState } from 'react';
import { useFormContext } from 'react-hook-form';
import { whenIdle } from '../../ui/lib/when-idle.ts';

/** Long enough that somebody who types has stopped for a moment. */
const PAUSE_MS = 250;

/**
 * Returns the text of a field as it was at the last pause of typing. It is read when the browser has nothing else to
 * do, and rendered in a transition, so that a key never waits for what only follows the text.
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
