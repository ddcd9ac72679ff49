import { buttonClass } from './button.tsx';

/**
 * One line of a form that takes personal data: the reason why it is kept, and the way to the page about privacy, which
 * opens beside the form: what was typed stays, and a chat in a frame does not become that page.
 */
export function PrivacyNote({ children }: { children: string }) {
  return (
    <p className="text-sm text-muted">
      {children}{' '}
      <a href="/privacy" target="_blank" rel="noopener" className={buttonClass({ variant: 'link' })}>
        How we treat your data
      </a>
    </p>
  );
}
