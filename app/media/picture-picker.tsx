import { useQuery } from '@tanstack/react-query';
import { Upload } from 'lucide-react';
import { useState } from 'react';
import { Dialog } from '../ui/dialog.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { FileButton } from '../ui/form/file-button.tsx';
import { LoadError } from '../ui/load-error.tsx';
import { Pagination } from '../ui/pagination.tsx';
import { SearchBox } from '../ui/search-box.tsx';
import { contentUrl, mediaLibraryQuery } from './media.ts';
import { LoadingGrid, MediaGrid } from './media-grid.tsx';
import { MediaThumbnail } from './media-thumbnail.tsx';
import { usePictureFieldUpload } from './use-picture-field-upload.ts';

interface PicturePickerProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Called with the URL as stored in content. The dialog closes itself. */
  onPick: (url: string) => void;
}

/** Renders a dialog to choose a picture from the library or upload a new one. */
export function PicturePicker({ open, onOpenChange, onPick }: PicturePickerProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} size="lg" title="Choose a picture">
      <Library
        onPick={(url) => {
          onPick(url);
          onOpenChange(false);
        }}
      />
    </Dialog>
  );
}

function Library({ onPick }: Pick<PicturePickerProps, 'onPick'>) {
  const [{ search, page }, setView] = useState({ search: '', page: 1 });
  const library = useQuery(mediaLibraryQuery({ search, kind: 'image', page }));
  const { upload, isUploading } = usePictureFieldUpload(onPick);
  const { items = [], count } = library.data ?? {};
  return (
    // Space for the focus ring, which would be clipped.
    <div className="grid grid-cols-1 gap-5 p-1">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <SearchBox
          label="Search pictures"
          value={search}
          onSearch={(text = '') => setView({ search: text, page: 1 })}
        />
        <FileButton variant="secondary" accept="image/*" loading={isUploading} onFiles={upload}>
          <Upload aria-hidden="true" />
          Upload a picture
        </FileButton>
      </div>
      {library.isPending && <LoadingGrid />}
      {library.error && <LoadError error={library.error} onRetry={() => void library.refetch()} />}
      {library.data && items.length === 0 && (
        <EmptyState
          title={search ? 'No pictures found' : 'No pictures yet'}
          description={search ? 'No pictures match this search.' : 'Upload a picture to get started.'}
        />
      )}
      {items.length > 0 && (
        <MediaGrid files={items}>
          {(file) => (
            <button
              type="button"
              aria-label={`Use ${file.title}`}
              onClick={() => onPick(contentUrl(file.url))}
              className="grid w-full overflow-hidden rounded-lg border border-line text-left hover:border-line-strong"
            >
              <MediaThumbnail file={file} className="aspect-4/3" />
              <span className="truncate border-t border-line px-3 py-2 text-sm">{file.title}</span>
            </button>
          )}
        </MediaGrid>
      )}
      <Pagination page={page} count={count} onPageChange={(next) => setView({ search, page: next })} />
    </div>
  );
}
