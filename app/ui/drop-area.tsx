import { clsx } from 'clsx';
import { type DragEvent, type ReactNode, useRef, useState } from 'react';

interface DropAreaProps {
  /** Shown while files are held over it: 'Drop files to upload them'. */
  invitation: string;
  className?: string;
  onFiles: (files: FileList) => void;
  children: ReactNode;
}

/** Takes files that are dropped anywhere on what it holds. */
export function DropArea({ invitation, className, onFiles, children }: DropAreaProps) {
  const [over, setOver] = useState(false);
  // Moving onto a child leaves the parent: only as many leaves as enters mean that the files are gone.
  const depth = useRef(0);

  const track = (step: 1 | -1) => (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return;
    depth.current += step;
    setOver(depth.current > 0);
  };
  const onDrop = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    depth.current = 0;
    setOver(false);
    onFiles(event.dataTransfer.files);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut; a button that chooses files does the same
    <div
      className={clsx('relative', className)}
      onDragEnter={track(1)}
      onDragLeave={track(-1)}
      onDragOver={(event) => event.dataTransfer.types.includes('Files') && event.preventDefault()}
      onDrop={onDrop}
    >
      {children}
      {over && (
        <div className="pointer-events-none absolute -inset-3 z-10 grid place-items-center rounded-lg border-2 border-dashed border-accent bg-canvas/85">
          <p className="text-lg font-semibold">{invitation}</p>
        </div>
      )}
    </div>
  );
}
