import { useQuery } from '@tanstack/react-query';
import { MEMBERSHIP_POLL_MS } from '../accounts/use-client-membership.ts';
import { Card } from '../ui/card.tsx';
import { LoadError } from '../ui/load-error.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { ClientFacts } from './client-facts.tsx';
import type { Client } from './clients.ts';
import { ProgressTiles, useProgress } from './figures/client-progress.tsx';
import { formatPeriod } from './figures/progress.ts';
import { overviewQuery } from './team-overview.ts';

/** Header of the team's client page, with the status and the figures of the latest week. */
export function ClientHead({ client }: { client: Client }) {
  const overview = useQuery({ ...overviewQuery, refetchInterval: MEMBERSHIP_POLL_MS });
  const { query, now, week, title } = useProgress(client);
  const failed = [overview, query].find(({ error }) => error);
  return (
    <section aria-label={`Status, ${client.name}`} className="grid grid-cols-1 gap-3">
      {failed?.error && <LoadError error={failed.error} onRetry={() => void failed.refetch()} />}
      <Card className="grid grid-cols-1 divide-y divide-line overflow-hidden">
        <ClientFacts client={client} overview={overview} isLarge />
        {query.isPending && client.campaigns.length > 0 && <Skeleton className="h-56 rounded-none lg:h-31" />}
        {query.data && week && (
          <div>
            <p className="border-b border-line px-4 py-2 font-mono text-label text-muted">
              {title}, {formatPeriod(week)}
            </p>
            <ProgressTiles client={client} sums={query.data} now={now} week={week} title={title} />
          </div>
        )}
      </Card>
    </section>
  );
}
