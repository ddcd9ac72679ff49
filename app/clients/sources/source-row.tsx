import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Input } from '../../ui/input.tsx';
import { formatDate } from '../../ui/lib/format-date.ts';
import { formatTime } from '../../ui/lib/format-time.ts';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { SECRET_HELP } from './add-source-dialog.tsx';
import { ListsDialog } from './lists-dialog.tsx';
import { SourceUrl } from './source-url.tsx';
import { endSourceMutation, PROVIDERS, rotateSourceMutation, type Source } from './sources.ts';
import { TextsDialog } from './texts-dialog.tsx';

const NOT_COUNTED = {
  unknown: 'of an unknown type',
  other_campaign: 'of another campaign',
  in_future: 'with a time in the future',
} as const;

/** Shows a source with its latest event and events not counted, and buttons to change or end it. */
export function SourceRow({ clientId, source }: { clientId: string; source: Source }) {
  const [dialog, setDialog] = useState<'texts' | 'lists' | 'rotate' | 'end' | null>(null);
  const { campaign, provider, counts_from, ends_on, latest_at, not_counted } = source;
  const end = useMutationWithToasts(endSourceMutation, {
    success: ['Source ended', 'Counted events are kept. Imports count again from tomorrow.'],
    failure: 'Could not end the source',
  });
  const days = ends_on === null ? `counts from ${formatDate(counts_from)}` : `counted until ${formatDate(ends_on)}`;
  const latest = latest_at === null ? 'no event yet' : `last event ${formatTime(latest_at)}`;
  return (
    <li className="grid grid-cols-1 gap-2 py-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <p className="[overflow-wrap:anywhere]">{campaign}</p>
          <p className="text-sm text-muted [overflow-wrap:anywhere]">
            {[PROVIDERS[provider], days, latest].join(' · ')}
          </p>
        </div>
        {ends_on === null ? (
          <div className="flex flex-wrap gap-2">
            <Button
              variant="secondary"
              size="sm"
              aria-label={`Texts that ${campaign} may send`}
              onClick={() => setDialog('texts')}
            >
              Texts
            </Button>
            <Button
              variant="secondary"
              size="sm"
              aria-label={`Lists that ${campaign} may contact`}
              onClick={() => setDialog('lists')}
            >
              Lists
            </Button>
            <Button
              variant="secondary"
              size="sm"
              aria-label={`New webhook URL for ${campaign}`}
              onClick={() => setDialog('rotate')}
            >
              New webhook URL
            </Button>
            <Button
              variant="ghost"
              size="sm"
              aria-label={`End the source of ${campaign}`}
              onClick={() => setDialog('end')}
            >
              End
            </Button>
          </div>
        ) : (
          <Badge>Ended</Badge>
        )}
      </div>
      {not_counted.length > 0 && <NotCounted events={not_counted} />}
      {dialog === 'texts' && <TextsDialog clientId={clientId} source={source} onClose={() => setDialog(null)} />}
      {dialog === 'lists' && <ListsDialog clientId={clientId} source={source} onClose={() => setDialog(null)} />}
      {dialog === 'rotate' && <RotateDialog clientId={clientId} source={source} onClose={() => setDialog(null)} />}
      <ConfirmDialog
        open={dialog === 'end'}
        onOpenChange={() => setDialog(null)}
        title="End this source?"
        description={`Its webhook URL stops accepting events. Events already counted for ${campaign} are kept, and imports count again from tomorrow.`}
        confirmLabel="End"
        destructive
        loading={end.isPending}
        onConfirm={() => end.mutate({ clientId, id: source.id }, { onSettled: () => setDialog(null) })}
      />
    </li>
  );
}

/** Lists events that were stored but not counted, by type. */
function NotCounted({ events }: { events: Source['not_counted'] }) {
  return (
    <details>
      <summary className="cursor-pointer rounded-sm py-1 text-sm font-medium">
        {`${events.reduce((sum, { count }) => sum + count, 0).toLocaleString('en-GB')} not counted`}
      </summary>
      <ul className="grid grid-cols-1 gap-1 pt-1 text-sm">
        {events.map(({ kind, state, count, latest }) => (
          <li key={`${kind} ${state}`} className="[overflow-wrap:anywhere]">
            <code className="font-mono">{kind}</code>
            <span className="text-muted">{`, ${count.toLocaleString('en-GB')} ${NOT_COUNTED[state]}, last ${formatTime(latest)}`}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

const rotationSchema = z.object({ secret: z.string().trim().max(200, 'Write at most 200 characters.') });

interface RotateDialogProps {
  clientId: string;
  source: Source;
  onClose: () => void;
}

function RotateDialog({ clientId, source, onClose }: RotateDialogProps) {
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(rotationSchema),
    defaultValues: { secret: '' },
  });
  const rotate = useMutationWithToasts(rotateSourceMutation, { failure: 'Could not change the webhook URL' });
  if (rotate.data !== undefined) return <SourceUrl token={rotate.data} onClose={onClose} />;
  return (
    <FormDialog
      title="New webhook URL"
      description={`The current URL stops working immediately. Enter the new URL at ${PROVIDERS[source.provider]} right away.`}
      submitLabel="Create new URL"
      isPending={rotate.isPending}
      onClose={onClose}
      onSubmit={handleSubmit(({ secret }) => rotate.mutate({ clientId, id: source.id, secret }))}
    >
      <Field label="Secret" help={SECRET_HELP[source.provider]} error={formState.errors.secret?.message}>
        <Input data-initial-focus autoComplete="off" {...register('secret')} />
      </Field>
    </FormDialog>
  );
}
