import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { channelLabel, phaseLabel } from '../clients/clients.ts';
import { groupByPhase, projectsQuery } from '../clients/team-overview.ts';
import { Card } from '../ui/card.tsx';
import { formatDate } from '../ui/lib/format-date.ts';
import { dayOf, visitorZone } from '../ui/lib/zoned-times.ts';
import { LoadError } from '../ui/load-error.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

/** Lists all assigned clients' campaigns by phase, earliest due date first. */
export default function TeamProjects() {
  const { data: campaigns, error, isPending, refetch } = useQuery(projectsQuery);
  const [today] = useState(() => dayOf(new Date().toISOString(), visitorZone()));
  return (
    <section aria-labelledby="projects" className="grid grid-cols-1 gap-2.5">
      <h2 id="projects" tabIndex={-1} className="scroll-mt-24 text-lg font-semibold">
        Projects
      </h2>
      {isPending && <Skeleton className="h-28 rounded-lg" />}
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {campaigns?.length === 0 && <p className="text-muted">No campaigns are in progress.</p>}
      {campaigns && campaigns.length > 0 && (
        <div className="grid grid-cols-1 gap-4 *:only:col-span-full md:grid-cols-2">
          {groupByPhase(campaigns).map(({ phase, campaigns: phaseCampaigns }) => (
            <Card key={phase} className="grid grid-cols-1 content-start gap-1 px-4 pt-4 pb-2 sm:px-5">
              <h3 className="flex items-baseline gap-2 font-semibold">
                {phaseLabel(phase)}
                <span className="font-mono text-label text-muted">{phaseCampaigns.length}</span>
              </h3>
              <ul className="grid grid-cols-1 divide-y divide-line">
                {phaseCampaigns.map(({ id, client_id, name, channel, next_step, due_on, clients }) => (
                  <li key={id} className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 py-2.5 text-[0.9375rem]">
                    <Link
                      to="/team-dashboard/clients/$id"
                      params={{ id: client_id }}
                      className="w-fit max-w-full underline decoration-line-strong underline-offset-4 [overflow-wrap:anywhere] hover:decoration-current"
                    >
                      {name}
                    </Link>
                    {due_on && (
                      <time dateTime={due_on} className={due_on < today ? 'text-warning' : 'text-muted'}>
                        {due_on < today ? `was due ${formatDate(due_on)}` : formatDate(due_on)}
                      </time>
                    )}
                    <p className="col-span-2 text-sm text-muted [overflow-wrap:anywhere]">
                      {[clients.name, channelLabel(channel), next_step].filter(Boolean).join(' · ')}
                    </p>
                  </li>
                ))}
              </ul>
            </Card>
          ))}
        </div>
      )}
    </section>
  );
}
