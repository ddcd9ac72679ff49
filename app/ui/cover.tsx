import type { ComponentProps } from 'react';
import { CoverArt } from './cover-art.tsx';
import { Picture } from './picture.tsx';

interface CoverProps extends Pick<ComponentProps<'img'>, 'loading' | 'decoding'> {
  /** A picture; without one the cover is drawn from the seed. */
  src: string | null;
  seed: string;
  /** Where its subject is, from the left and from the top, 0 to 1; in the middle without. See focus.css. */
  focus?: { x: number; y: number } | undefined;
}

/** The picture above an article or a project, as decoration. It fills what is around it. */
export function Cover({ src, seed, focus, ...img }: CoverProps) {
  const drawn = <CoverArt seed={seed} />;
  if (!src) return drawn;
  return (
    <Picture
      src={src}
      alt=""
      otherwise={drawn}
      className="size-full object-cover"
      {...(focus && { 'data-focus-x': Math.round(focus.x * 20), 'data-focus-y': Math.round(focus.y * 20) })}
      {...img}
    />
  );
}
