import { useSyncExternalStore } from 'react';

/** Module state, because the navigation and the menu share it. */
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
