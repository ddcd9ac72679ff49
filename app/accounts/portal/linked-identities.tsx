import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { takeRedirectRefusal } from '../../ui/lib/redirect-refusal.ts';
import { ProviderMark } from '../../ui/provider-mark.tsx';
import { RefusalNote } from '../../ui/refusal-note.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import type { WaysToSignIn } from '../offered-ways.ts';
import { identitiesQuery, type LinkedIdentity, linkMutation, unlinkMutation } from '../ways-to-sign-in.ts';
import { AccountSection } from './account-section.tsx';
import { ROWS_CLASS, Row, RowButton, RowsToCome } from './rows.tsx';

/** Manages the ways to sign in: those that are linked, and those that could be. */
export function LinkedIdentities({ ways }: { ways: WaysToSignIn }) {
  const query = useQuery(identitiesQuery);
  const { data: identities } = query;
  // The way back from a provider may carry a refusal.
  const [refusal] = useState(takeRedirectRefusal);
  const [leaving, setLeaving] = useState<LinkedIdentity | null>(null);
  const list = useRef<HTMLUListElement>(null);
  const linking = useMutationWithToasts(linkMutation, { failure: 'The provider was not linked' });
  const unlinking = useMutationWithToasts(unlinkMutation, { success: 'Unlinked', failure: 'It was not unlinked' });
  const linkable = ways.providers.filter(({ name }) => !identities?.some(({ provider }) => provider === name));

  return (
    <AccountSection title="Ways to sign in" description="Link a provider and sign in with it, without a password.">
      {refusal && <RefusalNote title="The provider was not linked">{refusal}</RefusalNote>}
      <RowsToCome what="The ways to sign in" query={query} />
      {identities && (
        <ul ref={list} tabIndex={-1} className={ROWS_CLASS}>
          {identities.map((identity) => (
            <Row
              key={identity.id}
              mark={<ProviderMark name={identity.provider} />}
              title={identity.label}
              detail={identity.who}
            >
              {identities.length > 1 && (
                <RowButton action="Unlink" name={identity.label} onClick={() => setLeaving(identity)} />
              )}
            </Row>
          ))}
        </ul>
      )}
      {identities && linkable.length > 0 && (
        <div className="flex flex-wrap gap-3">
          {linkable.map(({ name, label }) => (
            <Button
              key={name}
              variant="secondary"
              className="max-w-full"
              loading={linking.variables === name && (linking.isPending || linking.isSuccess)}
              onClick={() => linking.mutate(name)}
            >
              <ProviderMark name={name} />
              <span className="truncate">Link {label}</span>
            </Button>
          ))}
        </div>
      )}
      <ConfirmDialog
        open={leaving !== null}
        onOpenChange={(open) => !open && setLeaving(null)}
        title={`Unlink ${leaving?.label ?? ''}?`}
        description={
          leaving?.provider === 'email'
            ? 'Your password stops working. You sign in with what is left.'
            : `You cannot sign in with ${leaving?.label ?? ''} any more. You can link it again.`
        }
        confirmLabel="Unlink"
        destructive
        loading={unlinking.isPending}
        focusAfter={list}
        onConfirm={() => leaving && unlinking.mutate(leaving.id, { onSuccess: () => setLeaving(null) })}
      />
    </AccountSection>
  );
}
