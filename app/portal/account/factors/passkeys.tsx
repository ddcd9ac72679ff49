import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { addPasskey, passkeysQuery, removePasskey, renamePasskey } from '../../../data/accounts/passkeys.ts';
import { supportsWebAuthn } from '../../../lib/webauthn-support.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { useMutationWithToasts } from '../../../ui/use-mutation-with-toasts.ts';
import { AccountSection } from '../account-section.tsx';
import { NameDialog } from './name-dialog.tsx';
import { LoadingRows, NotLoaded } from './rows.tsx';

const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' });

interface Named {
  id: string;
  name: string;
}

/** Keys that sign the person in instead of the password. */
export function Passkeys() {
  const queryClient = useQueryClient();
  const { data, error, refetch } = useQuery(passkeysQuery);
  const [isAdding, setIsAdding] = useState(false);
  const [renaming, setRenaming] = useState<Named | null>(null);
  const [removing, setRemoving] = useState<Named | null>(null);
  const heading = useRef<HTMLButtonElement>(null);
  const changed = () => queryClient.invalidateQueries({ queryKey: passkeysQuery.queryKey });
  const remove = useMutationWithToasts(
    { mutationFn: removePasskey, onSettled: changed, onSuccess: () => setRemoving(null) },
    { success: 'Passkey removed', failure: 'The passkey was not removed' },
  );

  return (
    <AccountSection
      title="Passkeys"
      description="Sign in with your fingerprint, your face or the PIN of your device instead of the password."
    >
      {error && <NotLoaded what="The passkeys" onRetry={() => void refetch()} />}
      {!data && !error && <LoadingRows />}
      {data && data.length > 0 && (
        <ul className="grid divide-y divide-line">
          {data.map((passkey) => (
            <li key={passkey.id} className="flex flex-wrap items-center justify-between gap-3 py-3">
              <div className="min-w-0 flex-1 basis-48">
                <p className="font-medium [overflow-wrap:anywhere]">{passkey.name}</p>
                <p className="text-sm text-muted">
                  Added {date.format(new Date(passkey.createdAt))}
                  {passkey.lastUsedAt ? `, last used ${date.format(new Date(passkey.lastUsedAt))}` : ', not used yet'}
                </p>
              </div>
              <div className="flex flex-wrap gap-2">
                <Button
                  variant="secondary"
                  size="sm"
                  aria-label={`Rename ${passkey.name}`}
                  onClick={() => setRenaming(passkey)}
                >
                  Rename
                </Button>
                <Button
                  variant="secondary"
                  size="sm"
                  aria-label={`Remove ${passkey.name}`}
                  onClick={() => setRemoving(passkey)}
                >
                  Remove
                </Button>
              </div>
            </li>
          ))}
        </ul>
      )}
      {supportsWebAuthn() ? (
        <Button ref={heading} variant="secondary" className="justify-self-start" onClick={() => setIsAdding(true)}>
          Add a passkey
        </Button>
      ) : (
        <p className="text-muted">This browser, or this address of the site, cannot use passkeys.</p>
      )}
      {isAdding && (
        <NameDialog
          title="Add a passkey"
          description="Give it a name, then follow your browser: it asks for your fingerprint, face or PIN."
          suggestion="Passkey"
          submitLabel="Continue"
          success="Passkey added"
          failure="The passkey was not added"
          save={addPasskey}
          onSaved={changed}
          onClose={() => setIsAdding(false)}
        />
      )}
      {renaming && (
        <NameDialog
          title="Rename this passkey"
          description="So that you know which device it is on."
          suggestion={renaming.name}
          submitLabel="Save"
          success="Passkey renamed"
          failure="The passkey was not renamed"
          save={(name) => renamePasskey({ id: renaming.id, name })}
          onSaved={changed}
          onClose={() => setRenaming(null)}
        />
      )}
      <ConfirmDialog
        open={removing !== null}
        onOpenChange={(open) => !open && setRemoving(null)}
        focusAfter={heading}
        title="Remove this passkey?"
        description={`"${removing?.name}" no longer signs you in here. It stays on your device until you delete it there.`}
        confirmLabel="Remove"
        destructive
        loading={remove.isPending}
        onConfirm={() => removing && remove.mutate(removing.id)}
      />
    </AccountSection>
  );
}
