import { useEffect } from 'react';

/** Prints a page in the light theme. */
export function usePrintTheme(): void {
  useEffect(() => {
    const { classList } = document.documentElement;
    const printing = matchMedia('print');
    let wasDark = false;
    const applyLightTheme = () => {
      wasDark ||= classList.contains('dark');
      classList.remove('dark');
    };
    const restoreTheme = () => {
      if (wasDark) classList.add('dark');
      wasDark = false;
    };
    const follow = () => (printing.matches ? applyLightTheme() : restoreTheme());
    // Emulated print media fire no beforeprint event.
    printing.addEventListener('change', follow);
    addEventListener('beforeprint', applyLightTheme);
    addEventListener('afterprint', restoreTheme);
    return () => {
      printing.removeEventListener('change', follow);
      removeEventListener('beforeprint', applyLightTheme);
      removeEventListener('afterprint', restoreTheme);
      restoreTheme();
    };
  }, []);
}
