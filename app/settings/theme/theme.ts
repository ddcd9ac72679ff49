/**
 * Theme mode: light, dark or system. Stored as a raw string in localStorage and applied as the class `dark` and the
 * attribute `data-theme-mode` on the document root.
 */
import { useSyncExternalStore } from 'react';
import { DARK, LIGHT } from '../brand/brand.ts';

const THEME_MODES = ['system', 'light', 'dark'] as const;
export type ThemeMode = (typeof THEME_MODES)[number];

const STORAGE_KEY = 'theme-mode';
const DARK_PREFERENCE = '(prefers-color-scheme: dark)';

/**
 * Runs before the first paint to prevent a flash of the wrong theme. Defines the function that applies a mode. Unknown
 * modes count as system. Also sets the colour of the browser's toolbar.
 */
export const THEME_SCRIPT = `
window.showThemeMode = (mode) => {
  const root = document.documentElement;
  const known = mode === 'light' || mode === 'dark' ? mode : 'system';
  const dark = known === 'dark' || (known === 'system' && matchMedia('${DARK_PREFERENCE}').matches);
  root.classList.toggle('dark', dark);
  root.dataset.themeMode = known;
  let bar = document.querySelector('meta[name="theme-color"]');
  if (!bar) {
    bar = document.createElement('meta');
    bar.name = 'theme-color';
    document.head.append(bar);
  }
  bar.content = dark ? '${DARK.canvas}' : '${LIGHT.canvas}';
};
try {
  showThemeMode(localStorage.getItem('${STORAGE_KEY}'));
} catch {
  showThemeMode('system');
}`;

declare global {
  interface Window {
    /** Defined by THEME_SCRIPT in the head of every page. */
    showThemeMode: (mode: ThemeMode) => void;
  }
}

/** Reads the saved mode. Returns system if it is invalid. */
export function readThemeMode(): ThemeMode {
  try {
    const saved = localStorage.getItem(STORAGE_KEY);
    return THEME_MODES.find((mode) => mode === saved) ?? 'system';
  } catch {
    return 'system';
  }
}

/** Returns the next mode of the cycle system, light, dark. */
export function nextThemeMode(mode: ThemeMode): ThemeMode {
  return THEME_MODES[(THEME_MODES.indexOf(mode) + 1) % THEME_MODES.length] ?? 'system';
}

const listeners = new Set<() => void>();
let current: ThemeMode | null = null;

function setThemeMode(mode: ThemeMode) {
  current = mode;
  window.showThemeMode(mode);
  for (const listener of listeners) listener();
}

/** Switches to the next mode and saves it. If storage is blocked, the mode is kept until the page is reloaded. */
export function cycleThemeMode() {
  const mode = nextThemeMode(current ?? readThemeMode());
  try {
    localStorage.setItem(STORAGE_KEY, mode);
  } catch {
    // Storage is blocked. The page works without it.
  }
  setThemeMode(mode);
}

/** Follows the operating system and other tabs. Returns a cleanup function. */
export function followTheme(): () => void {
  const preference = matchMedia(DARK_PREFERENCE);
  const onPreference = () => window.showThemeMode(current ?? readThemeMode());
  const onStorage = (event: StorageEvent) => event.key === STORAGE_KEY && setThemeMode(readThemeMode());
  // The preference may have changed since the first paint.
  onPreference();
  preference.addEventListener('change', onPreference);
  window.addEventListener('storage', onStorage);
  return () => {
    preference.removeEventListener('change', onPreference);
    window.removeEventListener('storage', onStorage);
  };
}

/** Returns the selected mode. The server renders system. */
export function useThemeMode(): ThemeMode {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => {
      current ??= readThemeMode();
      return current;
    },
    () => 'system',
  );
}
