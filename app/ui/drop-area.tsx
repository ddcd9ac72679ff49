import { clsx } from 'clsx';
import { type DragEvent, type ReactNode, useRef, useState } from 'react';

interface DropAreaProps {
  /** Shown while files are dragged over the area: 'Drop files to upload them'. */
  invitation: string;
  className?: string;
  onFiles: (files: FileList) => void;
  children: ReactNode;
}

/** Accepts files dropped anywhere on its children. */
export function DropArea({ invitation, className, onFiles, children }: DropAreaProps) {
  const [isDragging, setDragging] = useState(false);
  // Entering a child fires `dragleave` on the parent, so enter and leave events are counted.
  const depth = useRef(0);

  const track = (step: 1 | -1) => (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return;
    depth.current += step;
    setDragging(depth.current > 0);
  };
  const onDrop = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    depth.current = 0;
    setDragging(false);
    onFiles(event.dataTransfer.files);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut for the upload button
    <div
      className={clsx('relative', className)}
      onDragEnter={track(1)}
      onDragLeave={track(-1)}
      onDragOver={(event) => event.dataTransfer.types.includes('Files') && event.preventDefault()}
      onDrop={onDrop}
    >
      {children}
      {isDragging && (
        <div className="pointer-events-none absolute -inset-3 z-10 grid place-items-center rounded-lg border-2 border-dashed border-accent bg-canvas/85">
          <p className="text-lg font-semibold">{invitation}</p>
        </div>
      )}
    </div>
  );
}
