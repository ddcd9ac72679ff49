import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { LogOut } from 'lucide-react';
import { useState } from 'react';
import { signOut } from '../data/session.ts';
import { Button } from '../ui/button.tsx';

export function SignOutButton() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [leaving, setLeaving] = useState(false);

  async function leave() {
    setLeaving(true);
    await signOut(queryClient);
    await navigate({ to: '/' });
  }

  return (
    <Button variant="secondary" loading={leaving} onClick={() => void leave()}>
      {!leaving && <LogOut aria-hidden="true" />}
      Sign Out
    </Button>
  );
}
