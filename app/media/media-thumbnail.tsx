import { clsx } from 'clsx';
import { FileText, Film, ImageOff, Music } from 'lucide-react';
import { useState } from 'react';
import { isPicture, type MediaFile } from './media.ts';

/** Renders the thumbnail of a picture, or an icon for other file types. */
export function MediaThumbnail({ file, className }: { file: MediaFile; className?: string }) {
  const [isBroken, setBroken] = useState(false);
  const Icon = chooseIcon(file);
  return (
    <span
      className={clsx(
        'grid grid-cols-[minmax(0,1fr)] grid-rows-[minmax(0,1fr)] place-items-center overflow-hidden bg-sunken text-muted',
        className,
      )}
    >
      {isPicture(file) && !isBroken ? (
        <img
          src={file.thumbnailUrl}
          alt={file.alt}
          width={file.width ?? undefined}
          height={file.height ?? undefined}
          loading="lazy"
          decoding="async"
          className="checkered h-auto max-h-full min-h-12 w-auto max-w-full min-w-12 object-contain"
          onError={() => setBroken(true)}
        />
      ) : (
        <Icon aria-hidden="true" className="size-10" strokeWidth={1.25} />
      )}
    </span>
  );
}

function chooseIcon({ mimetype }: MediaFile) {
  if (mimetype.startsWith('image/')) return ImageOff;
  if (mimetype.startsWith('video/')) return Film;
  return mimetype.startsWith('audio/') ? Music : FileText;
}
