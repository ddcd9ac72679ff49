import { ImageOff } from 'lucide-react';
import { useState } from 'react';
import { useAllowed } from '../../api/host/page-policy.ts';
import { Button } from '../../ui/button.tsx';
import { isMissing } from './extensions.ts';
import type { Pictures, TrayPicture } from './use-pictures.ts';

/** Lists the pasted pictures that are not stored on this site, with buttons to upload them. */
export function PictureTray({ pictures }: { pictures: Pictures }) {
  const { tray } = pictures;
  const toFetch = tray.filter(({ source, isUploading }) => source && !isUploading);
  if (tray.length === 0) return null;
  return (
    <section
      aria-label="Pictures from other sites"
      className="grid max-h-[40dvh] gap-3 overflow-y-auto border-t border-line px-3.5 py-3.5"
    >
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-sm text-muted">{summaryText(tray.length)}</p>
        <div className="flex flex-wrap gap-2">
          {toFetch.length > 1 && (
            <Button
              variant="secondary"
              size="sm"
              onClick={() => void Promise.all(toFetch.map((picture) => pictures.fetch(picture)))}
            >
              Upload all {toFetch.length}
            </Button>
          )}
          <Button variant="ghost" size="sm" onClick={() => pictures.dismiss(tray)}>
            Keep links
          </Button>
        </div>
      </div>
      <ul className="grid gap-3">
        {tray.map((picture) => (
          <ExternalPicture key={picture.url} picture={picture} pictures={pictures} />
        ))}
      </ul>
    </section>
  );
}

function summaryText(count: number): string {
  return count === 1
    ? '1 pasted picture is not stored on this site.'
    : `${count} pasted pictures are not stored on this site.`;
}

function ExternalPicture({ picture, pictures }: { picture: TrayPicture; pictures: Pictures }) {
  const { source, alt, problem, isUploading = false } = picture;
  const name = alt || nameOf(source);
  const isPlaceholder = isMissing(picture.url);
  return (
    <li className="flex flex-wrap items-center gap-3">
      {/* Do not contact another site before the user decides to upload. */}
      <Thumbnail url={source?.startsWith('data:') ? source : ''} />
      <div className="grid min-w-40 flex-1 gap-0.5">
        <p className="truncate text-[0.9375rem]">{name}</p>
        <p
          role={problem ? 'alert' : undefined}
          className={problem ? 'text-sm text-danger' : 'text-sm break-words text-muted'}
        >
          {problem || describeSource(source)}
        </p>
      </div>
      <div className="flex gap-2">
        {source && (
          <Button variant="secondary" size="sm" loading={isUploading} onClick={() => void pictures.fetch(picture)}>
            {problem ? 'Try again' : 'Upload'}
            <span className="sr-only"> {name}</span>
          </Button>
        )}
        {isPlaceholder && (
          <Button variant="ghost" size="sm" onClick={() => pictures.remove(picture)}>
            Remove<span className="sr-only"> {name}</span>
          </Button>
        )}
      </div>
    </li>
  );
}

function nameOf(source: string | null | undefined): string {
  if (!source || source.startsWith('data:')) return 'Picture';
  return decodeURIComponent(/([^/?#]+)(?:[?#].*)?$/.exec(source)?.[1] ?? 'Picture');
}

function describeSource(source: string | null | undefined): string {
  if (!source) return 'This picture was not in the clipboard. Save it as a file and drag it into the text.';
  return source.startsWith('data:') ? 'From the clipboard' : new URL(source).hostname;
}

function Thumbnail({ url }: { url: string }) {
  const [isBroken, setBroken] = useState(false);
  const isAllowed = useAllowed('pictures');
  if (!url || isBroken || !isAllowed(url)) {
    return (
      <span className="grid size-11 shrink-0 place-items-center rounded-md border border-line bg-sunken text-muted">
        <ImageOff aria-hidden="true" className="size-5" />
      </span>
    );
  }
  return (
    <img
      src={url}
      alt=""
      loading="lazy"
      decoding="async"
      referrerPolicy="no-referrer"
      className="size-11 shrink-0 rounded-md border border-line object-cover"
      onError={() => setBroken(true)}
    />
  );
}
