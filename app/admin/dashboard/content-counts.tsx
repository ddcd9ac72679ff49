import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { capitalized } from '../../api/places/kind-names.ts';
import { countsQuery } from '../../content/editing.ts';
import { KINDS } from '../../content/kinds.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

export const COUNTED_KINDS = KINDS.filter(({ isCounted = true }) => isCounted);

export function ContentCounts() {
  const { data, error, refetch } = useQuery(countsQuery(COUNTED_KINDS));
  return (
    <section aria-label="Content" className="@container">
      {error && (
        <p role="alert" className="mb-4 flex flex-wrap items-center gap-3 text-danger">
          The counts could not be loaded.
          <Button variant="secondary" size="sm" onClick={() => void refetch()}>
            Try again
          </Button>
        </p>
      )}
      <ul className="grid grid-cols-2 gap-4 @2xl:grid-cols-4">
        {COUNTED_KINDS.map(({ table, path, plural }) => (
          <li key={path}>
            <Link to="/admin/$kind" params={{ kind: path }} className="block rounded-lg">
              <Card className="flex flex-wrap items-baseline justify-between gap-x-4 px-5 py-3 transition-colors duration-150 hover:border-line-strong">
                <span className="font-mono text-label text-muted uppercase">{capitalized(plural)}</span>
                {data ? (
                  <span className="text-2xl font-semibold tabular-nums">{data.get(table)}</span>
                ) : (
                  <>
                    <Skeleton className="h-8 w-10" />
                    {!error && <span className="sr-only">Loading...</span>}
                  </>
                )}
              </Card>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
