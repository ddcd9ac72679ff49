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

/** Offers the actions on somebody's role, by their present one. */
export function AccessActions(props: ActionProps) {
  const { standing, invited } = props.person;
  return (
    <div className="flex flex-wrap gap-3">
      {standing === 'pending' && <Approve {...props} />}
      {standing === 'pending' && <Decline {...props} />}
      {standing === 'declined' && <Restore {...props} />}
      {invited && (standing === 'client' || standing === 'team') && <InviteAgain {...props} />}
      {standing !== 'client' && <MakeClient {...props} />}
      {(standing === 'client' || standing === 'team') && <MakeAdmin {...props} />}
      {(standing === 'client' || standing === 'team') && <Revoke {...props} />}
    </div>
  );
}

function useDeciding(approved: boolean) {
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
      action={useDeciding(true)}
      variables={{ userId: person.id, email: person.email }}
      label="Approve"
      title="Approve this team member?"
      sentence={`${personName(person)} gets the team dashboard, at once or as soon as they have confirmed their address, and a mail that says so.`}
      confirmLabel="Approve"
      focusAfter={focusAfter}
    />
  );
}

function Decline({ person, focusAfter }: ActionProps) {
  return (
    <ActionButton
      action={useDeciding(false)}
      variables={{ userId: person.id, email: person.email }}
      label="Reject"
      title="Reject this registration?"
      sentence={`${personName(person)} will not join the team and gets a mail that says so in ten seconds. You can take it back here.`}
      confirmLabel="Reject"
      focusAfter={focusAfter}
    />
  );
}

function Restore({ person, focusAfter }: ActionProps) {
  const restore = useMutationWithToasts(
    { ...restoreMutation, ...reloadPeople },
    {
      success: (_untold, { email }) => ['Taken back', `${email} is where they were before.`],
      failure: 'Failed to take it back',
    },
  );
  return (
    <ActionButton
      action={restore}
      variables={{ userId: person.id, email: person.email }}
      label="Restore"
      title="Take the decision back?"
      sentence={`${personName(person)} is where they were before: who asked to join the team waits for a decision again, a client is a client again.`}
      confirmLabel="Restore"
      focusAfter={focusAfter}
    />
  );
}

function InviteAgain({ person, focusAfter }: ActionProps) {
  const invite = useMutationWithToasts(inviteMutation, {
    success: (_nothing, { email }) => ['Invitation sent', `${email} gets a mail with a link that signs in.`],
    failure: 'The invitation was not sent',
  });
  return (
    <ActionButton
      action={invite}
      variables={{ email: person.email, role: person.standing === 'team' ? 'team' : 'client' }}
      label="Send again"
      title="Send the invitation again?"
      sentence={`${personName(person)} gets another email with a link that signs in. It works for seven days.`}
      confirmLabel="Send"
      focusAfter={focusAfter}
    />
  );
}

function MakeClient({ person, focusAfter }: ActionProps) {
  const make = useMutationWithToasts(makeClientMutation, {
    success: 'They are a client now',
    failure: 'Failed to make this person a client',
  });
  const loss = { admin: 'the admin area', team: 'the team dashboard', pending: 'their place on the waiting list' };
  const { standing } = person;
  const lost = standing === 'admin' || standing === 'team' || standing === 'pending' ? loss[standing] : null;
  return (
    <ActionButton
      action={make}
      variables={person.id}
      label="Make client"
      title="Make this person a client?"
      sentence={`${personName(person)} gets the client dashboard at once${lost ? ` and loses ${lost}` : ''}. No mail is sent.`}
      confirmLabel="Make client"
      destructive={standing === 'admin'}
      focusAfter={focusAfter}
    />
  );
}

function MakeAdmin({ person, focusAfter }: ActionProps) {
  const make = useMutationWithToasts(makeAdminMutation, {
    success: ['They are an admin now', 'They and all other admins get an email.'],
    failure: 'Failed to make this person an admin',
  });
  return (
    <ActionButton
      action={make}
      variables={person.id}
      label="Make admin"
      title="Make this person an admin?"
      sentence={`${personName(person)} can see and change everything: content, clients, people and settings. They and all other admins get an email.`}
      confirmLabel="Make admin"
      destructive
      focusAfter={focusAfter}
    />
  );
}

function Revoke({ person, focusAfter }: ActionProps) {
  const revoke = useMutationWithToasts(revokeAccessMutation, {
    success: 'Access revoked',
    failure: 'Failed to revoke the access',
  });
  return (
    <ActionButton
      action={revoke}
      variables={person.id}
      label="Revoke access"
      title="Revoke their access?"
      sentence={`${personName(person)} keeps the account and reaches no dashboard any more. They are told when they sign in, and no mail is sent. You can take it back here.`}
      confirmLabel="Revoke access"
      destructive
      focusAfter={focusAfter}
    />
  );
}
