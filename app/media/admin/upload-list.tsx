import { RotateCw, WifiOff, X } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import type { Upload } from './use-uploads.ts';

interface UploadListProps {
  uploads: Upload[];
  onRetry: (upload: Upload) => void;
  onRemove: (upload: Upload) => void;
}

/** Lists running, queued and failed uploads, with buttons to cancel, retry or dismiss them. */
export function UploadList({ uploads, onRetry, onRemove }: UploadListProps) {
  if (uploads.length === 0) return null;
  return (
    <ul
      aria-label="Uploads"
      className="grid max-h-80 grid-cols-1 divide-y divide-line overflow-y-auto rounded-lg border border-line bg-surface"
    >
      {uploads.map((upload) => (
        <UploadRow key={upload.id} upload={upload} onRetry={() => onRetry(upload)} onRemove={() => onRemove(upload)} />
      ))}
    </ul>
  );
}

interface UploadRowProps {
  upload: Upload;
  onRetry: () => void;
  onRemove: () => void;
}

function UploadRow({ upload, onRetry, onRemove }: UploadRowProps) {
  const { file, progress, isStalled, error, canRetry } = upload;
  return (
    <li className="flex items-center gap-1 py-2.5 pr-1.5 pl-4">
      <div className="mr-2 grid min-w-0 flex-1 grid-cols-1 gap-1.5">
        <p className="flex items-baseline justify-between gap-3 text-sm">
          <span className="truncate font-medium">{file.name}</span>
          {!error && (
            <span className="font-mono text-label text-muted">
              {progress < 1 ? `${Math.floor(progress * 100)}%` : 'Storing...'}
            </span>
          )}
        </p>
        {error ? (
          <p className="text-sm text-danger [overflow-wrap:anywhere]">{error}</p>
        ) : (
          <ProgressBar
            aria-label={`Upload of ${file.name}`}
            max={1}
            value={progress}
            className={isStalled ? 'text-warning' : 'text-accent'}
          />
        )}
        <p role="status" className="flex gap-1.5 text-sm text-warning empty:hidden">
          {isStalled && (
            <>
              <WifiOff aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
              Waiting for the connection. The upload will resume.
            </>
          )}
        </p>
      </div>
      {canRetry && (
        <Button variant="ghost" size="icon" aria-label={`Retry upload of ${file.name}`} onClick={onRetry}>
          <RotateCw aria-hidden="true" />
        </Button>
      )}
      <Button
        variant="ghost"
        size="icon"
        aria-label={`${error ? 'Dismiss' : 'Cancel upload of'} ${file.name}`}
        onClick={onRemove}
      >
        <X aria-hidden="true" />
      </Button>
    </li>
  );
}
