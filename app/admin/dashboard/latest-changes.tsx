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
const TITLE_COLUMNS = [...new Set<string>(KINDS.map(({ titleColumn }) => titleColumn))];

export function LatestChanges() {
  const { data: changes, error, refetch } = useQuery(latestChangesQuery(SHOWN, TITLE_COLUMNS));
  return (
    <Panel
      heading="Latest changes"
      error={error}
      onRetry={() => void refetch()}
      emptyText="No changes yet. Changes to the site appear here, with the person who made them."
      rows={changes?.map((change) => (
        <li key={change.id}>
          <ChangeRow change={change} />
        </li>
      ))}
    />
  );
}

function ChangeRow({ change }: { change: LatestChange }) {
  const { kind, itemId, action, title, at } = change;
  const content = (
    <span className="grid min-w-0 grow grid-cols-1">
      <span className="truncate font-medium">{titleOfText(kind, itemId) ?? title}</span>
      <span className="text-sm text-muted [overflow-wrap:anywhere]">
        {kindLabel(kind)} · {actionLabel(kind, change)} · {authorLabel(change)}, <RelativeTime at={at} />
      </span>
    </span>
  );
  if (kind === 'site_settings') {
    const isBrand = itemId.startsWith('brand_');
    return (
      <Link
        to={isBrand ? '/admin/settings/brand' : '/admin/settings'}
        hash={isBrand ? '' : itemId}
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
  return action === 'deleted' ? (
    <Link to="/admin/$kind/deleted" params={{ kind: path }} className={ROW_LINK}>
      {content}
    </Link>
  ) : (
    <Link to="/admin/$kind/$id/edit" params={{ kind: path, id: itemId }} className={ROW_LINK}>
      {content}
    </Link>
  );
}
