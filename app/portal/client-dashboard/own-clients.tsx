import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import type { Account } from '../../accounts/account.ts';
import { addressConfirmationQuery } from '../../accounts/address-confirmation.ts';
import { ConfirmAddress } from '../../accounts/portal/confirm-address.tsx';
import { MEMBERSHIP_POLL_MS } from '../../accounts/use-client-membership.ts';
import { membershipQuery } from '../../clients/client-people.ts';
import { ClientSections } from '../../clients/client-sections.tsx';
import { clientNamesQuery, clientQuery } from '../../clients/clients.ts';
import { MembershipSettings } from '../../clients/membership-settings.tsx';
import { useOpenTab } from '../../clients/open-tab.ts';
import { LoadError } from '../../ui/load-error.tsx';
import { ClientLoading } from './client-loading.tsx';

interface OwnClientsProps {
  account: Account;
  /** ID of the selected client. Defaults to the first client. */
  selectedId: string | undefined;
}

/** Portal of the selected client. */
export default function OwnClients({ account, selectedId }: OwnClientsProps) {
  const {
    data: names,
    error,
    isPending,
    refetch,
  } = useQuery({ ...clientNamesQuery, staleTime: MEMBERSHIP_POLL_MS, refetchInterval: MEMBERSHIP_POLL_MS });
  if (isPending) return <ClientLoading />;
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  const client = names.find(({ id }) => id === selectedId) ?? names[0];
  if (!client) return <PendingInvitation email={account.email} onActivated={() => void refetch()} />;
  return (
    <section aria-labelledby="client" className="grid grid-cols-1 gap-3 sm:gap-4">
      {/* The bar already shows the name, so the heading is for screen readers only. */}
      <h2 id="client" className="sr-only">
        {client.name}
      </h2>
      <ClientPortal key={client.id} id={client.id} userId={account.id} />
    </section>
  );
}

function ClientPortal({ id, userId }: { id: string; userId: string }) {
  const openTab = useOpenTab();
  const client = useQuery(clientQuery(id));
  const membership = useQuery({ ...membershipQuery(id, userId), refetchInterval: MEMBERSHIP_POLL_MS });
  const queries = [client, membership];
  const failure = queries.find(({ error }) => error)?.error;
  const retry = () => Promise.all(queries.map(({ refetch }) => refetch()));
  if (failure) return <LoadError error={failure} onRetry={() => void retry()} />;
  if (!client.data || !membership.data) return <ClientLoading />;
  return (
    <ClientSections
      client={client.data}
      openTab={openTab}
      isApprover={membership.data.kind === 'approver'}
      settings={<MembershipSettings clientId={id} {...membership.data} />}
    />
  );
}

interface PendingInvitationProps {
  email: string;
  /** Called after the address is verified, which activates pending invitations. */
  onActivated: () => void;
}

/**
 * Asks an invited user to verify their address. Renders nothing if the address is verified, for example after the
 * user was removed from the client.
 */
function PendingInvitation({ email, onActivated }: PendingInvitationProps) {
  const { data: isConfirmed } = useQuery(addressConfirmationQuery);
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
