/**
 * Stands in for the package react-style-singleton (vite.config.ts), with which Radix stops the page behind a dialog from
 * scrolling. The package puts a style element into the page, which the Content-Security-Policy refuses; a constructed
 * style sheet is a script's business, and allowed.
 */
import { useEffect } from 'react';

interface SheetProps {
  styles: string;
}

/** Makes a component that applies its styles while it is mounted; of several at once the first one's styles hold. */
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
