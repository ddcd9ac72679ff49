import type { RefObject } from 'react';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import {
  inviteMutation,
  makeAdminMutation,
  makeClientMutation,
  type PersonDetail,
  reloadPeople,
  revokeAccessMutation,
} from '../people.ts';
import { decideMutation, restoreMutation } from '../registrations.ts';
import { ActionButton } from './action-button.tsx';
import { personName } from './person-name.ts';

interface ActionProps {
  person: PersonDetail;
  focusAfter: RefObject<HTMLElement | null>;
}

/** Buttons for the actions that the current role of an account allows. */
export function AccessActions(props: ActionProps) {
  const { status, invited } = props.person;
  return (
    <div className="flex flex-wrap gap-3">
      {status === 'pending' && <Approve {...props} />}
      {status === 'pending' && <Decline {...props} />}
      {status === 'declined' && <Restore {...props} />}
      {invited && (status === 'client' || status === 'team') && <InviteAgain {...props} />}
      {status !== 'client' && <MakeClient {...props} />}
      {(status === 'client' || status === 'team') && <MakeAdmin {...props} />}
      {(status === 'client' || status === 'team') && <Revoke {...props} />}
    </div>
  );
}

function useDecision(approved: boolean) {
  return useMutationWithToasts(
    {
      ...decideMutation(approved),
      ...reloadPeople,
    },
    approved
      ? { success: 'Team member approved successfully', failure: 'Failed to approve team member' }
      : { success: 'Team member rejected successfully', failure: 'Failed to reject team member' },
  );
}

function Approve({ person, focusAfter }: ActionProps) {
  return (
    <ActionButton
      action={useDecision(true)}
      variables={{ userId: person.id, email: person.email }}
      label="Approve"
      variant="primary"
      title="Approve this team member?"
      description={`${personName(person)} gets access to the team dashboard as soon as their address is confirmed. We notify them by email.`}
      confirmLabel="Approve"
      focusAfter={focusAfter}
    />
  );
}

function Decline({ person, focusAfter }: ActionProps) {
  return (
    <ActionButton
      action={useDecision(false)}
      variables={{ userId: person.id, email: person.email }}
      label="Reject"
      title="Reject this registration?"
      description={`${personName(person)} will not join the team and is notified by email in ten seconds. You can undo this here.`}
      confirmLabel="Reject"
      focusAfter={focusAfter}
    />
  );
}

function Restore({ person, focusAfter }: ActionProps) {
  const restore = useMutationWithToasts(
    { ...restoreMutation, ...reloadPeople },
    {
      success: (_isUnsent, { email }) => ['Decision undone', `${email} has their previous access again.`],
      failure: 'Could not undo the decision',
    },
  );
  return (
    <ActionButton
      action={restore}
      variables={{ userId: person.id, email: person.email }}
      label="Restore"
      title="Undo this decision?"
      description={`${personName(person)} gets their previous role back, or their registration becomes pending again.`}
      confirmLabel="Restore"
      focusAfter={focusAfter}
    />
  );
}

function InviteAgain({ person, focusAfter }: ActionProps) {
  const invite = useMutationWithToasts(inviteMutation, {
    success: (_result, { email }) => ['Invitation sent', `We sent ${email} an email with a sign-in link.`],
    failure: 'Could not send the invitation',
  });
  return (
    <ActionButton
      action={invite}
      variables={{ email: person.email, role: person.status === 'team' ? 'team' : 'client' }}
      label="Send again"
      title="Send the invitation again?"
      description={`${personName(person)} gets another email with a sign-in link. It is valid for seven days.`}
      confirmLabel="Send"
      focusAfter={focusAfter}
    />
  );
}

function MakeClient({ person, focusAfter }: ActionProps) {
  const changeRole = useMutationWithToasts(makeClientMutation, {
    success: 'Role changed to client',
    failure: 'Could not change the role to client',
  });
  const loss = { admin: 'the admin area', team: 'the team dashboard', pending: 'their pending registration' };
  const { status } = person;
  const lostAccess = status === 'admin' || status === 'team' || status === 'pending' ? loss[status] : null;
  return (
    <ActionButton
      action={changeRole}
      variables={person.id}
      label="Make client"
      title="Make this person a client?"
      description={`${personName(person)} gets access to the client portal immediately${lostAccess ? ` and loses ${lostAccess}` : ''}. No email is sent.`}
      confirmLabel="Make client"
      destructive={status === 'admin'}
      focusAfter={focusAfter}
    />
  );
}

function MakeAdmin({ person, focusAfter }: ActionProps) {
  const changeRole = useMutationWithToasts(makeAdminMutation, {
    success: ['Role changed to admin', 'They and all other admins are notified by email.'],
    failure: 'Could not change the role to admin',
  });
  return (
    <ActionButton
      action={changeRole}
      variables={person.id}
      label="Make admin"
      title="Make this person an admin?"
      description={`${personName(person)} can see and change everything: content, clients, people and settings. They and all other admins are notified by email.`}
      confirmLabel="Make admin"
      destructive
      focusAfter={focusAfter}
    />
  );
}

function Revoke({ person, focusAfter }: ActionProps) {
  const revoke = useMutationWithToasts(revokeAccessMutation, {
    success: 'Access revoked',
    failure: 'Could not revoke access',
  });
  return (
    <ActionButton
      action={revoke}
      variables={person.id}
      label="Revoke access"
      variant="danger-outline"
      title="Revoke access?"
      description={`${personName(person)} keeps the account but loses access to all dashboards. A notice is shown when they sign in. No email is sent. You can undo this here.`}
      confirmLabel="Revoke access"
      destructive
      focusAfter={focusAfter}
    />
  );
}
