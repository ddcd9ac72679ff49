import { Ellipsis, UserMinus } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { DropdownItem, DropdownMenu } from '../../ui/dropdown-menu.tsx';
import { Select } from '../../ui/select.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import {
  type ClientPerson,
  changeKindMutation,
  isMemberKind,
  MEMBER_KINDS,
  type MemberKind,
  removePersonMutation,
} from '../client-people.ts';

const NO_APPROVER = 'This is the last approver. The client can then no longer approve requests or dispute meetings.';

interface PersonRowProps {
  clientId: string;
  person: ClientPerson;
  isLastApprover: boolean;
}

export function PersonRow({ clientId, person, isLastApprover }: PersonRowProps) {
  const trigger = useRef<HTMLButtonElement>(null);
  const [isConfirming, setConfirming] = useState(false);
  const { name, email, kind, is_waiting } = person;
  const displayName = name || email;
  const remove = useMutationWithToasts(removePersonMutation, {
    success: [`${displayName} removed`, 'They no longer have access to this client. Their account is kept.'],
    failure: 'Could not remove this person',
  });
  const removePerson = () => remove.mutate({ clientId, person }, { onSettled: () => setConfirming(false) });
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
      <div className="min-w-0">
        <p className="[overflow-wrap:anywhere]">{displayName}</p>
        {name !== '' && <p className="text-sm text-muted [overflow-wrap:anywhere]">{email}</p>}
        {is_waiting && (
          <p className="text-sm text-muted">Invited. They get access when they open the link in the email.</p>
        )}
      </div>
      <div className="flex items-center gap-1 sm:gap-3">
        {kind && <KindSelect clientId={clientId} person={person} kind={kind} isLastApprover={isLastApprover} />}
        <DropdownMenu
          trigger={
            <Button
              ref={trigger}
              variant="ghost"
              size="icon"
              loading={remove.isPending}
              aria-label={`Actions for ${displayName}`}
            >
              <Ellipsis aria-hidden="true" />
            </Button>
          }
        >
          <DropdownItem destructive onSelect={() => (isLastApprover ? setConfirming(true) : removePerson())}>
            <UserMinus aria-hidden="true" />
            Remove
          </DropdownItem>
        </DropdownMenu>
        <ConfirmDialog
          open={isConfirming}
          onOpenChange={setConfirming}
          title={`Remove ${displayName}?`}
          description={NO_APPROVER}
          confirmLabel="Remove"
          destructive
          loading={remove.isPending}
          focusAfter={trigger}
          onConfirm={removePerson}
        />
      </div>
    </li>
  );
}

interface KindSelectProps extends PersonRowProps {
  kind: MemberKind;
}

/** Select that changes a member's role. Asks for confirmation if the member is the last approver. */
function KindSelect({ clientId, person, kind, isLastApprover }: KindSelectProps) {
  const [isConfirming, setConfirming] = useState(false);
  const displayName = person.name || person.email;
  const change = useMutationWithToasts(changeKindMutation, {
    success: (_result, { kind: newKind }) =>
      newKind === 'approver'
        ? [
            `${displayName} is now an approver`,
            'They can approve or decline requests, change leads, accept or dispute meetings, and report their results.',
          ]
        : [`${displayName} is now a viewer`, 'They can read everything but cannot decide.'],
    failure: 'Could not change the role',
  });
  const changeTo = (newKind: MemberKind) =>
    change.mutate({ clientId, person, kind: newKind }, { onSettled: () => setConfirming(false) });
  return (
    <>
      <Select
        aria-label={`Role of ${displayName}`}
        className="w-auto"
        value={kind}
        disabled={change.isPending}
        onChange={({ target }) => {
          if (!isMemberKind(target.value)) return;
          if (isLastApprover && target.value === 'viewer') setConfirming(true);
          else changeTo(target.value);
        }}
      >
        <KindOptions />
      </Select>
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title={`Make ${displayName} a viewer?`}
        description={NO_APPROVER}
        confirmLabel="Make viewer"
        destructive
        loading={change.isPending}
        onConfirm={() => changeTo('viewer')}
      />
    </>
  );
}

export function KindOptions() {
  return Object.entries(MEMBER_KINDS).map(([kind, label]) => (
    <option key={kind} value={kind}>
      {label}
    </option>
  ));
}
