import { clsx } from 'clsx';
import { formatTime } from '../../ui/lib/format-time.ts';
import type { ContentVersion } from './content-versions.ts';
import { actionLabel, authorLabel } from './version-labels.ts';

interface VersionListProps {
  kind: string;
  versions: readonly ContentVersion[];
  selected: ContentVersion;
  onSelect: (version: ContentVersion) => void;
  /** Names the item of a version in a shared history. */
  itemName?: ((version: ContentVersion) => string) | undefined;
}

/** Lists the stored versions, newest first. */
export function VersionList({ kind, versions, selected, onSelect, itemName }: VersionListProps) {
  return (
    <ol
      aria-label="Versions"
      className="grid max-h-48 grid-cols-1 content-start gap-1 overflow-y-auto md:max-h-[32rem] md:border-r md:border-line md:pr-3"
    >
      {versions.map((version) => (
        <li key={version.id}>
          <button
            type="button"
            aria-pressed={version.id === selected.id}
            data-initial-focus={version.id === selected.id ? '' : undefined}
            onClick={() => onSelect(version)}
            className={clsx(
              'grid w-full grid-cols-1 gap-0.5 rounded-md px-3 py-2 text-left text-sm -outline-offset-2',
              version.id === selected.id ? 'bg-accent-soft' : 'hover:bg-sunken',
            )}
          >
            <span className="flex flex-wrap items-baseline justify-between gap-x-2 font-medium">
              <time dateTime={version.at}>{formatTime(version.at)}</time>
              {version === versions.find(({ itemId }) => itemId === version.itemId) && (
                <span className="font-mono text-label">now</span>
              )}
            </span>
            {itemName && <span className="font-medium">{itemName(version)}</span>}
            {version.action !== 'before' && (
              <span className="truncate" title={authorLabel(version)}>
                {authorLabel(version)}
              </span>
            )}
            <span className="line-clamp-2">{actionLabel(kind, version)}</span>
          </button>
        </li>
      ))}
    </ol>
  );
}
