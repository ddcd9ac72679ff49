import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Images, Upload } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { DropArea } from '../../ui/drop-area.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FileButton } from '../../ui/form/file-button.tsx';
import { LoadFailure, lazy } from '../../ui/lazy.tsx';
import { FILTERS_CLASS } from '../../ui/list/filters-class.ts';
import { ItemCount } from '../../ui/list/item-count.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { ScreenHeader } from '../../ui/screen-header.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { Select } from '../../ui/select.tsx';
import { Switch } from '../../ui/switch.tsx';
import { type MediaFile, mediaFoldersQuery, mediaLibraryQuery, NO_FOLDER } from '../media.ts';
import { LoadingGrid, MediaGrid } from '../media-grid.tsx';
import { DeleteFileDialog } from './delete-file-dialog.tsx';
import { DeletedFilesLink } from './deleted-files-link.tsx';
import { DetailsDialog } from './details-dialog.tsx';
import { KeepOriginals } from './keep-originals.tsx';
import { MediaCard } from './media-card.tsx';
import { type MediaSearch, readKind } from './media-search.ts';
import { SelectionBar } from './selection-bar.tsx';
import { UploadList } from './upload-list.tsx';
import { ACCEPTED_TYPES, useUploads } from './use-uploads.ts';

const MoveDialog = lazy(() => import('./move-dialog.tsx'), { Failed: LoadFailure });
const ReplaceDialog = lazy(() => import('./replace-dialog.tsx'), { Failed: LoadFailure });
const DeleteFilesDialog = lazy(() => import('./delete-files-dialog.tsx'), { Failed: LoadFailure });

/** Renders the media library with uploads, filters, a selection of files and the dialogs of a file. */
export function MediaLibrary({ search }: { search: MediaSearch }) {
  const { q, kind, folder, unused, page = 1 } = search;
  const library = useQuery(mediaLibraryQuery({ search: q ?? '', kind, folder, unused, page }));
  const [keepsOriginals, setKeepsOriginals] = useState(false);
  const { uploads, add, retry, remove } = useUploads(folder === NO_FOLDER ? undefined : folder, keepsOriginals);
  const [dialog, setDialog] = useState<{ file: MediaFile; action: Action } | null>(null);
  const [selectedNames, setSelectedNames] = useState<ReadonlySet<string>>(new Set());
  const navigate = useNavigate();
  const show = (next: MediaSearch) => void navigate({ to: '/admin/media', search: next, replace: true });

  const { items = [], count } = library.data ?? {};
  // Actions must not affect files that are no longer shown.
  const selected = items.filter(({ name }) => selectedNames.has(name));
  const isFiltered = Boolean(q || kind || folder || unused || page > 1);
  const uploadButton = (
    <FileButton accept={ACCEPTED_TYPES} multiple onFiles={add}>
      <Upload aria-hidden="true" />
      Upload files
    </FileButton>
  );
  return (
    <DropArea invitation="Drop files to upload them" className="min-h-[calc(100dvh-8rem)]" onFiles={add}>
      <div className="grid grid-cols-1 gap-6">
        <ScreenHeader
          isInline
          title="Media"
          action={
            <div className="flex shrink-0 flex-wrap gap-2 sm:gap-3 @max-[21rem]:shrink">
              <DeletedFilesLink />
              {uploadButton}
            </div>
          }
        />
        <KeepOriginals isOn={keepsOriginals} onChange={setKeepsOriginals} />
        <UploadList uploads={uploads} onRetry={retry} onRemove={remove} />
        {(isFiltered || items.length > 0) && <MediaFilters search={search} count={count} onChange={show} />}
        {items.length > 0 && (
          <SelectedFiles
            files={items}
            selected={selected}
            onSelect={(files) => setSelectedNames(new Set(files.map(({ name }) => name)))}
          />
        )}
        {library.isPending && <LoadingGrid />}
        {library.error && <LoadError error={library.error} onRetry={() => void library.refetch()} />}
        {library.data && items.length === 0 && <NoFiles isFiltered={isFiltered} onShowAll={() => show({})} />}
        {items.length > 0 && (
          <MediaGrid files={items}>
            {(file) => (
              <MediaCard
                file={file}
                onOpen={() => setDialog({ file, action: 'details' })}
                onDelete={() => setDialog({ file, action: 'delete' })}
                isSelected={selectedNames.has(file.name)}
                onSelect={(isSelected) => setSelectedNames((names) => updateSelection(names, file.name, isSelected))}
              />
            )}
          </MediaGrid>
        )}
        <Pagination page={page} count={count} />
      </div>
      {dialog && (
        <FileDialog
          // Use the refetched file, which the dialog may have changed.
          file={items.find(({ id }) => id === dialog.file.id) ?? dialog.file}
          action={dialog.action}
          onAction={(action) => setDialog(action && { file: dialog.file, action })}
        />
      )}
    </DropArea>
  );
}

