import { Badge } from '../../ui/badge.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import type { DomainCheck, DomainFinding } from './domain-check-result.ts';

const STATES = {
  good: { label: 'Good', tone: 'accent' },
  'needs-change': { label: 'Needs a change', tone: 'danger' },
  unknown: { label: 'Could not be read', tone: 'warning' },
} as const;

/** Lists the result for each record, with a link to book a call. */
export function DomainFindings({ check: { domain, acceptsNoEmail, findings } }: { check: DomainCheck }) {
  return (
    <div className="grid animate-rise grid-cols-1 gap-6">
      <div className="grid grid-cols-1 gap-2">
        <h3 className="text-display-3 wrap-anywhere">{domain}</h3>
        <p className="text-lg">{summarizeFindings(findings)}</p>
        {acceptsNoEmail && <p className="text-muted">Its DNS records state that it does not accept email (null MX).</p>}
      </div>
      <ul className="border-t border-line-strong">
        {findings.map((finding) => (
          <Finding key={finding.name} {...finding} />
        ))}
      </ul>
      <p className="flex flex-wrap items-center gap-x-6 gap-y-4">
        <span>Book a call and we will go through the result together.</span>
        <ButtonLink to="/" hash="booking">
          Book a call
        </ButtonLink>
      </p>
    </div>
  );
}

/** Returns the one-line summary of a check. */
function summarizeFindings(findings: readonly DomainFinding[]): string {
  const namesWith = (state: DomainFinding['state']) =>
    new Intl.ListFormat('en-GB').format(findings.filter((finding) => finding.state === state).map(({ name }) => name));
  const [faulty, unknown] = [namesWith('needs-change'), namesWith('unknown')];
  if (faulty === '' && unknown === '') return 'All three records are good.';
  const parts = [faulty && `Needs a change: ${faulty}.`, unknown && `Could not be read: ${unknown}.`];
  return parts.filter(Boolean).join(' ');
}

function Finding({ name, state, message, record }: DomainFinding) {
  const { label, tone } = STATES[state];
  return (
    <li className="grid grid-cols-1 gap-x-6 gap-y-2 border-b border-line py-5 sm:grid-cols-[9rem_minmax(0,1fr)]">
      <p className="flex flex-wrap items-baseline gap-x-3 gap-y-2 sm:flex-col">
        <span className="font-semibold">{name}</span>
        <Badge tone={tone}>{label}</Badge>
      </p>
      <div className="grid grid-cols-1 gap-2">
        <p className="measure wrap-anywhere">{message}</p>
        {record !== null && (
          <details className="text-sm">
            <summary className="w-fit cursor-pointer rounded-sm py-1 text-muted hover:text-ink">
              The {name} record as published
            </summary>
            <code className="mt-1 block rounded-md bg-sunken p-3 font-mono wrap-anywhere">{record}</code>
          </details>
        )}
      </div>
    </li>
  );
}
