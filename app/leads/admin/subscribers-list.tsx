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
  const [subscriberToDelete, setSubscriberToDelete] = useState<Subscriber | null>(null);
  const { items = [], count } = list.data ?? {};
  const isFiltered = search !== '' || page > 1;
  return (
    <div className="grid grid-cols-1 gap-6">
      <BackLink to="/admin/leads">Leads</BackLink>
      <ScreenHeader
        title="Newsletter"
        description="Export the confirmed subscribers to your newsletter tool, and add the unsubscribe link in the export to each issue. Addresses that are not confirmed by email within a week are deleted."
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
                ? 'No email addresses match this search.'
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
        {(subscriber) => <SubscriberRow subscriber={subscriber} onDelete={() => setSubscriberToDelete(subscriber)} />}
      </CardList>
      {subscriberToDelete && (
        <DeleteSubscriber subscriber={subscriberToDelete} onClose={() => setSubscriberToDelete(null)} />
      )}
    </div>
  );
}

function SubscriberRow({ subscriber, onDelete }: { subscriber: Subscriber; onDelete: () => void }) {
  const { email, confirmed_at, created_at } = subscriber;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-6 lg:-my-2 lg:grid-cols-[minmax(0,1fr)_17rem_17rem_auto]">
      <p className="font-medium [overflow-wrap:anywhere]">{email}</p>
      <p className="col-start-1 text-sm text-muted lg:col-start-auto">
        Signed up <time dateTime={created_at}>{formatTime(created_at)}</time>
      </p>
      <Badge tone={confirmed_at ? 'accent' : 'neutral'} className="col-start-1 max-lg:mt-1.5 lg:col-start-auto">
        {confirmed_at ? (
          <>
            <span>Confirmed</span> <time dateTime={confirmed_at}>{formatTime(confirmed_at)}</time>
          </>
        ) : (
          'Not confirmed yet'
        )}
      </Badge>
      <Button
        variant="ghost"
        size="icon"
        className="-mr-3 max-lg:col-start-2 max-lg:row-span-3 max-lg:row-start-1"
        aria-label={`Delete ${email}`}
        onClick={onDelete}
      >
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
