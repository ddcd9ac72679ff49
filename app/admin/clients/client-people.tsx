import { zodResolver } from '@hookform/resolvers/zod';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useForm } from 'react-hook-form';
import {
  addMemberMutation,
  assignMutation,
  type ClientPerson,
  changeKindMutation,
  clientPeopleQuery,
  isMemberKind,
  MEMBER_KINDS,
  type MemberKind,
  memberSchema,
  removePersonMutation,
} from '../../data/clients/client-people.ts';
import { leadOwnersQuery } from '../../data/leads/leads.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { tellFirstError } from '../../ui/first-error.ts';
import { Form } from '../../ui/form.tsx';
import { Input } from '../../ui/input.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { Select } from '../../ui/select.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { LoadingCards } from '../list/loading-cards.tsx';

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
              <PersonRow key={person.id} clientId={clientId} person={person} />
            ))}
          </ul>
        )}
        {children}
      </Card>
    </section>
  );
}

function PersonRow({ clientId, person }: { clientId: string; person: ClientPerson }) {
  const { name, email, kind, is_waiting } = person;
  const shown = name || email;
  const remove = useMutationWithToasts(removePersonMutation, {
    success: [`${shown} is removed`, 'They see nothing of this client any more. Their account stays.'],
    failure: 'Error removing this person',
  });
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
      <div className="min-w-0">
        <p className="[overflow-wrap:anywhere]">{shown}</p>
        {name !== '' && <p className="text-sm text-muted [overflow-wrap:anywhere]">{email}</p>}
        {is_waiting && <p className="text-sm text-muted">Waits until they have opened a mail at this address.</p>}
      </div>
      <div className="flex flex-wrap items-center gap-3">
        {kind && <KindSelect clientId={clientId} person={person} kind={kind} />}
        <Button
          variant="secondary"
          size="sm"
          loading={remove.isPending}
          aria-label={`Remove ${shown}`}
          onClick={() => remove.mutate({ clientId, person })}
        >
          Remove
        </Button>
      </div>
    </li>
  );
}

interface KindSelectProps {
  clientId: string;
  person: ClientPerson;
  kind: MemberKind;
}

/** Changes at once what a person may do. */
function KindSelect({ clientId, person, kind }: KindSelectProps) {
  const shown = person.name || person.email;
  const change = useMutationWithToasts(changeKindMutation, {
    success: (_nothing, { kind: given }) =>
      given === 'approver'
        ? [`${shown} is an approver`, 'They decide on approvals and answer meetings.']
        : [`${shown} is a viewer`, 'They see everything, and decide nothing.'],
    failure: 'This was not changed',
  });
  return (
    <Select
      aria-label={`What ${shown} may do`}
      className="w-auto"
      value={kind}
      disabled={change.isPending}
      onChange={({ target }) => {
        if (isMemberKind(target.value)) change.mutate({ clientId, person, kind: target.value });
      }}
    >
      <KindOptions />
    </Select>
  );
}

function KindOptions() {
  return Object.entries(MEMBER_KINDS).map(([kind, words]) => (
    <option key={kind} value={kind}>
      {words}
    </option>
  ));
}

function AddMember({ clientId }: { clientId: string }) {
  const { register, handleSubmit, formState, reset } = useForm({
    resolver: zodResolver(memberSchema),
    defaultValues: { email: '', kind: 'approver' as const },
  });
  const add = useMutationWithToasts(addMemberMutation, {
    success: (isAdded, { email }) =>
      isAdded
        ? [`${email} is added`, 'They see it at their next sign-in, or within the hour.']
        : [`${email} is invited`, 'They get a mail with a link that signs in, and find the client there.'],
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
        help="With or without an account. Adding somebody who waits mails the link again."
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
    success: ['Assigned successfully', 'They see it at their next sign-in, or within the hour.'],
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
