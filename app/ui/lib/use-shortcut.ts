import { useEffect, useEffectEvent } from 'react';

/** Calls `onPress` for Ctrl or Cmd with a letter, unless the focused control handles the shortcut. */
export function useShortcut(letter: string, onPress: () => void): void {
  const press = useEffectEvent(onPress);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isModified = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
      if (!isModified || event.key.toLowerCase() !== letter || event.defaultPrevented) return;
      event.preventDefault();
      press();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [letter]);
}