function updateSelection(names: ReadonlySet<string>, name: string, isSelected: boolean): ReadonlySet<string> {
  const next = new Set(names);
  if (isSelected) next.add(name);
  else next.delete(name);
  return next;
}

type Action = 'details' | 'delete' | 'move' | 'replace';

interface FileDialogProps {
  file: MediaFile;
  action: Action;
  /** Called with the action to show, or with null to close the dialog. */
  onAction: (action: Action | null) => void;
}

/** Renders the open dialog of a file. */
function FileDialog({ file, action, onAction }: FileDialogProps) {
  const close = () => onAction(null);
  if (action === 'delete') return <DeleteFileDialog file={file} onClose={close} />;
  if (action === 'move') return <MoveDialog names={[file.name]} folder={file.folder} onClose={close} onMoved={close} />;
  if (action === 'replace') return <ReplaceDialog file={file} onClose={close} />;
  return (
    <DetailsDialog
      file={file}
      onClose={close}
      onDelete={() => onAction('delete')}
      onMove={() => onAction('move')}
      onReplace={() => onAction('replace')}
    />
  );
}

interface SelectedFilesProps {
  files: MediaFile[];
  selected: MediaFile[];
  onSelect: (files: MediaFile[]) => void;
}

/** Renders the checkbox for all files on the page, and the actions for the selected files. */
function SelectedFiles({ files, selected, onSelect }: SelectedFilesProps) {
  const [action, setAction] = useState<'move' | 'delete' | null>(null);
  const close = () => setAction(null);
  const finish = () => {
    close();
    onSelect([]);
  };
  const [firstFile] = selected;
  return (
    <>
      <SelectionBar
        count={selected.length}
        isAll={selected.length === files.length}
        onSelectAll={(isAll) => onSelect(isAll ? files : [])}
        onMove={() => setAction('move')}
        onDelete={() => setAction('delete')}
      />
      {action === 'move' && firstFile && (
        <MoveDialog
          names={selected.map(({ name }) => name)}
          folder={selected.every(({ folder }) => folder === firstFile.folder) ? firstFile.folder : ''}
          onClose={close}
          onMoved={finish}
        />
      )}
      {action === 'delete' && firstFile && <DeleteFilesDialog files={selected} onClose={close} onDeleted={finish} />}
    </>
  );
}

interface MediaFiltersProps {
  search: MediaSearch;
  count: number | undefined;
  onChange: (search: MediaSearch) => void;
}

function MediaFilters({ search: { page: _page, ...search }, count, onChange }: MediaFiltersProps) {
  const { q, kind, folder, unused } = search;
  const { data: folders = [] } = useQuery(mediaFoldersQuery);
  return (
    <div className={FILTERS_CLASS}>
      <SearchBox label="Search files" value={q} onSearch={(text) => onChange({ ...search, q: text })} />
      <KindSelect value={kind} onChange={(next) => onChange({ ...search, kind: next })} />
      {(folders.length > 0 || folder) && (
        <Select
          aria-label="Filter by folder"
          value={folder ?? ''}
          onChange={(event) => onChange({ ...search, folder: event.target.value || undefined })}
          className="w-44"
        >
          <option value="">All folders</option>
          <option value={NO_FOLDER}>No folder</option>
          {[...new Set([...folders, ...(folder && folder !== NO_FOLDER ? [folder] : [])])].map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </Select>
      )}
      <Switch
        label="Unused"
        checked={unused ?? false}
        onChange={(event) => onChange({ ...search, unused: event.target.checked || undefined })}
      />
      <ItemCount count={count} singular="file" plural="files" />
    </div>
  );
}

interface KindSelectProps {
  value: MediaSearch['kind'];
  onChange: (kind: MediaSearch['kind']) => void;
}

function KindSelect({ value, onChange }: KindSelectProps) {
  return (
    <Select
      aria-label="Filter by type"
      value={value ?? ''}
      onChange={(event) => onChange(readKind(event.target.value))}
      className="w-40 max-sm:grow"
    >
      <option value="">All types</option>
      <option value="image">Images</option>
      <option value="video">Videos</option>
      <option value="audio">Audio</option>
      <option value="document">Documents</option>
    </Select>
  );
}

function NoFiles({ isFiltered, onShowAll }: { isFiltered: boolean; onShowAll: () => void }) {
  if (isFiltered) {
    return (
      <EmptyState
        title="No files found"
        description="No files match this search and these filters."
        action={
          <Button variant="secondary" onClick={onShowAll}>
            Show all files
          </Button>
        }
      />
    );
  }
  return (
    <EmptyState
      icon={Images}
      title="No files yet. Upload your first file to get started."
      description="Drop images, videos, audio, PDF or Word files anywhere on this page."
    />
  );
}
