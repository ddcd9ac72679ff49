import type { SVGProps } from 'react';

interface DrawingProps extends SVGProps<SVGSVGElement> {
  /** Content, as SVG source of our own making; text that somebody typed must be escaped. */
  shapes: string;
}

/**
 * Decoration of many shapes. As one string they cost the server no rendering and the browser no hydration, which for
 * the home page was half of both.
 */
export function Drawing({ shapes, ...svg }: DrawingProps) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: see DrawingProps
  return <svg aria-hidden="true" {...svg} dangerouslySetInnerHTML={{ __html: shapes }} />;
}
