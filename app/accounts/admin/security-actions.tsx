import type { RefObject } from 'react';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { endPersonSessionsMutation, type PersonDetail, resetPersonFactorsMutation } from '../people.ts';
import { ActionButton } from './action-button.tsx';
import { personName } from './person-name.ts';

interface ActionProps {
  person: PersonDetail;
  focusAfter: RefObject<HTMLElement | null>;
}

export function EndSessions({ person, focusAfter }: ActionProps) {
  const end = useMutationWithToasts(endPersonSessionsMutation, {
    success: 'Signed out everywhere',
    failure: 'Could not end the sessions',
  });
  return (
    <ActionButton
      action={end}
      variables={person.id}
      label="End all sessions"
      title="End all sessions?"
      description={`${personName(person)} is signed out everywhere immediately, and can sign in again.`}
      confirmLabel="End sessions"
      focusAfter={focusAfter}
    />
  );
}

export function ResetFactors({ person, focusAfter }: ActionProps) {
  const reset = useMutationWithToasts(resetPersonFactorsMutation, {
    success: 'Second factors reset',
    failure: 'Could not reset the second factors',
  });
  return (
    <ActionButton
      action={reset}
      variables={person.id}
      label="Reset second factors"
      title="Reset second factors?"
      description={`${personName(person)} loses all second factors, recovery codes and passkeys, and is signed out everywhere. They can then sign in with only a password or an email link. First verify that the request comes from this person.`}
      confirmLabel="Reset second factors"
      destructive
      focusAfter={focusAfter}
    />
  );
}
