import { zodResolver } from '@hookform/resolvers/zod';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useForm } from 'react-hook-form';
import { leadOwnersQuery } from '../../leads/leads.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { tellFirstError } from '../../ui/first-error.ts';
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
  memberSchema,
} from '../client-people.ts';
import { KindOptions, PersonRow } from './client-person-row.tsx';

/** The people of a client with what they may do, and who of us works for it, each with a form that adds one. */
export function ClientPeople({ clientId }: { clientId: string }) {
  const { data: people, error, isPending, refetch } = useQuery(clientPeopleQuery(clientId));
  if (isPending) return <LoadingCards text="Loading people..." height="h-24" />;
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  const members = people.filter(({ is_team }) => !is_team);
  const team = people.filter(({ is_team }) => is_team);
  return (
    <>
      <Part title="People" none="Nobody sees this client’s dashboard yet." clientId={clientId} people={members}>
        <AddMember clientId={clientId} />
      </Part>
      <Part title="Who works for them" none="Nobody is assigned yet." clientId={clientId} people={team}>
        <Assign clientId={clientId} assigned={team.map(({ id }) => id)} />
      </Part>
    </>
  );
}

interface PartProps {
  title: string;
  /** Sentence while there is nobody. */
  none: string;
  clientId: string;
  people: readonly ClientPerson[];
  /** The form that adds a person. */
  children: React.ReactNode;
}

function Part({ title, none, clientId, people, children }: PartProps) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <Card className="grid grid-cols-1 gap-4 p-5">
        <h2 id={id} className="text-lg font-semibold">
          {title}
        </h2>
        {people.length === 0 && <p className="text-muted">{none}</p>}
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

/** True if nobody else at the client could decide on approvals. Invited people cannot decide yet. */
function isLastApprover(person: ClientPerson, people: readonly ClientPerson[]): boolean {
  const approvers = people.filter(({ kind, is_waiting }) => kind === 'approver' && !is_waiting);
  return approvers.length === 1 && approvers[0] === person;
}

function AddMember({ clientId }: { clientId: string }) {
  const { register, handleSubmit, formState, reset } = useForm({
    resolver: zodResolver(memberSchema),
    defaultValues: { email: '', kind: 'approver' as const },
  });
  const add = useMutationWithToasts(addMemberMutation, {
    success: (isAdded, { email }) =>
      isAdded
        ? [`${email} is added`, 'They see the client now, and get an email about it.']
        : [`${email} is invited`, 'They get an email with a link that signs them in for seven days.'],
    failure: 'This person was not added',
  });
  return (
    <Form
      aria-label="Add a person"
      className="flex flex-wrap items-start gap-3"
      onSubmit={handleSubmit(
        (member) => add.mutate({ clientId, ...member }, { onSuccess: () => reset() }),
        tellFirstError,
      )}
    >
      <Field
        label="Address"
        help="With or without an account. Add an invited person again to send the link again."
        className="min-w-60 flex-1"
        error={formState.errors.email?.message}
      >
        <Input type="email" autoComplete="off" {...register('email')} />
      </Field>
      <Field label="May" className="w-36">
        <Select {...register('kind')}>
          <KindOptions />
        </Select>
      </Field>
      <Button type="submit" variant="secondary" loading={add.isPending} className="sm:mt-6.5">
        Add
      </Button>
    </Form>
  );
}

function Assign({ clientId, assigned }: { clientId: string; assigned: readonly string[] }) {
  const { data: owners = [] } = useQuery(leadOwnersQuery);
  const others = owners.filter(({ id }) => !assigned.includes(id));
  const { register, handleSubmit, reset } = useForm({ defaultValues: { userId: '' } });
  const assign = useMutationWithToasts(assignMutation, {
    success: ['Assigned successfully', 'They see the client on their dashboard now.'],
    failure: 'This person was not assigned',
  });
  return (
    <Form
      aria-label="Assign somebody"
      className="flex flex-wrap items-start gap-3"
      onSubmit={handleSubmit(({ userId }) => {
        if (userId !== '') assign.mutate({ clientId, userId }, { onSuccess: () => reset() });
      })}
    >
      <Field label="Team member" className="min-w-60 flex-1">
        <Select {...register('userId')}>
          <option value="">Choose</option>
          {others.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
      <Button type="submit" variant="secondary" loading={assign.isPending} className="sm:mt-6.5">
        Assign
      </Button>
    </Form>
  );
}
