import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { draftCountsQuery } from '../../content/editing.ts';
import { capitalized } from '../../content/kind.ts';
import { KINDS } from '../../content/kinds.ts';
import { Panel, ROW_LINK } from './panel.tsx';

/** Counts the items of each kind that nobody reads yet. */
export function Drafts() {
  const { data: counts, error, refetch } = useQuery(draftCountsQuery(KINDS));
  const kinds = counts && KINDS.filter(({ table }) => (counts.get(table) ?? 0) > 0);
  return (
    <Panel
      heading="Drafts"
      error={error}
      onRetry={() => void refetch()}
      none="There are no drafts."
      rows={kinds?.map(({ table, path, many, icon: Icon }) => (
        <li key={table}>
          <Link to="/admin/$kind" params={{ kind: path }} search={{ status: 'draft' }} className={ROW_LINK}>
            <Icon aria-hidden="true" className="size-4.5 shrink-0 text-muted" />
            <span className="min-w-0 grow">{capitalized(many)}</span>
            <span className="font-semibold tabular-nums">{counts?.get(table)}</span>
          </Link>
        </li>
      ))}
    />
  );
}
