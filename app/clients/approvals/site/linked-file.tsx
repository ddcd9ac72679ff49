import { useQuery } from '@tanstack/react-query';
import { useAllowed } from '../../../api/host/page-policy.ts';
import { buttonClass } from '../../../ui/button.tsx';
import { formatBytes } from '../../../ui/lib/format-bytes.ts';
import { LoadError } from '../../../ui/load-error.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { TextBox } from '../../../ui/text-difference.tsx';
import { linkedFileQuery, linkedFileStartQuery } from '../linked-content.ts';
import type { LinkedVersion } from '../linked-version.ts';

interface LinkedFileProps {
  token: string;
  file: NonNullable<LinkedVersion['file']>;
}

/** Previews images and the start of text files. Every file can be opened in a new tab. */
export function LinkedFile({ token, file: { object_name, name, mimetype, size } }: LinkedFileProps) {
  const { data: url, error, isPending, refetch } = useQuery(linkedFileQuery(token, object_name));
  const isAllowed = useAllowed('pictures');
  if (isPending) return <Skeleton className="h-48 rounded-md" />;
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  return (
    <div className="grid grid-cols-1 gap-3">
      {mimetype.startsWith('image/') && isAllowed(url) && (
        <img
          src={url}
          alt={name}
          className="max-h-112 max-w-full justify-self-start rounded-md border border-line object-contain"
        />
      )}
      {mimetype.startsWith('text/') && <FileStart url={url} />}
      <div className="flex flex-wrap items-center gap-3">
        <a href={url} target="_blank" rel="noreferrer" className={buttonClass({ variant: 'secondary', size: 'sm' })}>
          Open the file
        </a>
        <p className="text-sm text-muted [overflow-wrap:anywhere]">{`${name}, ${formatBytes(size)}`}</p>
      </div>
    </div>
  );
}

function FileStart({ url }: { url: string }) {
  const { data, error, isPending, refetch } = useQuery(linkedFileStartQuery(url));
  if (isPending) return <Skeleton className="h-24 rounded-md" />;
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  return <TextBox label="Start of the file" pieces={[{ text: data, isChanged: false }]} />;
}
