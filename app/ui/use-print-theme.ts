import { useEffect } from 'react';

/** Prints a page in the light theme. */
export function usePrintTheme(): void {
  useEffect(() => {
    const { classList } = document.documentElement;
    const printQuery = matchMedia('print');
    let wasDark = false;
    const applyLightTheme = () => {
      wasDark ||= classList.contains('dark');
      classList.remove('dark');
    };
    const restoreTheme = () => {
      if (wasDark) classList.add('dark');
      wasDark = false;
    };
    const follow = () => (printQuery.matches ? applyLightTheme() : restoreTheme());
    // Emulated print media fire no beforeprint event.
    printQuery.addEventListener('change', follow);
    addEventListener('beforeprint', applyLightTheme);
    addEventListener('afterprint', restoreTheme);
    return () => {
      printQuery.removeEventListener('change', follow);
      removeEventListener('beforeprint', applyLightTheme);
      removeEventListener('afterprint', restoreTheme);
      restoreTheme();
    };
  }, []);
}
