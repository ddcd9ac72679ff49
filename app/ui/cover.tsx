import type { ComponentProps } from 'react';
import { CoverArt } from './cover-art.tsx';
import { Picture } from './picture.tsx';

interface CoverProps extends Pick<ComponentProps<'img'>, 'loading' | 'decoding'> {
  /** A picture; without one the cover is drawn from the seed. */
  src: string | null;
  seed: string;
}

/** The picture above an article or a project, as decoration. It fills what is around it. */
export function Cover({ src, seed, ...img }: CoverProps) {
  const drawn = <CoverArt seed={seed} />;
  return src ? <Picture src={src} alt="" otherwise={drawn} className="size-full object-cover" {...img} /> : drawn;
}
