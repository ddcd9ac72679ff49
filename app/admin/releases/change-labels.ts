import { KINDS } from '../../content/kinds.ts';
import type { Release, ReleaseChange } from '../../editing/releases/releases.ts';
import { formatTime } from '../../ui/lib/format-time.ts';
import { textTitle } from '../entity-labels.ts';

/** Returns the title of the changed item, section or setting: 'Home: Hero', 'Site name'. */
export function changeTitle({ kind, item_id, data, base, before }: ReleaseChange): string {
  const text = textTitle(kind, item_id);
  if (text !== undefined) return text;
  const column = KINDS.find(({ table }) => table === kind)?.titleColumn;
  const title = column && (data ?? base ?? before)?.[column];
  return typeof title === 'string' && title !== '' ? title : item_id;
}

interface StatusBadge {
  label: string;
  tone: 'neutral' | 'accent' | 'warning' | 'danger';
}

/** Returns the badge of a change's action. */
export function actionBadge({ action, data, base }: ReleaseChange): StatusBadge {
  if (action === 'delete') return { label: 'Deleted', tone: 'danger' };
  const [from, to] = [base?.['status'], data?.['status']];
  if (action === 'create') return { label: to === 'draft' ? 'New draft' : 'New', tone: 'accent' };
  if (from !== to && to === 'published') return { label: 'Published', tone: 'accent' };
  if (from !== to && to === 'draft') return { label: 'Unpublished', tone: 'warning' };
  return { label: 'Changed', tone: 'neutral' };
}

/** Returns the badge of a release's state. */
export function releaseBadge({ published_at, publish_at, failure }: Release): StatusBadge {
  if (published_at) return { label: 'Published', tone: 'accent' };
  if (failure) return { label: 'Not published', tone: 'danger' };
  if (publish_at) return { label: `Planned for ${formatTime(publish_at)}`, tone: 'warning' };
  return { label: 'Open', tone: 'neutral' };
}

/** Formats a number of changes, such as '1 change' or '12 changes'. */
export function formatChangeCount(count: number): string {
  return count === 1 ? '1 change' : `${count} changes`;
}
