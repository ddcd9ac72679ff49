import { zodResolver } from '@hookform/resolvers/zod';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useForm } from 'react-hook-form';
import { leadOwnersQuery } from '../../leads/leads.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { showFirstError } from '../../ui/first-error.ts';
import { Form } from '../../ui/form.tsx';
import { Input } from '../../ui/input.tsx';
import { LoadingCards } from '../../ui/list/loading-cards.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { Select } from '../../ui/select.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import {
  addMemberMutation,
  assignMutation,
  type ClientPerson,
  clientPeopleQuery,
  MEMBER_KINDS,
  memberSchema,
} from '../client-people.ts';
import { PersonRow } from './client-person-row.tsx';

/** Lists a client's members and assigned team members. */
export function ClientPeople({ clientId }: { clientId: string }) {
  const { data: people, error, isPending, refetch } = useQuery(clientPeopleQuery(clientId));
  if (isPending) return <LoadingCards text="Loading people..." height="h-24" />;
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  const members = people.filter(({ is_team }) => !is_team);
  const team = people.filter(({ is_team }) => is_team);
  return (
    <>
      <PeopleList title="People" emptyText="No one at this client has access yet." clientId={clientId} people={members}>
        <AddMember clientId={clientId} />
      </PeopleList>
      <PeopleList title="Assigned team members" emptyText="No one is assigned yet." clientId={clientId} people={team}>
        <AssignForm clientId={clientId} assignedIds={team.map(({ id }) => id)} />
      </PeopleList>
    </>
  );
}

interface PeopleListProps {
  title: string;
  /** Text for an empty list. */
  emptyText: string;
  clientId: string;
  people: readonly ClientPerson[];
  children: React.ReactNode;
}

function PeopleList({ title, emptyText, clientId, people, children }: PeopleListProps) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <Card className="grid grid-cols-1 gap-4 p-5">
        <h2 id={id} className="text-lg font-semibold">
          {title}
        </h2>
        {people.length === 0 && <p className="text-muted">{emptyText}</p>}
        {people.length > 0 && (
          <ul className="grid grid-cols-1 divide-y divide-line">
            {people.map((person) => (
              <PersonRow
                key={person.id}
                clientId={clientId}
                person={person}
                isLastApprover={isLastApprover(person, people)}
              />
            ))}
          </ul>
        )}
        <div>{children}</div>
      </Card>
    </section>
  );
}

/** Returns true if the person is the only approver. Invited people cannot decide yet and are not counted. */
function isLastApprover(person: ClientPerson, people: readonly ClientPerson[]): boolean {
  const approvers = people.filter(({ kind, is_waiting }) => kind === 'approver' && !is_waiting);
  return approvers.length === 1 && approvers[0] === person;
}

function AddMember({ clientId }: { clientId: string }) {
  const hintId = useId();
  const { register, handleSubmit, formState, reset } = useForm({
    resolver: zodResolver(memberSchema),
    defaultValues: { email: '', kind: 'approver' as const },
  });
  const add = useMutationWithToasts(addMemberMutation, {
    success: (isAdded, { email }) =>
      isAdded
        ? [`${email} added`, 'They now have access to the portal. We sent them an email.']
        : [`${email} invited`, 'We sent them an email with a sign-in link that is valid for seven days.'],
    failure: 'Could not add this person',
  });
  return (
    <Form
      aria-label="Add a person"
      aria-describedby={hintId}
      className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-3 sm:grid-cols-[minmax(0,1fr)_9rem_auto]"
      onSubmit={handleSubmit(
        (member) => add.mutate({ clientId, ...member }, { onSuccess: () => reset() }),
        showFirstError,
      )}
    >
      <Field label="Email address" className="max-sm:col-span-full" error={formState.errors.email?.message}>
        <Input type="email" autoComplete="off" {...register('email')} />
      </Field>
      <Field label="Role">
        <Select {...register('kind')}>
          {Object.entries(MEMBER_KINDS).map(([kind, label]) => (
            <option key={kind} value={kind}>
              {label}
            </option>
          ))}
        </Select>
      </Field>
      <Button type="submit" variant="secondary" loading={add.isPending} className="mt-6.5">
        Add
      </Button>
      <p id={hintId} className="col-span-full text-sm text-muted">
        They do not need an account yet. To resend an invitation, add the person again.
      </p>
    </Form>
  );
}

function AssignForm({ clientId, assignedIds }: { clientId: string; assignedIds: readonly string[] }) {
  const { data: owners = [] } = useQuery(leadOwnersQuery);
  const unassigned = owners.filter(({ id }) => !assignedIds.includes(id));
  const { register, handleSubmit, reset } = useForm({ defaultValues: { userId: '' } });
  const assign = useMutationWithToasts(assignMutation, {
    success: ['Assigned successfully', 'The client now appears on their dashboard.'],
    failure: 'Could not assign this person',
  });
  return (
    <Form
      aria-label="Assign a team member"
      className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-3"
      onSubmit={handleSubmit(({ userId }) => {
        if (userId !== '') assign.mutate({ clientId, userId }, { onSuccess: () => reset() });
      })}
    >
      <Field label="Team member">
        <Select {...register('userId')}>
          <option value="">Choose</option>
          {unassigned.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
      <Button type="submit" variant="secondary" loading={assign.isPending} className="mt-6.5">
        Assign
      </Button>
    </Form>
  );
}
