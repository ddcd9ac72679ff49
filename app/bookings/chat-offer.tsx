import {
  type ReactNode,
  type RefObject,
  type SubmitEvent,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from 'react';
import { rejectionMessage } from '../api/error-code.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Input } from '../ui/input.tsx';
import { useTask } from '../ui/lib/use-task.ts';
import {
  formatMoment,
  shortMoment,
  timesOfNextWeek,
  timesOnDifferentDays,
  visitorZone,
} from '../ui/lib/zoned-times.ts';
import { PrivacyNote } from '../ui/privacy-note.tsx';
import { BookedNotice } from './booked-notice.tsx';
import { HeldTimeNotice } from './held-time-notice.tsx';
import { bookCall, isHeld, isTimeUnavailable, readFreeTimes } from './visitor-bookings.ts';

const MAX_TIMES = 3;

/** Number of free times that "More times" adds while the requested week has more. */
const MORE_TIMES = 8;

interface ChatOfferProps {
  /** True if a later message follows. The times are then hidden, but a form or a booking is not. */
  isOld: boolean;
  /** True if the visitor asked for next week. */
  isNextWeek: boolean;
  /** True if another form in the chat is open. This form then closes. */
  isOtherFormOpen: boolean;
  /** Called when this form opens. */
  onOpen: () => void;
  /** Opens the booking section with all times, if the page has one. */
  onShowAll: () => void;
}

/** Offers free times below a reply. Selecting a time opens a short form. */
export default function ChatOffer({ isOld, isNextWeek, isOtherFormOpen, onOpen, onShowAll }: ChatOfferProps) {
  const { card, zone, time, setTime, close, problem, book, details, ...offer } = useOffer();
  if (isOtherFormOpen && time && !book.data && !book.isPending) close();
  const notice = problem && (
    <p role="alert" className="font-medium text-danger">
      {problem}
    </p>
  );
  if (time === null && !book.data) {
    if (isOld) return null;
    return (
      <div ref={card} className="mt-4 grid gap-2 text-sm">
        {notice}
        <TimeOffer
          {...offer}
          isNextWeek={isNextWeek}
          zone={zone}
          onChoose={(next) => {
            setTime(next);
            onOpen();
          }}
          onShowAll={onShowAll}
        />
      </div>
    );
  }
  return (
    <div
      ref={card}
      tabIndex={-1}
      className="mt-4 rounded-md border border-line bg-canvas p-4 text-[0.9375rem] outline-none"
    >
      {time && book.data && isHeld(book.data) ? (
        <HeldTimeNotice
          held={book.data}
          call={{ startsAt: time, timeZone: zone, ...details }}
          onChooseAnother={() => {
            setTime(null);
            book.reset();
          }}
        />
      ) : book.data && !isHeld(book.data) ? (
        <BookedNotice booking={book.data} zone={zone} email={details.email} />
      ) : (
        time && (
          <CallForm
            call={{ startsAt: time, timeZone: zone, ...details }}
            onChange={(change) => offer.setDetails({ ...details, ...change })}
            onSubmit={(event) => void offer.onSubmit(event)}
            isSending={book.isPending}
            onBack={close}
          >
            {notice}
          </CallForm>
        )
      )}
    </div>
  );
}

/** Loads free times and books the selected one. */
function useOffer() {
  const [zone] = useState(visitorZone);
  const { data: times, error, run } = useTask(() => readFreeTimes());
  const reload = () => void run(undefined).catch(() => undefined);
  const load = useEffectEvent(reload);
  const [time, setTime] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const book = useTask(bookCall);
  // State is kept here, so that the input survives if another visitor books the time.
  const [details, setDetails] = useState({ name: '', email: '' });
  const card = useRef<HTMLDivElement>(null);

  useEffect(() => {
    load();
  }, []);

  // Scroll each new step of the card into view.
  useEffect(() => {
    if (time || problem || book.data) card.current?.scrollIntoView({ block: 'nearest' });
  }, [time, problem, book.data]);

  useFocusInStep(card, book.data ? 'booked' : time ? 'form' : 'offer');

  async function onSubmit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (!time || book.isPending) return;
    if (!new FormData(event.currentTarget).has('consent')) {
      setProblem('Please agree first, so that we may store these details.');
      return;
    }
    setProblem(null);
    try {
      // The database validates the details.
      await book.run({ startsAt: time, timeZone: zone, ...details });
    } catch (error) {
      setProblem(rejectionMessage(error) ?? 'The call could not be booked. Please try again.');
      if (!isTimeUnavailable(error)) return;
      setTime(null);
    }
    reload();
  }

  /** Closes the form. Its input is kept. */
  function close() {
    setTime(null);
    setProblem(null);
  }

  return { card, zone, times, error, reload, time, setTime, close, problem, book, details, setDetails, onSubmit };
}

