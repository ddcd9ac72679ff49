import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { contentCountsQuery } from '../../data/registrations.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

const COUNTS = [
  { key: 'posts', label: 'Posts' },
  { key: 'projects', label: 'Projects' },
  { key: 'services', label: 'Services' },
  { key: 'reviews', label: 'Reviews' },
] as const;

export function ContentCounts() {
  const { data, error, refetch } = useQuery(contentCountsQuery);
  return (
    <section aria-label="Content">
      {error && (
        <p role="alert" className="mb-4 flex flex-wrap items-center gap-3 text-danger">
          The counts could not be loaded.
          <Button variant="secondary" size="sm" onClick={() => void refetch()}>
            Try again
          </Button>
        </p>
      )}
      <ul className="grid grid-cols-2 gap-4 lg:grid-cols-4">
        {COUNTS.map(({ key, label }) => (
          <li key={key}>
            <Link to="/admin/$kind" params={{ kind: key }} className="block rounded-lg">
              <Card className="grid gap-1 p-5 transition-colors duration-150 hover:border-line-strong">
                <span className="font-mono text-label text-muted uppercase">{label}</span>
                {data ? (
                  <span className="text-display-2 tabular-nums">{data[key]}</span>
                ) : (
                  <>
                    <Skeleton className="h-[1.04em] w-16 text-display-2" />
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
