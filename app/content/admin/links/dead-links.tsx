import { useQuery } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { Link2, RefreshCw } from 'lucide-react';
import { editLink } from '../../../api/places/edit-link.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { BackLink } from '../../../ui/list/back-link.tsx';
import { LoadingCards } from '../../../ui/list/loading-cards.tsx';
import { LoadError } from '../../../ui/load-error.tsx';
import { ScreenHeader } from '../../../ui/screen-header.tsx';
import { deadLinksQuery, type LinkLocation, type LinkProblem } from '../../pages/dead-links.ts';

/** Lists broken internal links in all content. Runs the check each time the page is opened. */
export function DeadLinks() {
  const pages = Object.keys(useRouter().routesByPath);
  const { data, error, isPending, isFetching, refetch } = useQuery(deadLinksQuery(pages));
  const visibleCount = data?.locations.reduce((count, { links }) => count + links.length, 0) ?? 0;
  return (
    <div className="grid grid-cols-1 gap-6">
      <BackLink to="/admin/pages">All pages</BackLink>
      <ScreenHeader
        title="Dead Links"
        description="Broken internal links in all content, and missing files. Links to other sites are not checked."
        action={
          <Button variant="secondary" loading={isFetching} onClick={() => void refetch()} icon={RefreshCw}>
            Check again
          </Button>
        }
      />
      {isPending && <LoadingCards text="Checking links..." height="h-28" />}
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      <p role="status" className={visibleCount > 0 ? 'text-muted' : 'sr-only'}>
        {data && !isFetching && formatCount(visibleCount, data.total)}
      </p>
      {data?.locations.length === 0 && (
        <EmptyState icon={Link2} title="No dead links" description="All internal links work, and no file is missing." />
      )}
      {data && data.locations.length > 0 && (
        <ul className="grid grid-cols-1 gap-3">
          {data.locations.map((location) => (
            <li key={`${location.kind} ${location.id}`}>
              <LocationCard location={location} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function formatCount(visibleCount: number, total: number): string {
  if (total === 0) return 'All links work.';
  const amount = total === 1 ? '1 dead link' : `${total} dead links`;
  return visibleCount < total ? `${amount}. Showing the first ${visibleCount}.` : `${amount}.`;
}

function LocationCard({ location }: { location: LinkLocation }) {
  const { label, path } = editLink(location);
  return (
    <Card className="grid grid-cols-1 gap-3 p-5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="min-w-0 font-semibold wrap-anywhere">
          <Link to={path} className="underline decoration-line-strong underline-offset-4 hover:decoration-current">
            {label}
          </Link>
        </h2>
        {location.isDraft && <Badge>draft</Badge>}
      </div>
      <ul className="grid gap-3 border-t border-line pt-3 text-sm md:gap-2">
        {location.links.map(({ url, problem, target }) => (
          <li key={url} className="grid gap-x-6 gap-y-0.5 md:grid-cols-2">
            <code className="min-w-0 font-mono text-[0.8125rem] wrap-anywhere">{url}</code>
            <span className="text-muted">
              {PROBLEM_TEXTS[problem]}{' '}
              {target && (
                <Link
                  to={editLink({ ...target, title: '' }).path}
                  aria-label={`Open link: ${url}`}
                  className="text-accent underline underline-offset-4"
                >
                  Open link
                </Link>
              )}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

const PROBLEM_TEXTS: Record<LinkProblem, string> = {
  file: 'This file is not in the media library.',
  page: 'This page does not exist.',
  missing: 'Nothing exists at this address.',
  deleted: 'This item was deleted.',
  draft: 'This item is a draft, so visitors cannot see it.',
  scheduled: 'This item is not public until its publication date.',
  moved: 'This is an old address. It redirects to the current one.',
};
