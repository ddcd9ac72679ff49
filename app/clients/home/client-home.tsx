import { useQuery } from '@tanstack/react-query';
import { Card } from '../../ui/card.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { homeQuery } from '../client-home.ts';
import type { Client } from '../clients.ts';
import { ClientProgress } from '../figures/client-progress.tsx';
import type { OpenTab } from '../open-tab.ts';
import { NextCall } from './next-call.tsx';
import { PendingList } from './pending-list.tsx';
import { RecentChanges } from './recent-changes.tsx';

interface ClientHomeProps {
  client: Client;
  openTab: OpenTab;
  isImpersonated: boolean;
  /** True if the user can act on pending items. */
  isApprover: boolean;
}

/**
 * Start screen of the portal with pending items, progress, next call and recent changes. Fits on a phone without
 * scrolling.
 */
export function ClientHome({ client, openTab, isImpersonated, isApprover }: ClientHomeProps) {
  const { data: home, error, isPending, refetch } = useQuery(homeQuery(client.id));
  return (
    <div className="grid grid-cols-1 gap-3 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)] lg:gap-4">
      <div className="grid grid-cols-1 content-start gap-3 lg:gap-4">
        {isPending && <Skeleton className="h-24 rounded-lg" />}
        {error && <LoadError error={error} onRetry={() => void refetch()} />}
        {home && <PendingList {...{ client, home, openTab, isImpersonated, isApprover }} />}
        <ClientProgress client={client} isImpersonated={isImpersonated} />
      </div>
      {/* Aligned with the list below the first heading. */}
      <Card className="grid grid-cols-1 content-start divide-y divide-line px-4 lg:mt-8.5">
        {home && <NextCall startsAt={home.next_call} isImpersonated={isImpersonated} />}
        <RecentChanges client={client} />
      </Card>
    </div>
  );
}
