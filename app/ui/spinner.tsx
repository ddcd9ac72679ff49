import { clsx } from 'clsx';

interface SpinnerProps {
  /** Accessible name. Without it, the spinner is decorative. */
  label?: string;
  className?: string;
}

/** Spinner in the text colour and size, unless a size class is given. */
export function Spinner({ label, className }: SpinnerProps) {
  const arc = (
    <svg viewBox="0 0 24 24" fill="none" aria-hidden="true" className={clsx('animate-spin', className ?? 'size-[1em]')}>
      <circle cx="12" cy="12" r="9" stroke="currentColor" strokeWidth="2.5" opacity="0.22" />
      <path d="M12 3a9 9 0 0 1 9 9" stroke="currentColor" strokeWidth="2.5" strokeLinecap="round" />
    </svg>
  );
  return label ? (
    <span role="status" className="inline-flex">
      {arc}
      <span className="sr-only">{label}</span>
    </span>
  ) : (
    arc
  );
}
