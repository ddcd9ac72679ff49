import { UserCog, UserMinus } from 'lucide-react';
import { useRef, useState } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { ActionsMenu, DropdownItem } from '../../ui/dropdown-menu.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { type ClientPerson, changeKindMutation, MEMBER_KINDS, removePersonMutation } from '../client-people.ts';

/** A long address wraps on phones. Otherwise, it is truncated, so that each row has the same height. */
const ADDRESS_CLASS = 'max-sm:[overflow-wrap:anywhere] sm:truncate';

interface PersonRowProps {
  clientId: string;
  person: ClientPerson;
  isLastApprover: boolean;
}

/** Shows a person with their role. The menu changes the role or removes the person. */
export function PersonRow({ clientId, person, isLastApprover }: PersonRowProps) {
  const { name, email, kind, is_waiting } = person;
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 py-3 sm:grid-cols-[minmax(0,1fr)_auto_auto]">
      <div className="min-w-0">
        <p className={ADDRESS_CLASS} title={name || email}>
          {name || email}
        </p>
        {name !== '' && (
          <p className={`${ADDRESS_CLASS} text-sm text-muted`} title={email}>
            {email}
          </p>
        )}
        {is_waiting && (
          <p className="text-sm text-muted">Invited. They get access when they open the link in the email.</p>
        )}
      </div>
      {kind && <Badge className="max-sm:row-start-2 max-sm:mt-1">{MEMBER_KINDS[kind]}</Badge>}
      <PersonActions clientId={clientId} person={person} isLastApprover={isLastApprover} />
    </li>
  );
}

/** Menu of a person. Asks for confirmation if the client would be left without an approver. */
function PersonActions({ clientId, person, isLastApprover }: PersonRowProps) {
  const trigger = useRef<HTMLButtonElement>(null);
  const [action, setAction] = useState<'viewer' | 'remove' | null>(null);
  const displayName = person.name || person.email;
  const newKind = person.kind === 'approver' ? 'viewer' : 'approver';
  const onSettled = () => setAction(null);
  const remove = useMutationWithToasts(removePersonMutation, {
    success: [`${displayName} removed`, 'They no longer have access to this client. Their account is kept.'],
    failure: 'Could not remove this person',
  });
  const change = useMutationWithToasts(changeKindMutation, {
    success: (_result, { kind }) =>
      kind === 'approver'
        ? [
            `${displayName} is now an approver`,
            'They can approve or decline requests, change leads, accept or dispute meetings, and report their results.',
          ]
        : [`${displayName} is now a viewer`, 'They can read everything but cannot decide.'],
    failure: 'Could not change the role',
  });
  const removePerson = () => remove.mutate({ clientId, person }, { onSettled });
  const changeKind = () => change.mutate({ clientId, person, kind: newKind }, { onSettled });
  return (
    <div className="col-start-2 row-span-2 row-start-1 sm:col-start-3 sm:row-span-1">
      <ActionsMenu
        ref={trigger}
        loading={remove.isPending || change.isPending}
        aria-label={`Actions for ${displayName}`}
      >
        {person.kind && (
          <DropdownItem onSelect={() => (isLastApprover ? setAction('viewer') : changeKind())}>
            <UserCog aria-hidden="true" />
            {`Make ${newKind}`}
          </DropdownItem>
        )}
        <DropdownItem destructive onSelect={() => (isLastApprover ? setAction('remove') : removePerson())}>
          <UserMinus aria-hidden="true" />
          Remove
        </DropdownItem>
      </ActionsMenu>
      <ConfirmDialog
        open={action !== null}
        onOpenChange={onSettled}
        title={action === 'viewer' ? `Make ${displayName} a viewer?` : `Remove ${displayName}?`}
        description="This is the last approver. The client can then no longer approve requests or dispute meetings."
        confirmLabel={action === 'viewer' ? 'Make viewer' : 'Remove'}
        destructive
        loading={remove.isPending || change.isPending}
        focusAfter={trigger}
        onConfirm={action === 'viewer' ? changeKind : removePerson}
      />
    </div>
  );
}
