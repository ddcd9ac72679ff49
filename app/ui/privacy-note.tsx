import { buttonClass } from './button.tsx';

/**
 * Reason for storing personal data, with a link to the privacy page. The link opens a new tab, so that form input is
 * kept and a framed chat does not navigate.
 */
export function PrivacyNote({ children }: { children?: string }) {
  return (
    <p className="text-sm text-muted">
      {children}{' '}
      <a href="/privacy" target="_blank" rel="noopener" className={buttonClass({ variant: 'link' })}>
        How we treat your data
      </a>
    </p>
  );
}
