import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import type { Client } from '../clients.ts';
import { AddSourceDialog } from './add-source-dialog.tsx';
import { SourceRow } from './source-row.tsx';
import { sourcesQuery } from './sources.ts';

interface SourcesProps {
  client: Pick<Client, 'id' | 'name' | 'campaigns'>;
  headingLevel: 2 | 4;
}

/** Lists the webhooks that receive a client's campaign events. */
export function Sources({ client, headingLevel }: SourcesProps) {
  const Heading = `h${headingLevel}` as const;
  const [isAdding, setAdding] = useState(false);
  const { data: sources, error, isPending, refetch } = useQuery(sourcesQuery(client.id));
  const campaignsWithoutSource = client.campaigns.filter(
    ({ id }) => !sources?.some(({ campaign_id, ends_on }) => campaign_id === id && ends_on === null),
  );
  return (
    <section aria-label={`Event sources, ${client.name}`}>
      <Card className="grid grid-cols-1 gap-4 p-5">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <Heading className={headingLevel === 4 ? 'font-medium' : 'text-lg font-semibold'}>Event sources</Heading>
          {campaignsWithoutSource.length > 0 && (
            <Button
              variant="secondary"
              size="sm"
              aria-label={`Add source for ${client.name}`}
              onClick={() => setAdding(true)}
            >
              <Plus aria-hidden="true" />
              Add source
            </Button>
          )}
        </div>
        {isPending && <Skeleton className="h-16 rounded-md" />}
        {error && <LoadError error={error} onRetry={() => void refetch()} />}
        {sources?.length === 0 && (
          <p className="measure text-muted">
            {client.campaigns.length === 0
              ? 'Add a campaign first. You can then receive its events from Smartlead, Instantly or lemlist.'
              : 'No event sources yet. With a source, Smartlead, Instantly or lemlist report sent messages and replies, so you do not need to import them.'}
          </p>
        )}
        {sources && sources.length > 0 && (
          <ul className="grid grid-cols-1 divide-y divide-line">
            {sources.map((source) => (
              <SourceRow key={source.id} clientId={client.id} source={source} />
            ))}
          </ul>
        )}
      </Card>
      {isAdding && (
        <AddSourceDialog client={client} campaigns={campaignsWithoutSource} onClose={() => setAdding(false)} />
      )}
    </section>
  );
}
