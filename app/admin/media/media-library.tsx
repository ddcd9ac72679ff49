import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Upload } from 'lucide-react';
import { useState } from 'react';
import { type MediaFile, mediaLibraryQuery } from '../../data/media.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { ScreenHeader } from '../../ui/screen-header.tsx';
import { Select } from '../../ui/select.tsx';
import { FileButton } from '../form/file-button.tsx';
import { ItemCount } from '../list/item-count.tsx';
import { Pagination } from '../list/pagination.tsx';
import { SearchBox } from '../list/search-box.tsx';
import { LoadingGrid, MediaGrid } from '../pictures/media-grid.tsx';
import { DeleteFileDialog } from './delete-file-dialog.tsx';
import { DeletedFilesLink } from './deleted-files-link.tsx';
import { DetailsDialog } from './details-dialog.tsx';
import { DropArea } from './drop-area.tsx';
import { MediaCard } from './media-card.tsx';
import { type MediaSearch, readKind } from './media-search.ts';
import { UploadList } from './upload-list.tsx';
import { ACCEPTED, useUploads } from './use-uploads.ts';

/** Every file of the site: upload, find, copy the address, describe, delete. */
export function MediaLibrary({ search }: { search: MediaSearch }) {
  const { q, kind, page = 1 } = search;
  const library = useQuery(mediaLibraryQuery({ search: q ?? '', kind, page }));
  const { uploads, add, retry, remove } = useUploads();
  const [dialog, setDialog] = useState<{ file: MediaFile; deleting: boolean } | null>(null);
  const navigate = useNavigate();
  const show = (next: MediaSearch) => void navigate({ to: '/admin/media', search: next, replace: true });

  const { items = [], count } = library.data ?? {};
  const filtered = Boolean(q || kind || page > 1);
  const uploadButton = (
    <FileButton accept={ACCEPTED} multiple onFiles={add}>
      <Upload aria-hidden="true" />
      Upload files
    </FileButton>
  );
  return (
    <DropArea onFiles={add}>
      <div className="grid grid-cols-1 gap-6">
        <ScreenHeader
          title="Media"
          action={
            <div className="flex flex-wrap gap-3">
              <DeletedFilesLink />
              {uploadButton}
            </div>
          }
        />
        <UploadList uploads={uploads} onRetry={retry} onRemove={remove} />
        {(filtered || items.length > 0) && (
          <div className="flex flex-wrap items-center gap-3">
            <SearchBox label="Search files" value={q} onSearch={(text) => show({ q: text, kind })} />
            <KindSelect value={kind} onChange={(next) => show({ q, kind: next })} />
            <ItemCount count={count} one="file" many="files" />
          </div>
        )}
        {library.isPending && <LoadingGrid />}
        {library.error && <LoadError error={library.error} onRetry={() => void library.refetch()} />}
        {library.data && items.length === 0 && <NoFiles filtered={filtered} onShowAll={() => show({})} />}
        {items.length > 0 && (
          <MediaGrid files={items}>
            {(file) => (
              <MediaCard
                file={file}
                onOpen={() => setDialog({ file, deleting: false })}
                onDelete={() => setDialog({ file, deleting: true })}
              />
            )}
          </MediaGrid>
        )}
        <Pagination page={page} count={count} />
      </div>
      {dialog?.deleting === false && (
        <DetailsDialog
          file={dialog.file}
          onClose={() => setDialog(null)}
          onDelete={() => setDialog({ file: dialog.file, deleting: true })}
        />
      )}
      {dialog?.deleting && <DeleteFileDialog file={dialog.file} onClose={() => setDialog(null)} />}
    </DropArea>
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
      className="w-40"
    >
      <option value="">All types</option>
      <option value="image">Images</option>
      <option value="video">Videos</option>
      <option value="audio">Audio</option>
      <option value="document">Documents</option>
    </Select>
  );
}

function NoFiles({ filtered, onShowAll }: { filtered: boolean; onShowAll: () => void }) {
  if (filtered) {
    return (
      <EmptyState
        title="No files found"
        description="Nothing matches this search and type."
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
      title="No files yet. Upload your first file to get started."
      description="Drop pictures, videos, sounds, PDF or Word files anywhere on this page."
    />
  );
}
