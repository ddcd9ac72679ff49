import { Link } from '@tanstack/react-router';
import type { Account } from '../accounts/session.ts';
import { Badge } from '../ui/badge.tsx';
import { buttonClass } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';

const ROLE_NAMES = { client: 'Client', team: 'Team Member', admin: 'Admin' };

/** Shows the email address and role of the signed-in user, with a link to the account page. */
export function AccountCard({ account }: { account: Account }) {
  return (
    <Card className="flex flex-wrap items-center gap-x-4 gap-y-1.5 px-4 py-3.5 sm:px-5">
      <h2 className="font-semibold max-sm:w-full">Account details</h2>
      <dl className="flex min-w-0 grow flex-wrap items-center gap-x-4 gap-y-1.5 text-[0.9375rem]">
        <dt className="sr-only">Email</dt>
        <dd className="wrap-anywhere">{account.email}</dd>
        <dt className="sr-only">Role</dt>
        <dd>
          <Badge tone="accent">{account.role ? ROLE_NAMES[account.role] : 'None'}</Badge>
        </dd>
      </dl>
      <Link to="/account" className={buttonClass({ variant: 'link' }, 'max-sm:mt-1.5')}>
        Manage account
      </Link>
    </Card>
  );
}
