import { useQuery } from '@tanstack/react-query';
import { History } from 'lucide-react';
import { useState } from 'react';
import { useFormContext } from 'react-hook-form';
import { Button } from '../../ui/button.tsx';
import { formatTime } from '../../ui/lib/format-time.ts';
import { keysOf } from '../../ui/lib/keys-of.ts';
import { LoadError } from '../../ui/load-error.tsx';
import { type Campaign, CHANNELS, PHASES } from '../clients.ts';
import { campaignVersionsQuery, toFormValues, VERSION_ACTIONS } from './campaign-document.ts';

type Values = ReturnType<typeof toFormValues>;

/** Lists a campaign's versions, with buttons that copy earlier versions to the form. */
export function CampaignHistory({ campaign }: { campaign: Campaign }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <section className="grid grid-cols-1 gap-3 border-t border-line pt-4">
      <Button
        variant="secondary"
        size="sm"
        className="justify-self-start"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <History aria-hidden="true" />
        History
      </Button>
      {isOpen && <Versions campaign={campaign} />}
    </section>
  );
}

function Versions({ campaign }: { campaign: Campaign }) {
  const { data: versions, error, isPending, refetch } = useQuery(campaignVersionsQuery(campaign));
  const { reset } = useFormContext();
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (isPending) return <p className="text-sm text-muted">Loading history...</p>;
  if (versions.length === 0) return <p className="text-sm text-muted">No changes yet.</p>;
  return (
    <ol className="grid grid-cols-1 divide-y divide-line">
      {versions.map(({ number, action, campaign: state, changed_by, created_at }, index) => {
        const values = toFormValues(state);
        const previous = versions[index + 1];
        return (
          <li key={number} className="grid grid-cols-1 gap-1 py-3 text-[0.9375rem]">
            <p className="text-sm text-muted">
              {[VERSION_ACTIONS[action], formatTime(created_at), changed_by].filter(Boolean).join(' · ')}
            </p>
            <ul>
              {differences(values, previous && toFormValues(previous.campaign)).map((line) => (
                <li key={line} className="[overflow-wrap:anywhere]">
                  {line}
                </li>
              ))}
            </ul>
            {index > 0 && (
              <Button
                variant="link"
                className="min-h-9 justify-self-start text-sm"
                aria-label={`Copy to form: version from ${formatTime(created_at)}`}
                onClick={() => reset(values, { keepDefaultValues: true })}
              >
                Copy to form
              </Button>
            )}
          </li>
        );
      })}
    </ol>
  );
}

/** Formats the changed fields, such as 'Phase: Planned → Running'. Lists all fields if there is no previous version. */
function differences(values: Values, previous: Values | undefined): string[] {
  const toLabels = ({ name, channel, phase, next_step, due_on }: Values) => ({
    Name: name,
    Channel: CHANNELS[channel],
    Phase: PHASES[phase],
    'Next step': next_step,
    Due: due_on,
  });
  const before = previous && toLabels(previous);
  const after = toLabels(values);
  return keysOf(after).flatMap((label) => {
    const newValue = after[label];
    const oldValue = before?.[label] ?? '';
    if (oldValue === newValue) return [];
    return previous ? `${label}: ${oldValue || '(empty)'} → ${newValue || '(empty)'}` : `${label}: ${newValue}`;
  });
}
