import { clsx } from 'clsx';
import type { ComponentProps, ReactNode } from 'react';
import { Picture } from './picture.tsx';

interface LogoPictureProps {
  src: string;
  alt: string;
  /** True if the logo is made for dark backgrounds. */
  isLight: boolean | undefined;
  onLoad?: ComponentProps<'img'>['onLoad'];
  fallback: ReactNode;
  /** Size and padding. */
  className: string;
}

/** Logo on the background that it was made for, in both themes. Blending hides a white or black box around the logo. */
export function LogoPicture({ isLight, className, ...picture }: LogoPictureProps) {
  return (
    <Picture
      {...picture}
      sizes="160px"
      width={160}
      height={36}
      className={clsx('size-full object-contain', isLight ? 'mix-blend-screen' : 'mix-blend-multiply')}
      box={clsx(
        'isolate grid shrink-0 grid-cols-[minmax(0,1fr)] grid-rows-[minmax(0,1fr)] place-items-center rounded-md',
        isLight ? 'bg-[oklch(0.235_0.022_172)] dark:bg-canvas' : 'bg-canvas dark:bg-[oklch(0.9_0.012_100)]',
        className,
      )}
    />
  );
}
