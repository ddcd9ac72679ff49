import { useSyncExternalStore } from 'react';

/** Service that the visitor selected for the call. Kept in memory until the page is closed. */
let selected: string | null = null;
const listeners = new Set<() => void>();

export function useSelectedService(): string | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => selected,
    () => null,
  );
}

export function selectService(title: string | null): void {
  selected = title;
  for (const listener of listeners) listener();
}
