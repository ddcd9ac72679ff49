import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ClientRooms } from '../../clients/client-rooms.tsx';
import { clientsQuery } from '../../data/clients/clients.ts';
import { LoadError } from '../../ui/load-error.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

/** The rooms of each client that the person belongs to. */
export default function OwnClients() {
  const [page, setPage] = useState(1);
  const { data, error, isPending, refetch } = useQuery(clientsQuery(page));
  return (
    <>
      {isPending && (
        <div className="grid gap-3">
          <p role="status" className="text-muted">
            Loading campaigns...
          </p>
          <Skeleton className="h-28 rounded-lg" />
        </div>
      )}
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {data?.items.map((client) => (
        <section key={client.id} aria-labelledby={`client-${client.id}`} className="grid grid-cols-1 gap-4">
          <h2 id={`client-${client.id}`} className="text-display-3 [overflow-wrap:anywhere]">
            {client.name}
          </h2>
          <ClientRooms client={client} />
        </section>
      ))}
      <Pagination page={page} count={data?.count} onTurn={setPage} />
    </>
  );
}
