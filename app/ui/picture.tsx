import { type ComponentProps, type ReactNode, useState } from 'react';
import { useAllowed } from '../api/host/page-policy.ts';
import { type PictureFacts, sizesOf } from '../api/pictures.ts';

interface PictureProps extends Omit<ComponentProps<'img'>, 'loading' | 'decoding' | 'fetchPriority'> {
  src: string;
  /** Empty: what the library says of it, or decoration. */
  alt: string;
  /**
   * Width at which it is shown, as the `sizes` attribute has it. With it, a picture of the library comes no larger than
   * is needed.
   */
  sizes?: string | undefined;
  facts?: PictureFacts | undefined;
  /** True when a page begins with it, so that it is fetched at once. */
  isFirst?: boolean | undefined;
  /** The class of the box that it stands in, if any. */
  box?: string | undefined;
  /** Content in its place, and in that of its box, when it cannot be shown. */
  otherwise: ReactNode;
}

/** A picture from an address that somebody typed. One that the document may not load is never asked for. */
export function Picture({ src, alt, sizes, facts, isFirst, box, otherwise, ...img }: PictureProps) {
  const isAllowed = useAllowed('pictures');
  // A picture without other sizes, on a hosted project for example, is shown as its original.
  const [failed, setFailed] = useState<{ src: string; original: boolean }>();
  const hasFailed = failed?.src === src;
  const srcSet = sizes && !hasFailed ? sizesOf(src, facts?.width) : undefined;
  if (!isAllowed(src) || (hasFailed && failed.original)) return otherwise;
  const fail = () => setFailed({ src, original: !srcSet });
  const picture = (
    <img
      {...(isFirst ? { fetchPriority: 'high' } : { loading: 'lazy', decoding: 'async' })}
      {...(facts?.width && facts.height && { width: facts.width, height: facts.height })}
      {...focusOf(facts)}
      {...img}
      // A picture that failed before the script ran has told nobody.
      ref={(element) => {
        if (srcSet && element?.currentSrc && element.complete && !element.naturalWidth) fail();
      }}
      onError={fail}
      alt={alt || facts?.alt || ''}
      {...(srcSet && { sizes, srcSet })}
      src={src}
    />
  );
  return box ? <span className={box}>{picture}</span> : picture;
}

/** Returns the subject's position in twentieths, see focus.css. */
function focusOf(facts: PictureFacts | undefined) {
  const { focus } = facts ?? {};
  return focus && { 'data-focus-x': Math.round(focus.x * 20), 'data-focus-y': Math.round(focus.y * 20) };
}
