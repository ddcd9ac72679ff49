import type { ComponentProps, ReactNode } from 'react';
import { useAllowed } from '../lib/page-policy.ts';

interface PictureProps extends ComponentProps<'img'> {
  src: string;
  alt: string;
  /** What stands in its place when the document may not load it. */
  otherwise: ReactNode;
}

/** A picture from an address that somebody typed. One that the document may not load is never asked for. */
export function Picture({ src, alt, otherwise, ...img }: PictureProps) {
  const isAllowed = useAllowed('pictures');
  return isAllowed(src) ? <img src={src} alt={alt} {...img} /> : otherwise;
}
