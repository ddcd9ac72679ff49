import type { SVGProps } from 'react';

interface DrawingProps extends SVGProps<SVGSVGElement> {
  /** Trusted SVG source. Escape any user input. */
  shapes: string;
}

/** Decorative SVG, rendered from a string to halve the rendering and hydration time of the home page. */
export function Drawing({ shapes, ...svg }: DrawingProps) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: see DrawingProps
  return <svg aria-hidden="true" {...svg} dangerouslySetInnerHTML={{ __html: shapes }} />;
}
