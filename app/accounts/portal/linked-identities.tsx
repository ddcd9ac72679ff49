import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { consumeRedirectError } from '../../ui/lib/redirect-error.ts';
import { ProviderMark } from '../../ui/provider-mark.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import type { SignInMethods } from '../enabled-sign-in-methods.ts';
import { identitiesQuery, type LinkedIdentity, linkMutation, unlinkMutation } from '../sign-in-methods.ts';
import { AccountSection } from './account-section.tsx';
import { ROWS_CLASS, Row, RowButton, RowsPlaceholder } from './rows.tsx';

/** Lets the user link and unlink sign-in providers. */
export function LinkedIdentities({ methods }: { methods: SignInMethods }) {
  const query = useQuery(identitiesQuery);
  const { data: identities } = query;
  // The redirect from a provider may contain an error.
  const [redirectError] = useState(consumeRedirectError);
  const [identityToUnlink, setIdentityToUnlink] = useState<LinkedIdentity | null>(null);
  const list = useRef<HTMLUListElement>(null);
  const linkProvider = useMutationWithToasts(linkMutation, { failure: 'Could not link the provider' });
  const unlinkProvider = useMutationWithToasts(unlinkMutation, {
    success: 'Unlinked',
    failure: 'Could not unlink the provider',
  });
  const linkable = methods.providers.filter(({ name }) => !identities?.some(({ provider }) => provider === name));

  return (
    <AccountSection title="Sign-in methods" description="Link a provider to sign in without a password.">
      {redirectError && <ErrorNote title="Could not link the provider">{redirectError}</ErrorNote>}
      <RowsPlaceholder subject="The sign-in methods" query={query} />
      {identities && (
        <ul ref={list} tabIndex={-1} className={ROWS_CLASS}>
          {identities.map((identity) => (
            <Row
              key={identity.id}
              icon={<ProviderMark name={identity.provider} />}
              title={identity.label}
              detail={identity.accountName}
            >
              {identities.length > 1 && (
                <RowButton action="Unlink" name={identity.label} onClick={() => setIdentityToUnlink(identity)} />
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
              loading={linkProvider.variables === name && (linkProvider.isPending || linkProvider.isSuccess)}
              onClick={() => linkProvider.mutate(name)}
            >
              <ProviderMark name={name} />
              <span className="truncate">Link {label}</span>
            </Button>
          ))}
        </div>
      )}
      <ConfirmDialog
        open={identityToUnlink !== null}
        onOpenChange={(open) => !open && setIdentityToUnlink(null)}
        title={`Unlink ${identityToUnlink?.label ?? ''}?`}
        description={
          identityToUnlink?.provider === 'email'
            ? 'Your password stops working. You can use the remaining sign-in methods.'
            : `You can no longer sign in with ${identityToUnlink?.label ?? ''}. You can link it again later.`
        }
        confirmLabel="Unlink"
        destructive
        loading={unlinkProvider.isPending}
        focusAfter={list}
        onConfirm={() =>
          identityToUnlink && unlinkProvider.mutate(identityToUnlink.id, { onSuccess: () => setIdentityToUnlink(null) })
        }
      />
    </AccountSection>
  );
}
