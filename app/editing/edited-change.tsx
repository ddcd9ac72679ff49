import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Layers } from 'lucide-react';
import type { ReactNode } from 'react';
import { ButtonLink } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { FormSkeleton } from '../ui/form/form-skeleton.tsx';
import { LoadError } from '../ui/load-error.tsx';
import { editedChangeQuery, type Release, type ReleaseChange } from './releases/releases.ts';

interface EditedChangeProps {
  releaseId: string;
  /** Id of the change, or the kind and id of the changed item. */
  filter: Parameters<typeof editedChangeQuery>[1];
  children: (change: ReleaseChange, release: Release) => ReactNode;
}

/** Loads the change that a form edits, and links to its release. */
export function EditedChange({ releaseId, filter, children }: EditedChangeProps) {
  const { data, error, isPending, refetch } = useQuery(editedChangeQuery(releaseId, filter));
  if (isPending) return <FormSkeleton />;
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (!data || data.change.action === 'delete') {
    return (
      <EmptyState
        title="Change not found"
        description="It may have been removed from the release."
        action={<ButtonLink to="/admin/releases">All releases</ButtonLink>}
      />
    );
  }
  const { change, release } = data;
  return (
    <div className="grid grid-cols-1 gap-6">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 rounded-md border border-line bg-sunken px-4 py-3 text-[0.9375rem]">
        <Layers aria-hidden="true" className="size-4 shrink-0 text-muted" />
        <span className="min-w-0 [overflow-wrap:anywhere]">
          You are editing a pending change in the release{' '}
          <Link
            to="/admin/releases/$id"
            params={{ id: release.id }}
            className="text-accent underline decoration-line-strong underline-offset-4 hover:decoration-current"
          >
            {release.name}
          </Link>
          , not the live version.
        </span>
      </p>
      {children(change, release)}
    </div>
  );
}
