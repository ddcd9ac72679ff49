import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { supportsWebAuthn } from '../../../ui/lib/webauthn-support.ts';
import { useMutationWithToasts } from '../../../ui/use-mutation-with-toasts.ts';
import { addPasskey, passkeysQuery, removePasskey, renamePasskey } from '../../passkeys.ts';
import { AccountSection } from '../account-section.tsx';
import { ROWS_CLASS, Row, RowButton, RowsPlaceholder } from '../rows.tsx';
import { NameDialog } from './name-dialog.tsx';

const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' });

interface NamedPasskey {
  id: string;
  name: string;
}

/** Lets the user add, rename and remove passkeys. Hidden in browsers and at addresses without passkeys. */
export function Passkeys() {
  const queryClient = useQueryClient();
  const query = useQuery(passkeysQuery);
  const { data } = query;
  const [isAdding, setIsAdding] = useState(false);
  const [passkeyToRename, setPasskeyToRename] = useState<NamedPasskey | null>(null);
  const [passkeyToRemove, setPasskeyToRemove] = useState<NamedPasskey | null>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const refetchPasskeys = () => queryClient.invalidateQueries({ queryKey: passkeysQuery.queryKey });
  const remove = useMutationWithToasts(
    { mutationFn: removePasskey, onSettled: refetchPasskeys },
    { success: 'Passkey removed', failure: 'Could not remove the passkey' },
  );

  if (!supportsWebAuthn() && !data?.length) return null;
  return (
    <AccountSection
      title="Passkeys"
      description="Sign in with your fingerprint, face or device PIN instead of a password."
    >
      <RowsPlaceholder subject="The passkeys" query={query} />
      {data && data.length > 0 && (
        <ul className={ROWS_CLASS}>
          {data.map((passkey) => (
            <Row key={passkey.id} title={passkey.name} detail={describeUse(passkey)}>
              <RowButton action="Rename" name={passkey.name} onClick={() => setPasskeyToRename(passkey)} />
              <RowButton action="Remove" name={passkey.name} onClick={() => setPasskeyToRemove(passkey)} />
            </Row>
          ))}
        </ul>
      )}
      {supportsWebAuthn() && (
        <Button ref={addButton} variant="secondary" className="justify-self-start" onClick={() => setIsAdding(true)}>
          Add a passkey
        </Button>
      )}
      {isAdding && (
        <NameDialog
          title="Add a passkey"
          description="Enter a name, then follow your browser. It asks for your fingerprint, face or PIN."
          suggestion="Passkey"
          submitLabel="Continue"
          success="Passkey added"
          failure="Could not add the passkey"
          save={addPasskey}
          onSaved={refetchPasskeys}
          onClose={() => setIsAdding(false)}
        />
      )}
      {passkeyToRename && (
        <NameDialog
          title="Rename this passkey"
          description="The name helps you remember which device the passkey is on."
          suggestion={passkeyToRename.name}
          submitLabel="Save"
          success="Passkey renamed"
          failure="Could not rename the passkey"
          save={(name) => renamePasskey({ id: passkeyToRename.id, name })}
          onSaved={refetchPasskeys}
          onClose={() => setPasskeyToRename(null)}
        />
      )}
      <ConfirmDialog
        open={passkeyToRemove !== null}
        onOpenChange={(open) => !open && setPasskeyToRemove(null)}
        focusAfter={addButton}
        title="Remove this passkey?"
        description={`You can no longer sign in here with "${passkeyToRemove?.name}". The passkey remains on your device until you delete it there.`}
        confirmLabel="Remove"
        destructive
        loading={remove.isPending}
        onConfirm={() =>
          passkeyToRemove && remove.mutate(passkeyToRemove.id, { onSuccess: () => setPasskeyToRemove(null) })
        }
      />
    </AccountSection>
  );
}

function describeUse({ createdAt, lastUsedAt }: { createdAt: string; lastUsedAt: string | undefined }): string {
  const used = lastUsedAt ? `last used ${date.format(new Date(lastUsedAt))}` : 'not used yet';
  return `Added ${date.format(new Date(createdAt))}, ${used}`;
}
