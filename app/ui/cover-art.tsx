import { createIsomorphicFn } from '@tanstack/react-start';
import { clsx } from 'clsx';
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { CoverSubject, Motif } from './cover-input.ts';
import { drawCover } from './cover-shapes.ts';

interface CoverArtProps {
  /** The same item always gets the same picture. */
  subject: CoverSubject;
  /** Overrides the motif. */
  motif?: Motif | undefined;
  className?: string;
}

/**
 * Landscape generated from the words and figures of an item, in theme colours. Decorative placeholder for a missing
 * picture.
 */
export function CoverArt({ subject, motif, className }: CoverArtProps) {
  const svg = useRef<SVGSVGElement>(null);
  const shapes = useShapes(svg, subject, motif);
  return (
    <svg
      ref={svg}
      aria-hidden="true"
      viewBox="0 0 800 500"
      preserveAspectRatio="xMidYMid slice"
      className={clsx('block bg-(--art-sky)', className ?? 'size-full')}
      // React keeps the server's drawing.
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: generated SVG source without user input
      dangerouslySetInnerHTML={{ __html: shapes }}
    />
  );
}

// The type is written out, because even `typeof` would keep the function in the browser bundle.
type Draw = (subject: CoverSubject, motif?: Motif) => string;

/** Returns the drawing function. In the browser, undefined until its code is loaded. */
const availableDraw = createIsomorphicFn()
  .server((): Draw | undefined => drawCover)
  .client((): Draw | undefined => drawInBrowser);
let drawInBrowser: Draw | undefined;

const loadDraw = createIsomorphicFn()
  .server((): Promise<Draw> => Promise.resolve(drawCover))
  .client(async (): Promise<Draw> => (await import('./cover-shapes.ts')).drawCover);

/**
 * The server draws the covers of the first page, and React keeps them. The drawing code is large and only loaded for
 * covers that are rendered later.
 */
function useShapes(svg: RefObject<SVGSVGElement | null>, subject: CoverSubject, motif: Motif | undefined): string {
  const key = JSON.stringify([motif, subject]);
  const [draw, setDraw] = useState<Draw | undefined>(availableDraw);
  const [firstKey] = useState(key);
  useEffect(() => {
    if (draw || (key === firstKey && svg.current?.firstChild)) return;
    let isUnmounted = false;
    loadDraw().then(
      (loaded) => {
        drawInBrowser = loaded;
        if (!isUnmounted) setDraw(() => loaded);
      },
      // Ignore errors, because the cover is decorative.
      () => undefined,
    );
    return () => {
      isUnmounted = true;
    };
  }, [svg, draw, key, firstKey]);
  return draw?.(subject, motif) ?? '';
}
