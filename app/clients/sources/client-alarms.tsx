import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { formatTime } from '../../ui/lib/format-time.ts';
import { useLinkedItem } from '../../ui/lib/use-linked-item.ts';
import { LoadError } from '../../ui/load-error.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import type { Client } from '../clients.ts';
import { ALARM_KINDS, type Alarm, alarmsQuery, dismissAlarmMutation } from './sources.ts';

/** Number of alarms shown while the list is collapsed. */
const COLLAPSED_ALARMS = 5;

interface ClientAlarmsProps {
  client: Pick<Client, 'id' | 'name'>;
  headingLevel: 2 | 4;
}

/** Lists a client's open alarms. Renders nothing without alarms. */
export function ClientAlarms({ client, headingLevel }: ClientAlarmsProps) {
  const Heading = `h${headingLevel}` as const;
  const [showsAll, setShowsAll] = useState(false);
  const linkedRef = useLinkedItem('alarms');
  const { data, error, refetch } = useQuery(alarmsQuery(client.id));
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (!data || data.length === 0) return null;
  return (
    <section ref={linkedRef} id="alarms" tabIndex={-1} aria-label={`Alarms, ${client.name}`} className="scroll-mt-24">
      <Card className="grid grid-cols-1 gap-3 p-5">
        <Heading
          className={clsx('flex items-center gap-2', headingLevel === 4 ? 'font-medium' : 'text-lg font-semibold')}
        >
          <TriangleAlert aria-hidden="true" className="size-5 shrink-0 text-danger" />
          Needs attention
        </Heading>
        <ul className="grid grid-cols-1 divide-y divide-line">
          {(showsAll ? data : data.slice(0, COLLAPSED_ALARMS)).map((alarm) => (
            <AlarmRow key={alarm.id} clientId={client.id} alarm={alarm} />
          ))}
        </ul>
        {data.length > COLLAPSED_ALARMS && !showsAll && (
          <Button variant="link" className="justify-self-start" onClick={() => setShowsAll(true)}>
            {data.length === 100 ? 'Show 100 alarms' : `Show all ${data.length} alarms`}
          </Button>
        )}
      </Card>
    </section>
  );
}

function AlarmRow({ clientId, alarm }: { clientId: string; alarm: Alarm }) {
  const { id, kind, text, times, latest_at } = alarm;
  const dismiss = useMutationWithToasts(dismissAlarmMutation, {
    success: ['Alarm dismissed', 'It will reappear if this happens again.'],
    failure: 'Could not dismiss the alarm',
  });
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 py-3">
      <div className="grid min-w-0 flex-1 basis-64 gap-1">
        <p className="font-mono text-label text-danger">{ALARM_KINDS[kind]}</p>
        <p className="measure whitespace-pre-line [overflow-wrap:anywhere]">{text}</p>
        <p className="text-sm text-muted">
          {`${times > 1 ? `${times.toLocaleString('en-GB')} times, last on ` : ''}${formatTime(latest_at)}`}
        </p>
      </div>
      <Button
        variant="secondary"
        size="sm"
        loading={dismiss.isPending}
        aria-label={`Dismiss: ${text.slice(0, 80)}`}
        onClick={() => dismiss.mutate({ clientId, id })}
      >
        Dismiss
      </Button>
    </li>
  );
}