/** Moves the focus into a new step, because the clicked button unmounts. */
function useFocusInStep(card: RefObject<HTMLDivElement | null>, step: 'offer' | 'form' | 'booked') {
  const last = useRef(step);
  useEffect(() => {
    if (last.current === step) return;
    last.current = step;
    const { activeElement } = document;
    if (activeElement && activeElement !== document.body && !card.current?.contains(activeElement)) return;
    const control = step === 'booked' ? null : card.current?.querySelector<HTMLElement>('input, button');
    (control ?? card.current)?.focus({ preventScroll: true });
  }, [card, step]);
}

interface CallFormProps {
  call: Parameters<typeof bookCall>[0];
  onChange: (change: { name: string } | { email: string }) => void;
  onSubmit: (event: SubmitEvent<HTMLFormElement>) => void;
  isSending: boolean;
  onBack: () => void;
  /** Error message. */
  children: ReactNode;
}

function CallForm({ call, onChange, onSubmit, isSending, onBack, children }: CallFormProps) {
  return (
    <form noValidate onSubmit={onSubmit} aria-label="Book a call" className="grid gap-4">
      <p className="font-semibold">{formatMoment(call.startsAt, call.timeZone)}</p>
      <Field label="Name" required>
        <Input
          name="name"
          autoComplete="name"
          value={call.name}
          onChange={({ target }) => onChange({ name: target.value })}
        />
      </Field>
      <Field label="Email" required>
        <Input
          type="email"
          name="email"
          autoComplete="email"
          value={call.email}
          onChange={({ target }) => onChange({ email: target.value })}
        />
      </Field>
      <div className="grid gap-1.5">
        <label className="flex items-start gap-2.5 text-sm">
          <input type="checkbox" name="consent" className="size-5" />
          You may store these details for the call with me.
        </label>
        <PrivacyNote />
      </div>
      {children}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="sm" loading={isSending}>
          Book this time
        </Button>
        <Button variant="ghost" size="sm" onClick={onBack}>
          Back
        </Button>
      </div>
    </form>
  );
}

interface TimeOfferProps extends Pick<ReturnType<typeof useOffer>, 'times' | 'error' | 'reload' | 'zone'> {
  isNextWeek: boolean;
  onChoose: (time: string) => void;
  onShowAll: () => void;
}

function TimeOffer({ times, error, reload, isNextWeek, zone, onChoose, onShowAll }: TimeOfferProps) {
  const titleId = useId();
  const [count, setCount] = useState(MAX_TIMES);
  if (error !== undefined) {
    return (
      <p role="alert" className="text-muted">
        The free times could not be loaded.{' '}
        <Button variant="link" onClick={reload}>
          Try again
        </Button>
      </p>
    );
  }
  if (!times) return null;
  if (times.length === 0) return <p className="text-muted">No times are free at the moment.</p>;
  const nextWeek = isNextWeek ? timesOfNextWeek(times, zone, new Date().toISOString()) : [];
  const isFull = isNextWeek && nextWeek.length === 0;
  const candidates = nextWeek.length > 0 ? nextWeek : times;
  /** Shows more times in the requested week first, because the booking section starts with the current week. */
  const onMore = () => (nextWeek.length > count ? setCount(count + MORE_TIMES) : onShowAll());
  return (
    <>
      <p id={titleId} className="text-muted">
        {isFull ? NEXT_WEEK_FULL : isNextWeek ? 'Free times next week' : 'Free times'}{' '}
        <span className="wrap-anywhere">({zone.replaceAll('_', ' ')})</span>
      </p>
      <fieldset
        aria-labelledby={titleId}
        className="grid min-w-0 grid-cols-[repeat(auto-fill,minmax(9.5rem,1fr))] gap-2"
      >
        {timesOnDifferentDays(candidates, zone, count).map((time) => (
          <Button key={time} variant="secondary" size="sm" className={CHOICE_CLASS} onClick={() => onChoose(time)}>
            {shortMoment(time, zone)}
          </Button>
        ))}
        <Button variant="ghost" size="sm" className={CHOICE_CLASS} onClick={onMore}>
          More times
        </Button>
      </fieldset>
    </>
  );
}

const NEXT_WEEK_FULL = 'No times are free next week. The next free times';
const CHOICE_CLASS = 'min-h-10 px-2! pointer-coarse:min-h-11';
