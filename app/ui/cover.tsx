import { factsOf, type KnownPictures } from '../api/pictures.ts';
import { CoverArt } from './cover-art.tsx';
import type { CoverSubject } from './cover-facts.ts';
import { Picture } from './picture.tsx';

interface CoverProps {
  /** A picture; without one the cover is drawn from the item. */
  src: string | null;
  of: CoverSubject;
  /** Width at which it is shown, as the `sizes` attribute has it. */
  sizes: string;
  pictures?: KnownPictures | undefined;
  /** True when the page begins with it. */
  isFirst?: boolean | undefined;
}

/** The picture above an article or a project; decoration, unless the library says what it shows. It fills what is around it. */
export function Cover({ src, of, sizes, pictures, isFirst }: CoverProps) {
  const drawn = <CoverArt of={of} />;
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
