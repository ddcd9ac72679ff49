import { zodResolver } from '@hookform/resolvers/zod';
import { useQuery } from '@tanstack/react-query';
import { Copy, Trash2 } from 'lucide-react';
import { useId } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { TitledCard } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Input } from '../../ui/input.tsx';
import { copyText } from '../../ui/lib/copy-text.ts';
import { formatTime } from '../../ui/lib/format-time.ts';
import { LoadError } from '../../ui/load-error.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { showError } from '../../ui/show-error.ts';
import { toast } from '../../ui/toast.ts';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import {
  addBusyCalendarMutation,
  type BusyCalendar,
  bookingFeedQuery,
  busyCalendarsQuery,
  createBookingFeedMutation,
  removeBusyCalendarMutation,
  revokeBookingFeedMutation,
} from '../bookings.ts';
import { calendarFileUrl } from '../visitor-bookings.ts';

/** Manages the bookings feed for calendar programs, and external calendars whose busy times block bookings. */
export function Calendars() {
  return (
    <div className="grid max-w-form grid-cols-1 items-start gap-6 xl:max-w-none xl:grid-cols-2">
      <Feed />
      <BusyCalendars />
    </div>
  );
}

/** Setup steps for each calendar program. */
type GuideSteps = Record<'Google Calendar' | 'Outlook' | 'Apple Calendar', readonly string[]>;

const SUBSCRIBE_GUIDES: GuideSteps = {
  'Google Calendar': [
    'Create a link below and copy it.',
    'In Google Calendar, next to Other calendars, choose Add, then From URL.',
    'Paste the link and choose Add calendar.',
  ],
  Outlook: [
    'Create a link below and copy it.',
    'In the Outlook calendar, choose Add calendar, then Subscribe from web.',
    'Paste the link, enter a name and choose Import.',
  ],
  'Apple Calendar': [
    'Create a link below and copy it.',
    'In Calendar on a Mac, choose File, then New Calendar Subscription.',
    'Paste the link and choose Subscribe.',
  ],
};

const PUBLISH_GUIDES: GuideSteps = {
  'Google Calendar': [
    'In Google Calendar, open Settings and select your calendar.',
    'Under Integrate calendar, copy the secret address in iCal format.',
    'Paste it below and choose Add calendar.',
  ],
  Outlook: [
    'In Outlook on the web, open Settings, Calendar, Shared calendars.',
    'Under Publish a calendar, publish yours and copy the ICS link.',
    'Paste it below and choose Add calendar.',
  ],
  'Apple Calendar': [
    'In Calendar on a Mac, point to your iCloud calendar and choose Share.',
    'Select Public Calendar and copy the link.',
    'Paste it below and choose Add calendar.',
  ],
};

