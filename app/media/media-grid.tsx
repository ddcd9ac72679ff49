import type { ReactNode } from 'react';
import { Skeleton } from '../ui/skeleton.tsx';
import type { MediaFile } from './media.ts';

const GRID_CLASS =
  'grid grid-cols-[repeat(auto-fill,minmax(min(9.5rem,100%),1fr))] gap-4 sm:grid-cols-[repeat(auto-fill,minmax(13rem,1fr))]';

/** Renders files in a responsive grid. */
export function MediaGrid({ files, children }: { files: MediaFile[]; children: (file: MediaFile) => ReactNode }) {
  return (
    <ul aria-label="Files" className={GRID_CLASS}>
      {files.map((file) => (
        <li key={file.id}>{children(file)}</li>
      ))}
    </ul>
  );
}

export function LoadingGrid() {
  return (
    <div className="grid grid-cols-1 gap-3">
      <p role="status" className="text-muted">
        Loading files...
      </p>
      <div className={GRID_CLASS}>
        {['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((key) => (
          <Skeleton key={key} className="aspect-square rounded-lg" />
        ))}
      </div>
    </div>
  );
}
