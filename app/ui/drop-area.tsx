import { clsx } from 'clsx';
import { type DragEvent, type ReactNode, useRef, useState } from 'react';

interface DropAreaProps {
  /** Shown while files are dragged over it: 'Drop files to upload them'. */
  invitation: string;
  className?: string;
  onFiles: (files: FileList) => void;
  children: ReactNode;
}

/** Accepts files dropped anywhere on its children. */
export function DropArea({ invitation, className, onFiles, children }: DropAreaProps) {
  const [over, setOver] = useState(false);
  // Entering a child fires a leave event on the parent, so enters and leaves are counted.
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
