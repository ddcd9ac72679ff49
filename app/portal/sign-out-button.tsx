import { LogOut } from 'lucide-react';
import { useState } from 'react';
import type { Account } from '../accounts/session.ts';
import { hasUnsavedWork } from '../accounts/session-end.ts';
import { useSignOut } from '../accounts/use-sign-out.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';

export function SignOutButton({ account }: { account: Account }) {
  const signOut = useSignOut(account);
  const [isDialogOpen, setDialogOpen] = useState(false);
  const leave = async () => {
    if (await hasUnsavedWork(account)) setDialogOpen(true);
    else signOut.mutate();
  };
  return (
    <>
      <Button variant="secondary" loading={signOut.isPending} onClick={() => void leave()} icon={LogOut}>
        Sign Out
      </Button>
      <ConfirmDialog
        open={isDialogOpen}
        onOpenChange={setDialogOpen}
        title="Sign out without saving?"
        description="You have unsaved changes in the admin area. They are stored in this browser only and are deleted when you sign out."
        confirmLabel="Sign out"
        cancelLabel="Stay"
        destructive
        loading={signOut.isPending}
        onConfirm={() => signOut.mutate()}
      />
    </>
  );
}
