import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { hasFactorQuery } from '../../data/own-account.ts';
import type { Account } from '../../data/session.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { AccountSection } from './account-section.tsx';
import { ProofByCode, ProofByFactor, ProofByPassword } from './deletion-proofs.tsx';
import { useDeleting } from './use-deleting.ts';

interface DeleteAccountProps {
  account: Account;
  /** Whether the person signed in with a password, and so has one. */
  hasPassword: boolean;
}

/** The way out, which asks who is there: by the second factor, else by the password, else by a mailed code. */
export function DeleteAccount({ account, hasPassword }: DeleteAccountProps) {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <AccountSection
      title="Delete your account"
      description="Your account goes with everything that names it, and you are signed out everywhere. This cannot be undone."
    >
      <Button variant="danger" className="justify-self-start" onClick={() => setIsAsking(true)}>
        Delete my account
      </Button>
      {isAsking && <DeletionDialog account={account} hasPassword={hasPassword} onClose={() => setIsAsking(false)} />}
    </AccountSection>
  );
}

function DeletionDialog({ account, hasPassword, onClose }: DeleteAccountProps & { onClose: () => void }) {
  const hasFactor = useQuery(hasFactorQuery);
  const [byCode, setByCode] = useState(!hasPassword);
  const deleting = useDeleting(account);
  const proof = { account, deleting };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Delete your account?"
      description={`The account ${account.email} is deleted for good, with your sessions and your role. Show that it is you.`}
    >
      {hasFactor.isPending && (
        <p role="status" className="text-muted">
          Loading...
        </p>
      )}
      {hasFactor.data === true && <ProofByFactor {...proof} />}
      {hasFactor.data !== true && !hasFactor.isPending && byCode && <ProofByCode {...proof} />}
      {hasFactor.data !== true && !hasFactor.isPending && !byCode && (
        <div className="grid gap-4">
          <ProofByPassword {...proof} />
          <p className="text-sm text-muted">
            Chats that contain your address go too when a mail shows that it is yours.{' '}
            <Button variant="link" onClick={() => setByCode(true)}>
              Use a code by mail
            </Button>
          </p>
        </div>
      )}
    </Dialog>
  );
}
