import { queryOptions, useQuery } from '@tanstack/react-query';
import { readPageAsSignedIn } from '../../api/as-signed-in.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { CardList } from '../../ui/list/card-list.tsx';
import { ScreenHeader } from '../../ui/screen-header.tsx';

/** Reads a page (from 1) of the confirmed subscribers, the newest first. */
function readersQuery(page: number) {
  return queryOptions({
    queryKey: ['readers', page],
    queryFn: readPageAsSignedIn(page, (api) =>
      api
        .from('newsletter_subscribers')
        .select('id, email', { count: 'exact' })
        .not('confirmed_at', 'is', null)
        .order('confirmed_at', { ascending: false })
        .order('id'),
    ),
  });
}

export function ReadersPage({ page }: { page: number }) {
  return (
    <div className="grid grid-cols-1 gap-6">
      <ScreenHeader title="Readers" />
      <CardList
        query={useQuery(readersQuery(page))}
        page={page}
        loading="Loading readers..."
        empty={<EmptyState title="No readers yet" description="People who confirm their email address appear here." />}
      >
        {({ email }) => email}
      </CardList>
    </div>
  );
}
