import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { sectionLink } from '../../api/places/section-link.ts';
import { KINDS } from '../../content/kinds.ts';
import { type LatestChange, latestChangesQuery } from '../../editing/history/content-versions.ts';
import { actionLabel } from '../../editing/history/version-labels.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { kindLabel, textTitle } from '../entity-labels.ts';

import { Panel, ROW_LINK } from './panel.tsx';

const MAX_ROWS = 4;
/** Number of changes to load. Consecutive similar changes share a row. */
const MAX_CHANGES = 24;
const TITLE_COLUMNS = [...new Set<string>(KINDS.map(({ titleColumn }) => titleColumn))];

export function LatestChanges() {
  const { data: changes, error, refetch } = useQuery(latestChangesQuery(MAX_CHANGES, TITLE_COLUMNS));
  return (
    <Panel
      heading="Latest changes"
      error={error}
      onRetry={() => void refetch()}
      emptyText="No changes yet. Changes to the site appear here, with the person who made them."
      rows={
        changes &&
        groupChanges(changes)
          .slice(0, MAX_ROWS)
          .map((group) => (
            <li key={group[0].id}>
              <ChangeRow group={group} />
            </li>
          ))
      }
    />
  );
}

type ChangeGroup = [LatestChange, ...LatestChange[]];

/** Groups consecutive changes that have the same kind, action and author. */
function groupChanges(changes: readonly LatestChange[]): ChangeGroup[] {
  const groups: ChangeGroup[] = [];
  for (const change of changes) {
    const group = groups.at(-1);
    if (group && describeChange(group[0]) === describeChange(change)) group.push(change);
    else groups.push([change]);
  }
  return groups;
}

/** Returns the kind, the action and, if it is known, the author. */
function describeChange(change: LatestChange): string {
  return [kindLabel(change.kind), actionLabel(change.kind, change), change.author].filter(Boolean).join(' · ');
}

function groupTitle(group: ChangeGroup): string {
  const titles = group.map(({ kind, itemId, title }) => textTitle(kind, itemId) ?? title);
  return titles.length <= 2 ? titles.join(' and ') : `${titles.slice(0, 2).join(', ')} and ${titles.length - 2} more`;
}

function ChangeRow({ group }: { group: ChangeGroup }) {
  return (
    <Link {...getGroupLink(group)} className={ROW_LINK}>
      <span className="grid min-w-0 grow grid-cols-1">
        <span className="truncate font-medium">{groupTitle(group)}</span>
        <span className="text-sm text-muted [overflow-wrap:anywhere]">
          {describeChange(group[0])}, <RelativeTime at={group[0].at} />
        </span>
      </span>
    </Link>
  );
}

/** Returns the link to the changed item, or to the list if the group has several items. */
function getGroupLink([{ kind, itemId, action }, ...others]: ChangeGroup): LinkProps {
  if (kind === 'site_settings') {
    const isBrand = itemId.startsWith('brand_');
    const isSetting = !isBrand && others.length === 0;
    return { to: isBrand ? '/admin/settings/brand' : '/admin/settings', hash: isSetting ? itemId : '' };
  }
  if (kind === 'page_content') {
    const [page = '', name = ''] = itemId.split('/');
    const { to, tab } = sectionLink(page, name);
    return { to, search: { tab } };
  }
  const path = KINDS.find(({ table }) => table === kind)?.path ?? '';
  if (action === 'deleted') return { to: '/admin/$kind/deleted', params: { kind: path } };
  if (others.length > 0) return { to: '/admin/$kind', params: { kind: path } };
  return { to: '/admin/$kind/$id/edit', params: { kind: path, id: itemId } };
}
