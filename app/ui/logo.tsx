import { clsx } from 'clsx';
import { MARK } from '../lib/brand.ts';

/** The mark: a signal wave whose crest is a mountain and whose trough is a fjord, with the sun low over the water. */
export function LogoMark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" fill="none" aria-hidden="true" className={clsx('shrink-0', className ?? 'size-8')}>
      <path d={MARK.wave} stroke="var(--accent)" strokeWidth="3.4" strokeLinecap="round" />
      <circle {...MARK.sun} fill="var(--signal)" />
    </svg>
  );
}

interface LogoProps {
  /** The site's name as set in site_name. */
  name: string;
  /** Size of the name; the mark follows it. */
  className?: string;
}

/** Mark and name. Everything scales with the font size. */
export function Logo({ name, className }: LogoProps) {
  return (
    <span className={clsx('inline-flex items-center gap-[0.42em] text-ink', className ?? 'text-xl')}>
      <LogoMark className="size-[1.5em]" />
      <span className="font-semibold tracking-[-0.03em] whitespace-nowrap">{name}</span>
    </span>
  );
}
