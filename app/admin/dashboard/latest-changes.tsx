import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { sectionPlace } from '../../api/places/section-place.ts';
import { KINDS } from '../../content/kinds.ts';
import { type LatestChange, latestChangesQuery } from '../../editing/history/content-versions.ts';
import { actionLabel, authorLabel } from '../../editing/history/version-labels.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { kindLabel, titleOfText } from '../entity-labels.ts';

import { Panel, ROW_LINK } from './panel.tsx';

const SHOWN = 4;
/** Changes to read, because several can be in one row. */
const READ = 24;
const TITLE_COLUMNS = [...new Set<string>(KINDS.map(({ titleColumn }) => titleColumn))];

export function LatestChanges() {
  const { data: changes, error, refetch } = useQuery(latestChangesQuery(READ, TITLE_COLUMNS));
  return (
    <Panel
      heading="Latest changes"
      error={error}
      onRetry={() => void refetch()}
      emptyText="No changes yet. Changes to the site appear here, with the person who made them."
      rows={
        changes &&
        groupChanges(changes)
          .slice(0, SHOWN)
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

/** Groups neighbours of the same kind with the same action and author. */
function groupChanges(changes: readonly LatestChange[]): ChangeGroup[] {
  const groups: ChangeGroup[] = [];
  for (const change of changes) {
    const group = groups.at(-1);
    if (group && describe(group[0]) === describe(change)) group.push(change);
    else groups.push([change]);
  }
  return groups;
}

function describe(change: LatestChange): string {
  return `${kindLabel(change.kind)} · ${actionLabel(change.kind, change)} · ${authorLabel(change)}`;
}

function titleOfGroup(group: ChangeGroup): string {
  const titles = group.map(({ kind, itemId, title }) => titleOfText(kind, itemId) ?? title);
  return titles.length <= 2 ? titles.join(' and ') : `${titles.slice(0, 2).join(', ')} and ${titles.length - 2} more`;
}

function ChangeRow({ group }: { group: ChangeGroup }) {
  const [change, ...others] = group;
  const { kind, itemId, action, at } = change;
  const isSingle = others.length === 0;
  const content = (
    <span className="grid min-w-0 grow grid-cols-1">
      <span className="truncate font-medium">{titleOfGroup(group)}</span>
      <span className="text-sm text-muted [overflow-wrap:anywhere]">
        {describe(change)}, <RelativeTime at={at} />
      </span>
    </span>
  );
  if (kind === 'site_settings') {
    const isBrand = itemId.startsWith('brand_');
    return (
      <Link
        to={isBrand ? '/admin/settings/brand' : '/admin/settings'}
        hash={isBrand || !isSingle ? '' : itemId}
        className={ROW_LINK}
      >
        {content}
      </Link>
    );
  }
  if (kind === 'page_content') {
    const [page = '', name = ''] = itemId.split('/');
    const { to, tab } = sectionPlace(page, name);
    return (
      <Link to={to} search={{ tab }} className={ROW_LINK}>
        {content}
      </Link>
    );
  }
  const path = KINDS.find(({ table }) => table === kind)?.path ?? '';
  return isSingle && action !== 'deleted' ? (
    <Link to="/admin/$kind/$id/edit" params={{ kind: path, id: itemId }} className={ROW_LINK}>
      {content}
    </Link>
  ) : (
    <Link
      to={action === 'deleted' ? '/admin/$kind/deleted' : '/admin/$kind'}
      params={{ kind: path }}
      className={ROW_LINK}
    >
      {content}
    </Link>
  );
}
