import { LogOut } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import type { Account } from '../accounts/session.ts';
import { hasUnsavedWork } from '../accounts/session-end.ts';
import { useSignOut } from '../accounts/use-sign-out.ts';
import { Button, COMPACT_LABEL_CLASS } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';

interface SignOutButtonProps extends Pick<ComponentProps<typeof Button>, 'variant' | 'className'> {
  account: Account;
}

export function SignOutButton({ account, variant = 'secondary', className }: SignOutButtonProps) {
  const signOut = useSignOut(account);
  const [isDialogOpen, setDialogOpen] = useState(false);
  const confirmOrSignOut = async () => {
    if (await hasUnsavedWork(account)) setDialogOpen(true);
    else signOut.mutate();
  };
  return (
    <>
      <Button
        variant={variant}
        className={className}
        loading={signOut.isPending}
        onClick={() => void confirmOrSignOut()}
        icon={LogOut}
      >
        <span className={COMPACT_LABEL_CLASS}>Sign Out</span>
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
