import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { formatTime } from '../../ui/lib/format-time.ts';
import { LoadError } from '../../ui/load-error.tsx';
import { Select } from '../../ui/select.tsx';
import { showError } from '../../ui/show-error.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import {
  type ContentVersion,
  type VersionData,
  type VersionedItem,
  versionDataQuery,
  versionsQuery,
} from './content-versions.ts';
import { VersionDifference } from './version-difference.tsx';
import { authorLabel } from './version-labels.ts';
import { VersionList } from './version-list.tsx';

export interface HistoryDialogProps {
  item: VersionedItem | VersionedItems;
  /** Column order of the form. */
  order: readonly string[];
  onClose: () => void;
  /** Called with the content of the selected version. */
  onRestore: (data: VersionData, version: ContentVersion) => void;
}

/** Several items with a shared history, which can be filtered by item. */
export interface VersionedItems {
  kind: string;
  /** Plural noun for the items, such as 'settings'. */
  plural: string;
  /** Names by id, in display order. */
  names: ReadonlyMap<string, string>;
}

/** Lists the stored versions. The selected version can be copied into the form. */
export default function HistoryDialog({ item, order, onClose, onRestore }: HistoryDialogProps) {
  const { kind } = item;
  const collection = 'names' in item ? item : undefined;
  const [filter, setFilter] = useState('');
  const visibleIds = 'names' in item ? filter || [...item.names.keys()] : item.itemId;
  const { data: versions, error, isPending, refetch } = useQuery(versionsQuery({ kind, itemId: visibleIds }));
  const queryClient = useQueryClient();
  const [chosenVersion, setChosenVersion] = useState<ContentVersion>();
  const selected = chosenVersion ?? versions?.[0];
  // A shared history has one limit for all its items, so load the full history of the selected item separately.
  const { data: history } = useQuery({
    ...versionsQuery({ kind, itemId: selected?.itemId ?? '' }),
    enabled: selected !== undefined,
  });
  const isSavedNow = selected?.id === history?.[0]?.id && selected?.action !== 'deleted';

  const restore = async () => {
    if (!selected) return;
    try {
      const data = await queryClient.fetchQuery(versionDataQuery(selected.id));
      if (!data) throw new Error('This version is no longer stored.');
      onRestore(data, selected);
      onClose();
    } catch (cause) {
      showError('Could not restore this version', cause);
    }
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      size="lg"
      title="History"
      description={`The latest ${collection && filter === '' ? 200 : 50} versions, each kept for 90 days after it was replaced.`}
      footer={
        <>
          <p className="mr-auto max-w-[46ch] self-center text-sm text-muted">
            Restoring fills in the form. Nothing is changed until you save. Status and order are not restored.
          </p>
          <Button variant="secondary" onClick={onClose}>
            Close
          </Button>
          <Button disabled={!selected || isSavedNow} onClick={() => void restore()}>
            Restore this version
          </Button>
        </>
      }
    >
      {isPending && <LoadingVersions />}
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {collection && (
        <ItemFilter
          {...collection}
          value={filter}
          onChange={(id) => {
            setFilter(id);
            setChosenVersion(undefined);
          }}
        />
      )}
      {versions?.length === 0 && (
        <EmptyState
          title="No changes yet"
          description="Earlier versions appear here after the next save, and you can restore them."
        />
      )}
      {versions && selected && (
        <div className="grid grid-cols-1 items-start gap-5 md:grid-cols-[15rem_minmax(0,1fr)]">
          <VersionList
            {...{ kind, versions, selected }}
            onSelect={setChosenVersion}
            itemName={collection && filter === '' ? ({ itemId }) => collection.names.get(itemId) ?? itemId : undefined}
          />
          <ChosenVersion {...{ kind, order, selected }} versions={history} />
        </div>
      )}
    </Dialog>
  );
}

interface ItemFilterProps extends Pick<VersionedItems, 'plural' | 'names'> {
  value: string;
  onChange: (id: string) => void;
}

function ItemFilter({ plural, names, value, onChange }: ItemFilterProps) {
  return (
    <Select
      aria-label={`Filter ${plural}`}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className="mb-4 w-full max-w-xs"
    >
      <option value="">All {plural}</option>
      {[...names].map(([id, name]) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </Select>
  );
}

interface ChosenVersionProps {
  kind: string;
  order: readonly string[];
  /** Undefined while loading. */
  versions: readonly ContentVersion[] | undefined;
  selected: ContentVersion;
}

function ChosenVersion({ kind, order, versions, selected }: ChosenVersionProps) {
  const [comparison, setComparison] = useState<'before' | 'now'>('before');
  if (!versions) return <Skeleton className="h-14" />;
  const [newest] = versions;
  const previous = versions[versions.findIndex(({ id }) => id === selected.id) + 1] ?? null;
  // The first stored version has no previous version to compare with.
  const isFirstVersion = previous === null && selected.action === 'changed';
  return (
    <section aria-label="Differences" className="grid grid-cols-1 gap-4">
      <h2 className="sr-only">
        {formatTime(selected.at)}
        <span>{selected.action !== 'before' && `, ${authorLabel(selected)}`}</span>
      </h2>
      <Select
        aria-label="Show"
        value={comparison}
        onChange={(event) => setComparison(event.target.value === 'now' ? 'now' : 'before')}
        className="w-full max-w-xs"
      >
        <option value="before">Changes in this version</option>
        <option value="now">Compared with the saved version</option>
      </Select>
      {comparison === 'now' && newest ? (
        <VersionDifference
          {...{ kind, order }}
          before={selected}
          after={newest}
          labels={['This version', 'Saved version']}
        />
      ) : isFirstVersion ? (
        <p className="text-muted">The previous version is no longer stored.</p>
      ) : (
        <VersionDifference {...{ kind, order }} before={previous} after={selected} labels={['Before', 'After']} />
      )}
    </section>
  );
}

function LoadingVersions() {
  return (
    <div className="grid gap-3">
      <p role="status" className="text-muted">
        Loading...
      </p>
      <Skeleton className="h-14" />
      <Skeleton className="h-14" />
      <Skeleton className="h-14" />
    </div>
  );
}
