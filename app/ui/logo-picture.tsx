import { clsx } from 'clsx';
import type { ComponentProps, ReactNode } from 'react';
import { Picture } from './picture.tsx';

interface LogoPictureProps {
  src: string;
  alt: string;
  /** True when it was made for dark grounds. */
  isLight: boolean | undefined;
  onLoad?: ComponentProps<'img'>['onLoad'];
  otherwise: ReactNode;
  /** Size and room of the ground. */
  className: string;
}

/**
 * A logo on the ground that it was made for, paper or night, whichever theme is on. Blending takes away the box of white
 * or black that some bring along.
 */
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
