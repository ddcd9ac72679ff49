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
    failure: 'The sessions were not ended',
  });
  return (
    <ActionButton
      action={end}
      variables={person.id}
      label="End all sessions"
      title="End all their sessions?"
      sentence={`${personName(person)} is signed out everywhere at once, and can sign in again.`}
      confirmLabel="End sessions"
      focusAfter={focusAfter}
    />
  );
}

export function ResetFactors({ person, focusAfter }: ActionProps) {
  const reset = useMutationWithToasts(resetPersonFactorsMutation, {
    success: 'Factors reset',
    failure: 'The factors were not reset',
  });
  return (
    <ActionButton
      action={reset}
      variables={person.id}
      label="Reset factors"
      title="Reset their factors?"
      sentence={`${personName(person)} loses every second factor, recovery code and passkey and is signed out everywhere. Their password, or a mailed link, is then enough to sign in. Make sure that it is them who asks.`}
      confirmLabel="Reset factors"
      destructive
      focusAfter={focusAfter}
    />
  );
}
