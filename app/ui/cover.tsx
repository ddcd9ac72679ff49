import { factsOf, type KnownPictures } from '../lib/pictures.ts';
import { CoverArt } from './cover-art.tsx';
import type { Motif } from './cover-motifs.ts';
import { Picture } from './picture.tsx';

interface CoverProps {
  /** A picture; without one the cover is drawn from the seed. */
  src: string | null;
  seed: string;
  /** Motif in lists, whose neighbours differ: see motifsInList(). */
  motif?: Motif | undefined;
  /** Width at which it is shown, as the `sizes` attribute has it. */
  sizes: string;
  pictures?: KnownPictures | undefined;
  /** True when the page begins with it. */
  isFirst?: boolean | undefined;
}

/** The picture above an article or a project; decoration, unless the library says what it shows. It fills what is around it. */
export function Cover({ src, seed, motif, sizes, pictures, isFirst }: CoverProps) {
  const drawn = <CoverArt seed={seed} motif={motif} />;
  if (!src) return drawn;
  return (
    <Picture
      src={src}
      alt=""
      sizes={sizes}
      facts={factsOf(pictures, src)}
      isFirst={isFirst}
      otherwise={drawn}
      className="size-full object-cover"
    />
  );
}
