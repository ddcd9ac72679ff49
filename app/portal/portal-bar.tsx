import { useQuery } from '@tanstack/react-query';
import { Link, useLocation, useNavigate, useSearch } from '@tanstack/react-router';
import { CircleUserRound } from 'lucide-react';
import { type Account, accountQuery, getStartPage } from '../accounts/session.ts';
import { MEMBERSHIP_POLL_MS } from '../accounts/use-client-membership.ts';
import { clientNamesQuery } from '../clients/clients.ts';
import { ClientLogo } from '../clients/reports/client-logo.tsx';
import { ThemeToggle } from '../settings/theme/theme-toggle.tsx';
import { buttonClass } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Select } from '../ui/select.tsx';
import { Tooltip } from '../ui/tooltip.tsx';
import { SignOutButton } from './sign-out-button.tsx';

/** Bar of signed-in pages with the client or area, the account link and the sign-out button. */
export default function PortalBar() {
  // The route loads the account, and this query only reads it from the cache.
  const { data: account } = useQuery({ ...accountQuery, enabled: false });
  return (
    <div data-compact data-portal-bar className="flex min-w-0 grow items-center justify-between gap-3">
      <div className="flex min-w-0 items-center gap-3 border-line sm:border-l sm:pl-4">
        {account && (account.hasClient && account.role === 'client' ? <ClientName /> : <AreaLink account={account} />)}
      </div>
      <div className="-mr-2.5 flex shrink-0 items-center">
        <ThemeToggle />
        <Tooltip label="Account">
          <Link to="/account" aria-label="Account" className={buttonClass({ variant: 'ghost', size: 'icon' })}>
            <CircleUserRound aria-hidden="true" />
          </Link>
        </Tooltip>
        {account && <SignOutButton account={account} variant="ghost" className="px-3!" />}
      </div>
    </div>
  );
}

/** Link to the start page of a user without a client. */
function AreaLink({ account }: { account: Account }) {
  const name = account.role === 'admin' ? 'Admin area' : account.role === 'team' ? 'Team' : 'Client portal';
  return (
    <Link to={getStartPage(account)} className={NAME_CLASS}>
      {name}
    </Link>
  );
}

const NAME_CLASS = 'inline-flex min-h-11 min-w-0 items-center truncate rounded-sm font-semibold';

/** Shows the selected client's name and logo, or a select if the user has several clients. */
function ClientName() {
  const { data: names = [] } = useQuery({ ...clientNamesQuery, staleTime: MEMBERSHIP_POLL_MS });
  const { client: selectedId } = useSearch({ strict: false });
  const isDashboard = useLocation({ select: ({ pathname }) => pathname === '/client-dashboard' });
  const navigate = useNavigate();
  const client = names.find(({ id }) => id === selectedId) ?? names[0];
  if (!client) return null;
  if (names.length > 1 && isDashboard) {
    return (
      <>
        <ClientLogo logo={client.logo} className="shrink-0 max-sm:hidden" />
        <Field label="Client" labelHidden className="min-w-0 sm:w-64">
          <Select
            value={client.id}
            onChange={({ target }) =>
              void navigate({ to: '.', search: (previous) => ({ ...previous, client: target.value }), replace: true })
            }
          >
            {names.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
      </>
    );
  }
  return (
    <>
      {names.length === 1 && <ClientLogo logo={client.logo} className="shrink-0 max-sm:h-9 max-sm:max-w-16" />}
      <Link to="/client-dashboard" className={NAME_CLASS}>
        <span className="truncate">{names.length > 1 ? 'Your clients' : client.name}</span>
      </Link>
    </>
  );
}
