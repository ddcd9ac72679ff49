import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Download, Mail, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { download } from '../../ui/lib/download.ts';
import { formatTime } from '../../ui/lib/format-time.ts';
import { BackLink } from '../../ui/list/back-link.tsx';
import { CardList } from '../../ui/list/card-list.tsx';
import { ItemCount } from '../../ui/list/item-count.tsx';
import { ScreenHeader } from '../../ui/screen-header.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import {
  deleteSubscriberMutation,
  exportSubscribersMutation,
  type Subscriber,
  subscribersQuery,
} from '../newsletter/newsletter.ts';

/** Lists newsletter subscribers, newest first. */
export function SubscribersList({ search, page }: { search: string; page: number }) {
  const list = useQuery(subscribersQuery({ page, search }));
  const navigate = useNavigate();
  const [deleting, setDeleting] = useState<Subscriber | null>(null);
  const { items = [], count } = list.data ?? {};
  const isFiltered = search !== '' || page > 1;
  return (
    <div className="grid grid-cols-1 gap-6">
      <BackLink to="/admin/leads">Leads</BackLink>
      <ScreenHeader
        title="Newsletter"
        description="People who asked for the newsletter. You send it with your newsletter tool. Export the confirmed subscribers, and add the unsubscribe link in the export to each issue."
        action={items.length > 0 && <ExportSubscribers />}
      />
      {(isFiltered || items.length > 0) && (
        <div className="flex flex-wrap items-center gap-3">
          <SearchBox
            label="Search subscribers"
            value={search}
            onSearch={(q) => void navigate({ to: '/admin/leads/subscribers', search: q ? { q } : {}, replace: true })}
          />
          <ItemCount count={count} singular="subscriber" plural="subscribers" />
        </div>
      )}
      <CardList
        query={list}
        page={page}
        loading="Loading subscribers..."
        empty={
          <EmptyState
            {...(!isFiltered && { icon: Mail })}
            title={isFiltered ? 'No subscribers found' : 'No subscribers yet'}
            description={
              isFiltered
                ? 'No address matches this search.'
                : 'Visitors can subscribe in the footer once Newsletter sign-up is on in the settings.'
            }
            action={
              isFiltered ? (
                <ButtonLink to="/admin/leads/subscribers" variant="secondary">
                  Show all
                </ButtonLink>
              ) : (
                <ButtonLink to="/admin/settings">Open settings</ButtonLink>
              )
            }
          />
        }
      >
        {(subscriber) => <SubscriberRow subscriber={subscriber} onDelete={() => setDeleting(subscriber)} />}
      </CardList>
      {deleting && <DeleteSubscriber subscriber={deleting} onClose={() => setDeleting(null)} />}
    </div>
  );
}

function SubscriberRow({ subscriber, onDelete }: { subscriber: Subscriber; onDelete: () => void }) {
  const { email, confirmed_at, created_at } = subscriber;
  return (
    <div className="flex items-center gap-2">
      <div className="grid min-w-0 flex-1 grid-cols-1 gap-1">
        <p className="[overflow-wrap:anywhere]">{email}</p>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
          {confirmed_at ? <Badge tone="accent">Confirmed</Badge> : <Badge>Not confirmed</Badge>}
          <time dateTime={confirmed_at ?? created_at}>{formatTime(confirmed_at ?? created_at)}</time>
        </div>
      </div>
      <Button variant="ghost" size="icon" className="-mr-3" aria-label={`Delete ${email}`} onClick={onDelete}>
        <Trash2 aria-hidden="true" />
      </Button>
    </div>
  );
}

function DeleteSubscriber({ subscriber: { id, email }, onClose }: { subscriber: Subscriber; onClose: () => void }) {
  const remove = useMutationWithToasts(deleteSubscriberMutation, {
    success: 'Subscriber deleted successfully',
    failure: 'Could not delete the subscriber',
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Delete subscriber?"
      description={`${email} will get no more newsletters once you have also removed the address from your newsletter tool. This action cannot be undone.`}
      confirmLabel="Delete"
      destructive
      loading={remove.isPending}
      onConfirm={() => remove.mutate(id, { onSettled: onClose })}
    />
  );
}

function ExportSubscribers() {
  const exportCsv = useMutationWithToasts(exportSubscribersMutation, { failure: 'Could not export the subscribers' });
  return (
    <Button
      variant="secondary"
      loading={exportCsv.isPending}
      onClick={() =>
        exportCsv.mutate(undefined, { onSuccess: (text) => download(text, 'newsletter-subscribers.csv', 'text/csv') })
      }
      icon={Download}
    >
      Export as CSV
    </Button>
  );
}
