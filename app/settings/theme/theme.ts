/**
 * Light, dark, or what the operating system says. The mode is a raw string in localStorage; its effect is the class
 * `dark` on the document root, and `data-theme-mode` beside it for what shows the mode itself.
 */
import { useSyncExternalStore } from 'react';
import { DARK, LIGHT } from '../brand/brand.ts';

const THEME_MODES = ['system', 'light', 'dark'] as const;
export type ThemeMode = (typeof THEME_MODES)[number];

const STORAGE_KEY = 'theme-mode';
const DARK_PREFERENCE = '(prefers-color-scheme: dark)';

/**
 * Runs before the first paint, so that no page flashes in the wrong theme. It leaves behind the one function that puts a
 * mode on the document; an unknown mode counts as system. The browser's own bars get the colour of the page.
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

/** Reads the saved mode if it is one, else system. */
export function readThemeMode(): ThemeMode {
  try {
    const saved = localStorage.getItem(STORAGE_KEY);
    return THEME_MODES.find((mode) => mode === saved) ?? 'system';
  } catch {
    return 'system';
  }
}

/** system, light, dark, and again system. */
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

/** Goes to the next mode and saves it. Without storage the mode lasts until the page is left. */
export function cycleThemeMode() {
  const mode = nextThemeMode(current ?? readThemeMode());
  try {
    localStorage.setItem(STORAGE_KEY, mode);
  } catch {
    // Storage is denied in this browser: the page works, it only forgets.
  }
  setThemeMode(mode);
}

/** Follows the operating system and the site's other tabs, until the returned function is called. */
export function followTheme(): () => void {
  const preference = matchMedia(DARK_PREFERENCE);
  const onPreference = () => window.showThemeMode(current ?? readThemeMode());
  const onStorage = (event: StorageEvent) => event.key === STORAGE_KEY && setThemeMode(readThemeMode());
  // It may have changed since the first paint.
  onPreference();
  preference.addEventListener('change', onPreference);
  window.addEventListener('storage', onStorage);
  return () => {
    preference.removeEventListener('change', onPreference);
    window.removeEventListener('storage', onStorage);
  };
}

/** Returns the mode that was chosen; system while the server renders. */
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
