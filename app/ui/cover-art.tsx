import { createIsomorphicFn } from '@tanstack/react-start';
import { clsx } from 'clsx';
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { CoverSubject, Motif } from './cover-facts.ts';
import { drawCover } from './cover-shapes.ts';

interface CoverArtProps {
  /** The same item gives the same picture, wherever it is shown. */
  of: CoverSubject;
  /** Another motif than its own, for places that want one. */
  motif?: Motif | undefined;
  className?: string;
}

/** A landscape drawn from the words and figures of an item, in the colours of the theme. Stands where a picture would be; decoration only. */
export function CoverArt({ of, motif, className }: CoverArtProps) {
  const svg = useRef<SVGSVGElement>(null);
  const shapes = useShapes(svg, of, motif);
  return (
    <svg
      ref={svg}
      aria-hidden="true"
      viewBox="0 0 800 500"
      preserveAspectRatio="xMidYMid slice"
      className={clsx('block bg-(--art-sky)', className ?? 'size-full')}
      // Keeps what the server drew.
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: SVG source of our own making
      dangerouslySetInnerHTML={{ __html: shapes }}
    />
  );
}

// A written type, because any mention of the function, `typeof` too, would keep its code in the browser's part.
type Draw = (subject: CoverSubject, motif?: Motif) => string;

/** The code that draws, where it is: on the server always, in the browser once something had to be drawn there. */
const drawHere = createIsomorphicFn()
  .server((): Draw | undefined => drawCover)
  .client((): Draw | undefined => drawInBrowser);
let drawInBrowser: Draw | undefined;

const loadDraw = createIsomorphicFn()
  .server((): Promise<Draw> => Promise.resolve(drawCover))
  .client(async (): Promise<Draw> => (await import('./cover-shapes.ts')).drawCover);

/**
 * Covers of the first page come from the server and are left alone: React keeps what is in an element whose HTML it is
 * given. The code for them, which is large, is loaded for the first cover that comes later.
 */
function useShapes(svg: RefObject<SVGSVGElement | null>, subject: CoverSubject, motif: Motif | undefined): string {
  const key = JSON.stringify([motif, subject]);
  const [draw, setDraw] = useState<Draw | undefined>(drawHere);
  const [firstKey] = useState(key);
  useEffect(() => {
    if (draw || (key === firstKey && svg.current?.firstChild)) return;
    let isGone = false;
    loadDraw().then(
      (loaded) => {
        drawInBrowser = loaded;
        if (!isGone) setDraw(() => loaded);
      },
      // A page without its decoration is a page.
      () => undefined,
    );
    return () => {
      isGone = true;
    };
  }, [svg, draw, key, firstKey]);
  return draw?.(subject, motif) ?? '';
}
