import { LogOut } from 'lucide-react';
import { useSignOut } from '../data/use-sign-out.ts';
import { Button } from '../ui/button.tsx';

export function SignOutButton() {
  const signOut = useSignOut();
  return (
    <Button variant="secondary" loading={signOut.isPending} onClick={() => signOut.mutate()}>
      {!signOut.isPending && <LogOut aria-hidden="true" />}
      Sign Out
    </Button>
  );
}
