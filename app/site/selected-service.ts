import { useSyncExternalStore } from 'react';

/** The service that the visitor chose for the call, for the length of the visit. */
let selected: string | null = null;
const listeners = new Set<() => void>();

/** Title of the chosen service, or null. */
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
