import { findMetadata, type KnownPictures } from '../api/pictures.ts';
import { CoverArt } from './cover-art.tsx';
import type { CoverSubject } from './cover-input.ts';
import { Picture } from './picture.tsx';

interface CoverProps {
  /** Defaults to a generated cover. */
  src: string | null;
  subject: CoverSubject;
  /** Displayed width, as a `sizes` attribute. */
  sizes: string;
  pictures?: KnownPictures | undefined;
  /** True for the first picture of a page. */
  isFirst?: boolean | undefined;
}

/** Cover of an article or project. Decorative unless the library has alt text. Fills its container. */
export function Cover({ src, subject, sizes, pictures, isFirst }: CoverProps) {
  const generated = <CoverArt subject={subject} />;
  if (!src) return generated;
  return (
    <Picture
      src={src}
      alt=""
      sizes={sizes}
      metadata={findMetadata(pictures, src)}
      isFirst={isFirst}
      fallback={generated}
      className="size-full object-cover"
    />
  );
}
