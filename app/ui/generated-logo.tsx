import { seededRandom } from './lib/seeded-random.ts';

/** Icons on a 24 px grid. After the last icon, the icons repeat as filled variants, so 28 companies have different logos. */
const MARKS = [
  'M2 18 9 6l4 7 3-5 6 10z',
  'M12 3a9 9 0 1 0 9 9h-9z',
  'M3 8q4.5-5 9 0t9 0M3 16q4.5-5 9 0t9 0',
  'M4 4h7v16H4zM14 10h6v10h-6z',
  'M12 3 21 12 12 21 3 12z',
  'M4 20V4l16 16V4',
  'M12 3v18M3 12h18M6 6l12 12M18 6 6 18',
  'M4 20a8 8 0 0 1 16 0zM12 3v5M4 8l2 3M20 8l-2 3',
  'M3 9h12v12H3zM9 3h12v12h-6V9H9z',
  'M12 3l3 6 6 3-6 3-3 6-3-6-6-3 6-3z',
  'M5 3v18l14-9z',
  'M12 7a5 5 0 1 0 0 10 5 5 0 0 0 0-10zM2 12h5M17 12h5',
  'M3 18 8 6h8l5 12zM3 18h18',
  'M4 6h16M7 12h13M4 18h10',
];
const FONT_CLASSES = [
  'font-semibold tracking-[-0.03em]',
  'font-mono text-[0.95rem] uppercase tracking-[0.12em]',
  'font-medium tracking-[0.02em]',
];

/** Fallback logo of a company: a simple icon by position, and the name in a matching font. */
export function GeneratedLogo({ name, position }: { name: string; position: number }) {
  const mark = MARKS[position % MARKS.length];
  const isFilled = Math.floor(position / MARKS.length) % 2 === 1;
  const fontClass = FONT_CLASSES[Math.floor(seededRandom(name)() * FONT_CLASSES.length)];
  return (
    <span className={`flex max-w-full items-center gap-2.5 text-lg text-muted ${fontClass}`}>
      <svg
        viewBox="0 0 24 24"
        fill={isFilled ? 'currentColor' : 'none'}
        stroke="currentColor"
        strokeWidth="2"
        strokeLinejoin="round"
        aria-hidden="true"
        className="size-6 shrink-0"
      >
        <path d={mark} />
      </svg>
      <span className="truncate">{name}</span>
    </span>
  );
}
