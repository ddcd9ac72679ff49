/**
 * Replaces react-style-singleton (vite.config.ts), which Radix uses to lock scrolling behind dialogs. The package
 * inserts a style element, which the CSP blocks. Constructed stylesheets are allowed.
 */
import { useEffect } from 'react';

interface SheetProps {
  styles: string;
}

/** Creates a component that applies its styles while mounted. If several are mounted, only the first has an effect. */
export function styleSingleton() {
  let mounted = 0;
  let adopted: CSSStyleSheet | null = null;
  return function Sheet({ styles }: SheetProps) {
    useEffect(() => {
      mounted += 1;
      adopted ??= adopt(styles);
      return () => {
        mounted -= 1;
        if (mounted > 0) return;
        document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== adopted);
        adopted = null;
      };
    }, [styles]);
    return null;
  };
}

function adopt(styles: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  document.adoptedStyleSheets.push(sheet);
  return sheet;
}
