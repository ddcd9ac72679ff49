import { useEffect } from 'react';

/** Prints a page in the light theme. */
export function usePrintTheme(): void {
  useEffect(() => {
    const { classList } = document.documentElement;
    const printing = matchMedia('print');
    let wasDark = false;
    const toPaper = () => {
      wasDark ||= classList.contains('dark');
      classList.remove('dark');
    };
    const toScreen = () => {
      if (wasDark) classList.add('dark');
      wasDark = false;
    };
    const follow = () => (printing.matches ? toPaper() : toScreen());
    // Emulated print media fire no beforeprint event.
    printing.addEventListener('change', follow);
    addEventListener('beforeprint', toPaper);
    addEventListener('afterprint', toScreen);
    return () => {
      printing.removeEventListener('change', follow);
      removeEventListener('beforeprint', toPaper);
      removeEventListener('afterprint', toScreen);
      toScreen();
    };
  }, []);
}
