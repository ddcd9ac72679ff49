import { useQuery } from '@tanstack/react-query';
import {
  type Release,
  type ReleaseProblem,
  type ReleaseWithChanges,
  releaseProblemsQuery,
  releaseQuery,
} from '../../editing/releases/releases.ts';
import { Badge } from '../../ui/badge.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { formatTime } from '../../ui/lib/format-time.ts';
import { BackLink } from '../../ui/list/back-link.tsx';
import { LoadingCards } from '../../ui/list/loading-cards.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { ScreenHeader } from '../../ui/screen-header.tsx';
import { ChangeCard } from './change-card.tsx';
import { formatChangeCount, releaseBadge } from './change-labels.ts';
import { formProblems } from './form-problems.ts';
import { OpenReleaseActions, PublishedReleaseActions } from './release-actions.tsx';

/** Renders a release with its changes, problems and actions. */
export function ReleasePage({ id }: { id: string }) {
  const { data, error, isPending, refetch } = useQuery(releaseQuery(id));
  const release = data?.release;
  return (
    <div className="grid grid-cols-1 gap-6">
      <BackLink to="/admin/releases">All releases</BackLink>
      <ScreenHeader
        title={release?.name ?? 'Release'}
        description={data && <Summary {...data} />}
        badge={release && <Badge tone={releaseBadge(release).tone}>{releaseBadge(release).label}</Badge>}
      />
      {isPending && <LoadingCards text="Loading release..." height="h-24" />}
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {data === null && <EmptyState title="Release not found" description="It may have been deleted." />}
      {data && (data.release.published_at ? <PublishedRelease {...data} /> : <OpenRelease {...data} />)}
    </div>
  );
}

function Summary({ release, changes, names }: ReleaseWithChanges) {
  const getUserName = (id: string | null) => (id && names.get(id)) || 'a deleted account';
  const parts = [formatChangeCount(changes.length)];
  if (release.published_at) {
    parts.push(`published ${formatTime(release.published_at)} by ${getUserName(release.published_by)}`);
    if (release.publish_at) parts.push('as planned');
  } else {
    parts.push(`created ${formatTime(release.created_at)} by ${getUserName(release.created_by)}`);
    if (release.publish_at) parts.push(`planned by ${getUserName(release.scheduled_by)}`);
  }
  return <span className="[overflow-wrap:anywhere]">{parts.join(' · ')}</span>;
}

function OpenRelease({ release, changes, names }: ReleaseWithChanges) {
  const check = useQuery(releaseProblemsQuery(release.id));
  const problems = [...(check.data ?? []), ...formProblems(changes, check.data ?? [])];
  return (
    <>
      <OpenReleaseActions release={release} canPublish={changes.length > 0 && problems.length === 0} />
      {release.failure && <Failure release={release} />}
      {check.error && <LoadError error={check.error} onRetry={() => void check.refetch()} />}
      <ProblemsNotice problems={problems} />
      {changes.length === 0 && (
        <EmptyState
          title="No changes in this release yet"
          description="Open a post, a page section or a setting, and choose ‘Save to a release…’ next to its save button."
        />
      )}
      <Changes changes={changes} names={names} problems={problems} isOpen />
    </>
  );
}

function Failure({ release }: { release: Release }) {
  return (
    <ErrorNote title={`Not published${release.failed_at ? ` on ${formatTime(release.failed_at)}` : ''}`}>
      {`${release.failure?.replace(/[^.!?]$/, '$&.')} Nothing was published. Resolve the problems below, then publish or plan it again.`}
    </ErrorNote>
  );
}

function ProblemsNotice({ problems }: { problems: readonly ReleaseProblem[] }) {
  return (
    <div role="status" className="empty:hidden">
      {problems.length > 0 && (
        <p className="rounded-md bg-warning-soft px-4 py-3 text-[0.9375rem]">
          {problems.length === 1
            ? 'One change cannot be published. It is marked below.'
            : `${problems.length} changes cannot be published. They are marked below.`}
        </p>
      )}
    </div>
  );
}

function PublishedRelease({ release, changes, names }: ReleaseWithChanges) {
  return (
    <>
      <PublishedReleaseActions release={release} />
      <Changes changes={changes} names={names} problems={[]} isOpen={false} />
    </>
  );
}

interface ChangesProps extends Pick<ReleaseWithChanges, 'changes' | 'names'> {
  problems: readonly ReleaseProblem[];
  isOpen: boolean;
}

function Changes({ changes, names, problems, isOpen }: ChangesProps) {
  return (
    <ul aria-label="Changes" className="grid grid-cols-1 gap-3">
      {changes.map((change) => (
        <li key={change.id}>
          <ChangeCard
            change={change}
            authorName={change.changed_by ? names.get(change.changed_by) : undefined}
            problem={problems.find(({ changeId }) => changeId === change.id)}
            isOpen={isOpen}
          />
        </li>
      ))}
    </ul>
  );
}
