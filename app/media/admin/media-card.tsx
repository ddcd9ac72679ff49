import { clsx } from 'clsx';
import { Link2, Trash2 } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { formatBytes } from '../../ui/lib/format-bytes.ts';
import type { MediaFile } from '../media.ts';
import { MediaThumbnail } from '../media-thumbnail.tsx';
import { copyUrl } from './copy-url.ts';
import { fileTypeLabel } from './file-labels.ts';

interface MediaCardProps {
  file: MediaFile;
  onOpen: () => void;
  onDelete: () => void;
  isSelected: boolean;
  onSelect: (isSelected: boolean) => void;
}

export function MediaCard({ file, onOpen, onDelete, isSelected, onSelect }: MediaCardProps) {
  return (
    <div
      className={clsx(
        'relative grid h-full grid-cols-1 overflow-hidden rounded-lg border bg-surface',
        isSelected ? 'border-accent outline-2 -outline-offset-2 outline-accent' : 'border-line',
      )}
    >
      <button type="button" aria-label={`Details of ${file.title}`} onClick={onOpen} className="-outline-offset-2">
        <MediaThumbnail file={file} className="aspect-4/3" />
      </button>
      <label className="absolute top-2 left-2 grid size-8 cursor-pointer place-items-center rounded-md border border-line bg-surface">
        <input
          type="checkbox"
          aria-label={`Select ${file.title}`}
          checked={isSelected}
          onChange={(event) => onSelect(event.target.checked)}
          className="size-5 cursor-[inherit]"
        />
      </label>
      <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center border-t border-line pt-2.5 pr-1 pb-0.5 pl-3">
        <h2 className="col-span-2 truncate pr-2 text-sm font-medium" title={file.title}>
          {file.title}
        </h2>
        <p className="font-mono text-label text-muted [overflow-wrap:anywhere]">
          {fileTypeLabel(file)} · <span className="whitespace-nowrap">{formatBytes(file.size)}</span>
        </p>
        <div className="flex">
          <Button
            variant="ghost"
            size="icon"
            aria-label={`Copy URL of ${file.title}`}
            onClick={() => void copyUrl(file)}
            className="size-9"
          >
            <Link2 aria-hidden="true" />
          </Button>
          <Button variant="ghost" size="icon" aria-label={`Delete ${file.title}`} onClick={onDelete} className="size-9">
            <Trash2 aria-hidden="true" />
          </Button>
        </div>
      </div>
    </div>
  );
}
