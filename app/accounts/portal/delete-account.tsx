import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { SecondFactorForm } from '../factors/second-factor-form.tsx';
import { factorsQuery } from '../factors.ts';
import type { Account } from '../session.ts';
import { AccountSection } from './account-section.tsx';
import { DeleteNow, ProofByCode, ProofByPassword, ProofBySignIn } from './deletion-proofs.tsx';
import { useDeleteAccount } from './use-delete-account.ts';

interface DeleteAccountProps {
  account: Account;
  /** True if the user signed in with a password. */
  hasPassword: boolean;
}

/** Account deletion. Asks for proof of identity: a second factor, the password or an emailed code, in this order. */
export function DeleteAccount({ account, hasPassword }: DeleteAccountProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <AccountSection
      title="Delete this account"
      description="Deletes the account and all data linked to it, and signs you out everywhere. This cannot be undone."
    >
      <Button variant="danger-outline" className="justify-self-start" onClick={() => setOpen(true)}>
        Delete my account
      </Button>
      {isOpen && <DeletionDialog account={account} hasPassword={hasPassword} onClose={() => setOpen(false)} />}
    </AccountSection>
  );
}

function DeletionDialog({ account, hasPassword, onClose }: DeleteAccountProps & { onClose: () => void }) {
  const deletion = useDeleteAccount(account);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Delete your account?"
      description={`${account.email || 'Your account'} will be permanently deleted, with your sessions and your role. Confirm your identity first.`}
    >
      <Proof account={account} hasPassword={hasPassword} deletion={deletion} />
    </Dialog>
  );
}

function Proof({
  account,
  hasPassword,
  deletion,
}: DeleteAccountProps & { deletion: ReturnType<typeof useDeleteAccount> }) {
  const factors = useQuery({ ...factorsQuery, staleTime: 0 });
  const [usesCode, setUsesCode] = useState(!hasPassword);
  const [isVerified, setIsVerified] = useState(false);
  const [isMountedLater] = useState(!factors.data);
  if (isVerified) return <DeleteNow deletion={deletion} />;
  if (factors.error) return <LoadError error={factors.error} onRetry={() => void factors.refetch()} />;
  if (!factors.data) {
    return (
      <p role="status" className="text-muted">
        Loading...
      </p>
    );
  }
  if (factors.data.factors.length > 0) {
    return <SecondFactorForm onVerified={() => setIsVerified(true)} />;
  }
  if (!account.email) return <ProofBySignIn deletion={deletion} />;
  if (usesCode) return <ProofByCode account={account} deletion={deletion} />;
  return (
    <div className="grid gap-4">
      <ProofByPassword account={account} deletion={deletion} isMountedLater={isMountedLater} />
      <p className="text-sm text-muted">
        To also delete chats that contain your address, confirm with an emailed code.{' '}
        <Button variant="link" onClick={() => setUsesCode(true)}>
          Use an emailed code
        </Button>
      </p>
    </div>
  );
}
