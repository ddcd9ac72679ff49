import { clsx } from 'clsx';

interface SpinnerProps {
  /** Spoken by screen readers; without it the spinner is decoration beside a text that says the same. */
  label?: string;
  className?: string;
}

/** A turning arc of the current text colour, as large as the text unless a size class is given. */
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