/** Instructions for each calendar program. One program is open at a time. */
function Guides({ guides }: { guides: GuideSteps }) {
  const name = useId();
  return (
    <div className="grid divide-y divide-line border-y border-line">
      {Object.entries(guides).map(([program, steps]) => (
        <details key={program} name={name}>
          <summary className="min-h-11 cursor-pointer py-2.5 font-medium">{program}</summary>
          <ol className="grid list-decimal gap-1 pb-4 pl-6">
            {steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        </details>
      ))}
    </div>
  );
}

function Feed() {
  const { data: createdAt, error, refetch } = useQuery(bookingFeedQuery);
  const createLink = useMutationWithToasts(createBookingFeedMutation, { failure: 'Could not create the link' });
  const revoke = useMutationWithToasts(
    { ...revokeBookingFeedMutation },
    { success: 'Link revoked', failure: 'Could not revoke the link' },
  );
  // Calendar programs need an absolute URL.
  const url = createLink.data && new URL(calendarFileUrl(createLink.data), window.location.href).href;
  const copy = async (text: string) => {
    try {
      await copyText(text);
      toast.success('Link copied to clipboard');
    } catch (failure) {
      showError('Could not copy the link', failure);
    }
  };
  return (
    <TitledCard title="Bookings in your calendar">
      <p className="text-muted">
        See the calls in your own calendar. Anyone with the link can read the names and messages of visitors. A new link
        replaces the old one.
      </p>
      <Guides guides={SUBSCRIBE_GUIDES} />
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {url && (
        <div className="grid gap-3">
          <p role="status" className="font-medium">
            Copy it now. It is shown only once.
          </p>
          <code className="rounded-md bg-sunken p-4 font-mono text-sm [overflow-wrap:anywhere]">{url}</code>
          <Button size="sm" className="justify-self-start" onClick={() => void copy(url)}>
            <Copy aria-hidden="true" />
            Copy link
          </Button>
        </div>
      )}
      {!url && createdAt && <p>A link was created on {formatTime(createdAt)}.</p>}
      <div className="flex flex-wrap gap-3">
        <Button
          variant={createdAt ? 'secondary' : 'primary'}
          size="sm"
          loading={createLink.isPending}
          onClick={() => createLink.mutate()}
        >
          {createdAt ? 'Create a new link' : 'Create a link'}
        </Button>
        {createdAt && (
          <Button
            variant="ghost"
            size="sm"
            loading={revoke.isPending}
            onClick={() => revoke.mutate(undefined, { onSuccess: () => createLink.reset() })}
          >
            Revoke link
          </Button>
        )}
      </div>
    </TitledCard>
  );
}

const calendarSchema = z.object({
  label: z.string().trim().min(1, 'Enter a name.').max(100, 'At most 100 characters.'),
  address: z
    .string()
    .trim()
    .transform((text) => text.replace(/^webcals?:/i, 'https:'))
    .pipe(
      z
        .url({ protocol: /^https$/, error: 'Enter a URL that begins with https://' })
        .max(2000, 'At most 2,000 characters.'),
    ),
});

function BusyCalendars() {
  const {
    data: calendars,
    error,
    refetch,
  } = useQuery({
    ...busyCalendarsQuery,
    // Poll until the new calendar has been read.
    refetchInterval: ({ state }) => (state.data?.some(isNew) ? 2_000 : false),
  });
  const form = useForm({ resolver: zodResolver(calendarSchema), defaultValues: { label: '', address: '' } });
  const { register, handleSubmit, formState, reset } = form;
  const add = useMutationWithToasts(addBusyCalendarMutation, {
    success: 'Calendar added',
    failure: 'Could not add the calendar',
  });
  const onAdd = handleSubmit((calendar) => add.mutate(calendar, { onSuccess: () => reset() }));
  return (
    <TitledCard title="Busy times from your calendars">
      <p className="text-muted">
        Visitors cannot book times when these calendars are busy. We check the calendars every 15 minutes and store only
        the busy times.
      </p>
      <Guides guides={PUBLISH_GUIDES} />
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {calendars && calendars.length > 0 && (
        <ul className="grid divide-y divide-line">
          {calendars.map((calendar) => (
            <CalendarRow key={calendar.id} calendar={calendar} />
          ))}
        </ul>
      )}
      <Form onSubmit={onAdd} aria-label="Add a calendar" className="grid gap-4">
        <Field label="Name" error={formState.errors.label?.message}>
          <Input placeholder="Kari" {...register('label')} />
        </Field>
        <Field label="URL of the .ics file" error={formState.errors.address?.message}>
          <Input inputMode="url" autoComplete="off" placeholder="https://" {...register('address')} />
        </Field>
        <Button type="submit" variant="secondary" size="sm" loading={add.isPending} className="justify-self-start">
          Add calendar
        </Button>
      </Form>
    </TitledCard>
  );
}

function isNew({ read_at, failure }: BusyCalendar): boolean {
  return read_at === null && failure === null;
}

function CalendarRow({ calendar }: { calendar: BusyCalendar }) {
  const { id, label, address, read_at, failure } = calendar;
  const remove = useMutationWithToasts(removeBusyCalendarMutation, { failure: 'Could not remove the calendar' });
  return (
    <li className="flex items-start justify-between gap-3 py-3">
      <div className="grid min-w-0 gap-1">
        <p className="font-medium wrap-anywhere">
          {label} <span className="font-normal text-muted">{new URL(address).host}</span>
        </p>
        {failure && (
          <p className="flex flex-wrap items-center gap-2 text-sm">
            <Badge tone="danger">Problem</Badge>
            {failure}
          </p>
        )}
        <p className="text-sm text-muted">
          {read_at ? (
            <>
              Checked <RelativeTime at={read_at} />
            </>
          ) : failure ? (
            ''
          ) : (
            'Checking...'
          )}
        </p>
      </div>
      <Button
        variant="ghost"
        size="icon"
        aria-label={`Remove the calendar ${label}`}
        loading={remove.isPending}
        onClick={() => remove.mutate(id)}
      >
        <Trash2 aria-hidden="true" />
      </Button>
    </li>
  );
}
