import { clsx } from 'clsx';
import { FileText, Film, ImageOff, Music } from 'lucide-react';
import { useState } from 'react';
import { isPicture, type MediaFile } from '../../data/media.ts';

/** A small picture of a file, or a sign of its kind. What it is called stands beside it. */
export function MediaThumbnail({ file, className }: { file: MediaFile; className?: string }) {
  const [broken, setBroken] = useState(false);
  const Icon = iconOf(file);
  return (
    <span className={clsx('grid place-items-center overflow-hidden bg-sunken text-muted', className)}>
      {isPicture(file) && !broken ? (
        <img
          src={file.thumbnailUrl}
          alt={file.alt}
          width={file.width ?? undefined}
          height={file.height ?? undefined}
          loading="lazy"
          decoding="async"
          className="size-full object-contain"
          onError={() => setBroken(true)}
        />
      ) : (
        <Icon aria-hidden="true" className="size-10" strokeWidth={1.25} />
      )}
    </span>
  );
}

function iconOf({ mimetype }: MediaFile) {
  if (mimetype.startsWith('image/')) return ImageOff;
  if (mimetype.startsWith('video/')) return Film;
  return mimetype.startsWith('audio/') ? Music : FileText;
}
