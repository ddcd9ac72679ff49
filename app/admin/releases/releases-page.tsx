import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Plus, Rocket } from 'lucide-react';
import { useState } from 'react';
import { createReleaseMutation, type ReleaseInList, releasesQuery } from '../../editing/releases/releases.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { CardList, ROW_LINK_CLASS } from '../../ui/list/card-list.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { ScreenHeader } from '../../ui/screen-header.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { formatChangeCount, releaseBadge } from './change-labels.ts';
import { NameDialog } from './name-dialog.tsx';

/** Lists all releases, with open releases first. */
export function ReleasesPage({ page }: { page: number }) {
  const list = useQuery(releasesQuery(page));
  const { items = [] } = list.data ?? {};
  return (
    <div className="grid grid-cols-1 gap-6">
      <ScreenHeader
        title="Releases"
        isInline
        description="Publish several changes together."
        action={items.length > 0 && <NewRelease />}
      />
      <CardList
        query={list}
        page={page}
        loading="Loading releases..."
        empty={
          <EmptyState
            icon={Rocket}
            title="No releases yet"
            description="Open the content that you want to change, and choose ‘Save to a release…’ next to its save button. Changes are collected here until you publish them together, now or at a planned time."
            action={<NewRelease />}
          />
        }
      >
        {(release) => <ReleaseRow release={release} />}
      </CardList>
    </div>
  );
}

function ReleaseRow({ release }: { release: ReleaseInList }) {
  const { label, tone } = releaseBadge(release);
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1.5">
      <div className="grid min-w-0 gap-0.5 max-sm:w-full">
        <h2 className="font-medium [overflow-wrap:anywhere]">
          <Link to="/admin/releases/$id" params={{ id: release.id }} className={ROW_LINK_CLASS}>
            {release.name}
          </Link>
        </h2>
        <p className="text-sm text-muted">
          {formatChangeCount(release.release_changes.length)} · {release.published_at ? 'published' : 'last changed'}{' '}
          <RelativeTime at={release.published_at ?? release.updated_at} />
        </p>
      </div>
      <Badge tone={tone} className="shrink-0">
        {label}
      </Badge>
    </div>
  );
}

function NewRelease() {
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const create = useMutationWithToasts(createReleaseMutation, {
    success: 'Release created',
    failure: 'Could not create the release',
  });
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Plus aria-hidden="true" />
        New Release
      </Button>
      {isOpen && (
        <NameDialog
          title="New release"
          name=""
          saveLabel="Create"
          isSaving={create.isPending}
          onClose={() => setOpen(false)}
          onSave={(name) =>
            create.mutate(name, { onSuccess: (id) => void navigate({ to: '/admin/releases/$id', params: { id } }) })
          }
        />
      )}
    </>
  );
}
