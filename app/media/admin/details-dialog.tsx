import { useQuery } from '@tanstack/react-query';
import { FolderInput, Link2, Replace, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { formatBytes } from '../../ui/lib/format-bytes.ts';
import { formatTime } from '../../ui/lib/format-time.ts';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { downloadOriginalMutation, isPicture, type MediaFile, mediaOriginalQuery } from '../media.ts';
import { MediaThumbnail } from '../media-thumbnail.tsx';
import { AltForm } from './alt-form.tsx';
import { copyUrl } from './copy-url.ts';
import { fileTypeLabel } from './file-labels.ts';
import { FocalPointPicker } from './focal-point-picker.tsx';
import { UsageList } from './usage-list.tsx';

interface DetailsDialogProps {
  file: MediaFile;
  onClose: () => void;
  onDelete: () => void;
  onMove: () => void;
  onReplace: () => void;
}

/** Class that shows two buttons per row on phones. */
const ACTION_CLASS = 'max-sm:grow max-sm:basis-2/5';

/** Shows the details of a file, with actions. */
export function DetailsDialog({ file, onClose, onDelete, onMove, onReplace }: DetailsDialogProps) {
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      size="lg"
      title="File details"
      footer={
        <>
          <Button variant="secondary" className={ACTION_CLASS} onClick={onDelete}>
            <Trash2 aria-hidden="true" />
            Delete
          </Button>
          <Button variant="secondary" className={ACTION_CLASS} onClick={onMove}>
            <FolderInput aria-hidden="true" />
            Move
          </Button>
          <Button variant="secondary" className={ACTION_CLASS} onClick={onReplace}>
            <Replace aria-hidden="true" />
            Replace file
          </Button>
          <Button className={ACTION_CLASS} onClick={() => void copyUrl(file)}>
            <Link2 aria-hidden="true" />
            Copy URL
          </Button>
        </>
      }
    >
      <div className="grid grid-cols-1 items-start gap-6 md:grid-cols-2">
        {isPicture(file) && file.width !== null ? (
          <FocalPointPicker file={file} />
        ) : (
          <MediaThumbnail file={file} className="aspect-4/3 rounded-md border border-line" />
        )}
        <div className="grid grid-cols-1 gap-5">
          <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 text-[0.9375rem]">
            <Detail name="Name">{file.title}</Detail>
            <Detail name="Type">{fileTypeLabel(file)}</Detail>
            <Detail name="Size">{formatBytes(file.size)}</Detail>
            {file.width !== null && file.height !== null && (
              <Detail name="Dimensions">
                {file.width} × {file.height} px
              </Detail>
            )}
            {file.folder && <Detail name="Folder">{file.folder}</Detail>}
            {isPicture(file) && <OriginalDownload file={file} />}
            <Detail name="Uploaded">{formatTime(file.created_at)}</Detail>
            <Detail name="URL">
              <a href={file.url} target="_blank" rel="noopener" className="text-accent underline underline-offset-4">
                {file.name}
              </a>
            </Detail>
          </dl>
          {isPicture(file) && <AltForm file={file} />}
          <UsageList name={file.name} heading="Used in" />
        </div>
      </div>
    </Dialog>
  );
}

/** Renders a download link for the original picture, if it was kept. */
function OriginalDownload({ file: { name, title } }: { file: MediaFile }) {
  const { data: original } = useQuery(mediaOriginalQuery(name));
  const download = useMutationWithToasts(downloadOriginalMutation, { failure: 'Could not download the original' });
  if (!original) return null;
  return (
    <Detail name="Original">
      <button
        type="button"
        onClick={() => download.mutate({ name: original.name, title })}
        className="cursor-pointer text-accent underline underline-offset-4"
      >
        Download ({formatBytes(original.size)})
      </button>
    </Detail>
  );
}

function Detail({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="[overflow-wrap:anywhere]">{children}</dd>
    </>
  );
}
