import { useSyncExternalStore } from 'react';

/** Module state, because the navigation and the menu share it. */
let isOpen = false;
const listeners = new Set<() => void>();

export function setMobileMenuOpen(value: boolean) {
  isOpen = value;
  for (const listener of listeners) listener();
}

export function useMobileMenuOpen(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isOpen,
    () => false,
  );
}
