import { useQuery } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { decideMutation, type PendingRegistration, pendingRegistrationsQuery } from '../../accounts/registrations.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { messageOf, showError } from '../../ui/show-error.ts';
import { toast } from '../../ui/toast.ts';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { useUndoRejection } from './use-undo-rejection.ts';

const HEADING = 'pending-heading';

/** Lists pending team registrations, if there are any. */
export function PendingRegistrations({ tasksHeading }: { tasksHeading: RefObject<HTMLElement | null> }) {
  const { data, error, refetch, isFetching } = useQuery(pendingRegistrationsQuery);
  const people = data?.people;
  const [registrationToReject, setRegistrationToReject] = useState<PendingRegistration | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);

  useEffect(() => {
    if (error) showError('Failed to load pending team members', error);
  }, [error]);

  return (
    <>
      {(people ? people.length > 0 : error) && (
        <section aria-labelledby={HEADING} className="grid gap-3">
          <h2
            ref={heading}
            tabIndex={-1}
            id={HEADING}
            className="flex scroll-mt-24 items-center gap-3 text-lg font-semibold"
          >
            Pending team members
            {people && <Badge tone="signal">{people.length}</Badge>}
          </h2>
          {!people && (
            <EmptyState
              title="Failed to load pending team members"
              description={messageOf(error)}
              action={
                <Button variant="secondary" loading={isFetching} onClick={() => void refetch()}>
                  Try again
                </Button>
              }
            />
          )}
          {data?.emailFailure && (
            <p role="alert" className="text-sm text-danger">
              The email addresses could not be loaded: {messageOf(data.emailFailure)}
            </p>
          )}
          {people && (
            <Card className="p-0">
              <ul className="divide-y divide-line">
                {people.map((person) => (
                  <li key={person.userId}>
                    <Registration
                      person={person}
                      onApproved={() => focusNextPerson(heading.current, tasksHeading.current)}
                      onReject={() => setRegistrationToReject(person)}
                    />
                  </li>
                ))}
              </ul>
            </Card>
          )}
        </section>
      )}
      <RejectDialog
        person={registrationToReject}
        onClose={() => setRegistrationToReject(null)}
        focusAfter={tasksHeading}
      />
    </>
  );
}

/**
 * Focuses the next person's name, or the heading of the tasks if no one is left. Does not focus a button, because
 * pressing Enter twice would then decide about two people.
 */
function focusNextPerson(heading: HTMLElement | null, tasksHeading: HTMLElement | null): void {
  const rows = heading?.parentElement?.querySelectorAll('li') ?? [];
  const remainingRow = [...rows].find((row) => !row.contains(document.activeElement));
  (remainingRow?.querySelector<HTMLElement>('[tabindex]') ?? tasksHeading)?.focus();
}

interface RejectDialogProps {
  /** Null if the dialog is closed. */
  person: PendingRegistration | null;
  onClose: () => void;
  focusAfter: RefObject<HTMLElement | null>;
}

function RejectDialog({ person, onClose, focusAfter }: RejectDialogProps) {
  const { mutate: restore } = useUndoRejection();
  const reject = useMutationWithToasts(
    {
      ...decideMutation(false),
      onSuccess: (_nothing, { userId, email }) =>
        toast.success('Team member rejected successfully', `${email} will be notified by email in a few seconds.`, {
          label: 'Undo',
          onClick: () => restore({ userId, email }),
        }),
    },
    { failure: 'Failed to reject team member' },
  );
  // Keep the name while the dialog fades out.
  const lastPerson = useRef(person);
  if (person) lastPerson.current = person;
  return (
    <ConfirmDialog
      open={person !== null}
      onOpenChange={(open) => !open && onClose()}
      title="Reject this registration?"
      description={`${lastPerson.current?.email} will not join the team and will be notified by email. You can undo this under Decisions.`}
      confirmLabel="Reject"
      destructive
      loading={reject.isPending}
      focusAfter={focusAfter}
      onConfirm={() => person && reject.mutate(person, { onSettled: onClose })}
    />
  );
}

interface RegistrationProps {
  person: PendingRegistration;
  /** Called before the row unmounts with its button. */
  onApproved: () => void;
  onReject: () => void;
}

function Registration({ person, onApproved, onReject }: RegistrationProps) {
  const approve = useMutationWithToasts(
    { ...decideMutation(true), onSuccess: onApproved },
    {
      success: 'Team member approved successfully',
      failure: 'Failed to approve team member',
    },
  );
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 px-5 py-3">
      <div className="min-w-0 flex-1 basis-60">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <p tabIndex={-1} className="rounded-sm font-medium [overflow-wrap:anywhere]">
            {person.email}
          </p>
          {!person.isConfirmed && <Badge tone="warning">Email not confirmed</Badge>}
        </div>
        <p className="text-sm text-muted">
          Registered <RelativeTime at={person.createdAt} />
        </p>
        {!person.isConfirmed && (
          <p className="text-sm text-muted">
            This person has not opened an email from us yet, so someone else may have used their address.
          </p>
        )}
      </div>
      <div className="flex gap-3">
        <Button
          size="sm"
          loading={approve.isPending}
          aria-label={`Approve ${person.email}`}
          onClick={() => approve.mutate(person)}
        >
          Approve
        </Button>
        <Button
          size="sm"
          variant="secondary"
          disabled={approve.isPending}
          aria-label={`Reject ${person.email}`}
          onClick={onReject}
        >
          Reject
        </Button>
      </div>
    </div>
  );
}
