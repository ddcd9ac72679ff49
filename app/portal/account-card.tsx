import { Link } from '@tanstack/react-router';
import type { Account } from '../accounts/session.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Badge } from '../ui/badge.tsx';
import { Card } from '../ui/card.tsx';

const ROLE_NAMES = { client: 'Client', team: 'Team Member', admin: 'Admin' };

/** The signed-in user's email and role, with a link to the account page. */
export function AccountCard({ account }: { account: Account }) {
  return (
    <Card className="grid content-start gap-5 p-6">
      <div className="flex items-center gap-4">
        <Avatar name={account.name || account.email} className="size-12 rounded-full" />
        <h2 className="text-lg font-semibold">Account details</h2>
      </div>
      <dl className="grid gap-4 text-[0.9375rem]">
        <div>
          <dt className="font-mono text-label text-muted uppercase">Email</dt>
          <dd className="[overflow-wrap:anywhere]">{account.email}</dd>
        </div>
        <div>
          <dt className="font-mono text-label text-muted uppercase">Role</dt>
          <dd className="mt-1">
            <Badge tone="accent">{account.role ? ROLE_NAMES[account.role] : 'None'}</Badge>
          </dd>
        </div>
      </dl>
      <Link to="/account" className="w-fit text-accent underline decoration-line-strong underline-offset-4">
        Manage account
      </Link>
    </Card>
  );
}
