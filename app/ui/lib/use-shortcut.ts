import { useEffect, useEffectEvent } from 'react';

/** Does something on Ctrl or Cmd with a letter, unless the focused control used the keys for itself. */
export function useShortcut(letter: string, onPress: () => void): void {
  const press = useEffectEvent(onPress);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const modified = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
      if (!modified || event.key.toLowerCase() !== letter || event.defaultPrevented) return;
      event.preventDefault();
      press();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [letter]);
}
