import { clsx } from 'clsx';
import type { PictureMetadata } from '../api/pictures.ts';
import { Drawing } from './drawing.tsx';
import { escapeMarkup } from './lib/escape-markup.ts';
import { seededRandom } from './lib/seeded-random.ts';
import { Picture } from './picture.tsx';

interface AvatarProps {
  name: string;
  /** Defaults to a drawing based on the name. */
  src?: string | null | undefined;
  /** Size and shape. Defaults to a circle of 48 px. */
  className?: string;
  /** Largest displayed width, in pixels. */
  pixels?: number;
  /** Metadata from the media library. */
  metadata?: PictureMetadata | undefined;
}

/** Tones of a drawn avatar: background, ridge, letters. Each pair is readable in both themes. */
const TONES = [
  ['var(--accent)', 'var(--art-near)', 'var(--on-accent)'],
  ['var(--accent-soft)', 'var(--art-far)', 'var(--accent)'],
  ['var(--art-sun)', 'var(--art-far)', 'var(--art-dark)'],
  ['var(--signal-soft)', 'var(--art-sun)', 'var(--signal)'],
] as const;

/** Picture of a person, or their initials over a drawn ridge. Decorative, because the name is shown beside it. */
export function Avatar({ name, src, className, pixels = 48, metadata }: AvatarProps) {
  const shape = clsx('shrink-0 overflow-hidden', className ?? 'size-12 rounded-full');
  const generated = <GeneratedAvatar name={name} shape={shape} />;
  if (!src) return generated;
  return (
    <Picture
      src={src}
      alt=""
      sizes={`${pixels}px`}
      metadata={metadata && { ...metadata, alt: '' }}
      width={pixels}
      height={pixels}
      fallback={generated}
      className={clsx(shape, 'object-cover')}
    />
  );
}

function GeneratedAvatar({ name, shape }: { name: string; shape: string }) {
  const random = seededRandom(name);
  const [background, ridge, letters] = TONES[Math.floor(random() * TONES.length)] ?? TONES[0];
  const peak = 14 + Math.round(random() * 52);
  const left = 58 + Math.round(random() * 16);
  const right = 58 + Math.round(random() * 16);
  return (
    <Drawing
      viewBox="0 0 80 80"
      preserveAspectRatio="xMidYMid slice"
      className={shape}
      shapes={
        `<path d="M0 0H80V80H0z" fill="${background}"/>` +
        `<path d="M0 ${left}Q${peak} ${left - 30} ${peak + 12} 62T80 ${right}V80H0z" fill="${ridge}" opacity=".35"/>` +
        '<text x="40" y="41" text-anchor="middle" dominant-baseline="central" ' +
        `font-size="29" font-weight="600" letter-spacing="-.5" fill="${letters}">${escapeMarkup(initials(name))}</text>`
      }
    />
  );
}

/** Returns the initials of the first and last word. Handles characters outside the basic plane. */
function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  const letters = [words[0], words.length > 1 ? words.at(-1) : ''].map((word) => Array.from(word ?? '')[0] ?? '');
  return letters.join('').toLocaleUpperCase('en');
}
