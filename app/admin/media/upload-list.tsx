import { X } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import type { Upload } from './use-uploads.ts';

/** The uploads that run, wait or failed, each with its progress and a way to be rid of it. */
export function UploadList({ uploads, onRemove }: { uploads: Upload[]; onRemove: (upload: Upload) => void }) {
  if (uploads.length === 0) return null;
  return (
    <ul
      aria-label="Uploads"
      className="grid max-h-80 grid-cols-1 divide-y divide-line overflow-y-auto rounded-lg border border-line bg-surface"
    >
      {uploads.map((upload) => (
        <UploadRow key={upload.id} upload={upload} onRemove={() => onRemove(upload)} />
      ))}
    </ul>
  );
}

function UploadRow({ upload: { file, progress, error }, onRemove }: { upload: Upload; onRemove: () => void }) {
  return (
    <li className="flex items-center gap-3 py-1.5 pr-1.5 pl-4">
      <div className="grid min-w-0 flex-1 grid-cols-1 gap-1.5">
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
          <progress
            aria-label={`Upload of ${file.name}`}
            max={1}
            value={progress}
            className="h-1.5 w-full accent-[var(--accent)]"
          />
        )}
      </div>
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
