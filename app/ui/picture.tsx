import { type ComponentProps, type ReactNode, useState } from 'react';
import { useAllowed } from '../api/host/page-policy.ts';
import { buildSrcSet, type PictureMetadata } from '../api/pictures.ts';

interface PictureProps extends Omit<ComponentProps<'img'>, 'loading' | 'decoding' | 'fetchPriority'> {
  src: string;
  /** Defaults to the alt text from the library. A picture without any alt text is decorative. */
  alt: string;
  /** Displayed width, as a `sizes` attribute. Enables smaller renditions of library pictures. */
  sizes?: string | undefined;
  metadata?: PictureMetadata | undefined;
  /** True for the first picture of a page, which is loaded eagerly. */
  isFirst?: boolean | undefined;
  /** Class of its container, if any. */
  box?: string | undefined;
  /** Replaces the picture and its container if it cannot be shown. */
  fallback: ReactNode;
}

/** Picture from a user-provided URL. URLs blocked by the CSP are not requested. */
export function Picture({ src, alt, sizes, metadata, isFirst, box, fallback, ...img }: PictureProps) {
  const isAllowed = useAllowed('pictures');
  // Falls back to the original if there are no renditions, for example on a hosted project.
  const [failed, setFailed] = useState<{ src: string; original: boolean }>();
  const hasFailed = failed?.src === src;
  const srcSet = sizes && !hasFailed ? buildSrcSet(src, metadata?.width) : undefined;
  if (!isAllowed(src) || (hasFailed && failed.original)) return fallback;
  const fail = () => setFailed({ src, original: !srcSet });
  const picture = (
    <img
      {...(isFirst ? { fetchPriority: 'high' } : { loading: 'lazy', decoding: 'async' })}
      {...(metadata?.width && metadata.height && { width: metadata.width, height: metadata.height })}
      {...focusAttributes(metadata)}
      {...img}
      // React misses errors that occur before hydration, so check the element.
      ref={(element) => {
        if (srcSet && element?.currentSrc && element.complete && !element.naturalWidth) fail();
      }}
      onError={fail}
      alt={alt || metadata?.alt || ''}
      {...(srcSet && { sizes, srcSet })}
      src={src}
    />
  );
  return box ? <span className={box}>{picture}</span> : picture;
}

/** Returns the attributes that set the focal point, in steps of 5% (focus.css). */
function focusAttributes(metadata: PictureMetadata | undefined) {
  const { focus } = metadata ?? {};
  return focus && { 'data-focus-x': Math.round(focus.x * 20), 'data-focus-y': Math.round(focus.y * 20) };
}
