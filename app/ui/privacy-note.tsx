import { Link } from '@tanstack/react-router';
import { buttonClass } from './button.tsx';

/** One line of a form that takes personal data: the reason why it is kept, and the way to the page about privacy. */
export function PrivacyNote({ children }: { children: string }) {
  return (
    <p className="text-sm text-muted">
      {children}{' '}
      <Link to="/privacy" className={buttonClass({ variant: 'link' })}>
        How we treat your data
      </Link>
    </p>
  );
}
