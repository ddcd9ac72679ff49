import { useQuery } from '@tanstack/react-query';
import { MEMBERSHIP_POLL_MS } from '../accounts/use-client-membership.ts';
import { Card } from '../ui/card.tsx';
import { LoadError } from '../ui/load-error.tsx';
import { ClientFacts } from './client-facts.tsx';
import type { Client } from './clients.ts';
import { overviewQuery } from './team-overview.ts';

/** Header of the team's client page, with the status of the client. Short, so that the tabs are on the first screen. */
export function ClientHead({ client }: { client: Client }) {
  const overview = useQuery({ ...overviewQuery, refetchInterval: MEMBERSHIP_POLL_MS });
  return (
    <section aria-label={`Status, ${client.name}`} className="grid grid-cols-1 gap-3">
      {overview.error && <LoadError error={overview.error} onRetry={() => void overview.refetch()} />}
      <Card className="overflow-hidden">
        <ClientFacts client={client} overview={overview} isLarge />
      </Card>
    </section>
  );
}
