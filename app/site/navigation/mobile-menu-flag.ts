import { useSyncExternalStore } from 'react';

/** Shared by the whole app. */
let open = false;
const listeners = new Set<() => void>();

export function setMobileMenuOpen(value: boolean) {
  open = value;
  for (const listener of listeners) listener();
}

export function useMobileMenuOpen(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => open,
    () => false,
  );
}
