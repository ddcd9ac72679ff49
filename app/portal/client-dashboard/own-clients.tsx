import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { useEffect, useEffectEvent } from 'react';
import type { Account } from '../../accounts/account.ts';
import { addressProofQuery } from '../../accounts/address-proof.ts';
import { ConfirmAddress } from '../../accounts/portal/confirm-address.tsx';
import { MEMBERSHIP_POLL_MS } from '../../accounts/use-client-membership.ts';
import { membershipQuery } from '../../clients/client-people.ts';
import { ClientSections } from '../../clients/client-sections.tsx';
import { clientNamesQuery, clientQuery } from '../../clients/clients.ts';
import { MembershipSettings } from '../../clients/membership-settings.tsx';
import { ClientLogo } from '../../clients/reports/client-logo.tsx';
import { Field } from '../../ui/field.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { Select } from '../../ui/select.tsx';
import { ClientLoading } from './client-loading.tsx';

interface OwnClientsProps {
  account: Account;
  /** Id of the selected client. Defaults to the first. */
  selectedId: string | undefined;
}

/** Portal of the selected client, with a switcher if the user belongs to several. */
export default function OwnClients({ account, selectedId }: OwnClientsProps) {
  const {
    data: names,
    error,
    isPending,
    refetch,
  } = useQuery({ ...clientNamesQuery, refetchInterval: MEMBERSHIP_POLL_MS });
  const navigate = useNavigate();
  if (isPending) return <ClientLoading />;
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  const client = names.find(({ id }) => id === selectedId) ?? names[0];
  if (!client) return <PendingInvitation email={account.email} onActivated={() => void refetch()} />;
  return (
    <section aria-labelledby="client" className="grid grid-cols-1 gap-3 sm:gap-4">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <div className="flex min-w-0 items-center gap-3">
          <ClientLogo logo={client.logo} className={clsx('max-sm:h-9', names.length > 1 && 'max-sm:hidden')} />
          {/* On phones the switcher shows the name. */}
          <h2
            id="client"
            className={clsx('min-w-0 text-display-3 [overflow-wrap:anywhere]', names.length > 1 && 'max-sm:sr-only')}
          >
            {client.name}
          </h2>
        </div>
        {names.length > 1 && (
          <Field label="Client" labelHidden className="w-full sm:w-64">
            <Select
              value={client.id}
              onChange={({ target }) => void navigate({ to: '.', search: { client: target.value }, replace: true })}
            >
              {names.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Select>
          </Field>
        )}
      </div>
      <ClientPortal key={client.id} id={client.id} userId={account.id} />
    </section>
  );
}

function ClientPortal({ id, userId }: { id: string; userId: string }) {
  const client = useQuery(clientQuery(id));
  const membership = useQuery({ ...membershipQuery(id, userId), refetchInterval: MEMBERSHIP_POLL_MS });
  const queries = [client, membership];
  const failure = queries.find(({ error }) => error)?.error;
  const retry = () => Promise.all(queries.map(({ refetch }) => refetch()));
  if (failure) return <LoadError error={failure} onRetry={() => void retry()} />;
  if (!client.data || !membership.data) return <ClientLoading />;
  return (
    <>
      <ClientSections client={client.data} isApprover={membership.data.kind === 'approver'} />
      <MembershipSettings clientId={id} {...membership.data} />
    </>
  );
}

interface PendingInvitationProps {
  email: string;
  /** Called after the address is verified, which activates pending invitations. */
  onActivated: () => void;
}

/** Asks an invited user to verify their address. Renders nothing for a user who was removed from the client. */
function PendingInvitation({ email, onActivated }: PendingInvitationProps) {
  const { data: isConfirmed } = useQuery(addressProofQuery);
  const onConfirmed = useEffectEvent(onActivated);
  useEffect(() => {
    if (isConfirmed) onConfirmed();
  }, [isConfirmed]);
  return (
    <ConfirmAddress
      email={email}
      reason="You are invited to this client’s campaigns. Confirm your email address to open them."
    />
  );
}
