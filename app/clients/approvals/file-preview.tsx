import { useQuery } from '@tanstack/react-query';
import { useAllowed } from '../../api/host/page-policy.ts';
import { buttonClass } from '../../ui/button.tsx';
import { formatBytes } from '../../ui/lib/format-bytes.ts';
import { LoadError } from '../../ui/load-error.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { TextBox } from '../../ui/text-difference.tsx';
import { DownloadButton } from '../files/download-button.tsx';
import { type FileInfo, fileStartQuery, signedUrlQuery } from '../files/files.ts';

/** Previews images and the start of text files. Links to the file and offers a download. */
export function FilePreview({ file }: { file: FileInfo }) {
  const { data: url, error, isPending, refetch } = useQuery(signedUrlQuery(file.object_name));
  const isAllowed = useAllowed('pictures');
  const isPicture = file.mimetype.startsWith('image/');
  if (isPending) return <Skeleton className="h-48 rounded-md" />;
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  return (
    <div className="grid grid-cols-1 gap-3">
      {isPicture && isAllowed(url) && (
        <img
          src={url}
          alt={file.name}
          className="max-h-112 max-w-full justify-self-start rounded-md border border-line object-contain"
        />
      )}
      {file.mimetype.startsWith('text/') && <TextPreview file={file} />}
      <div className="flex flex-wrap items-center gap-3">
        <a
          href={url}
          target="_blank"
          rel="noreferrer"
          aria-label={`Open ${file.name}`}
          className={buttonClass({ variant: 'secondary', size: 'sm' })}
        >
          Open
        </a>
        <DownloadButton file={file} />
        <p className="text-sm text-muted [overflow-wrap:anywhere]">{`${file.name}, ${formatBytes(file.size)}`}</p>
      </div>
    </div>
  );
}

function TextPreview({ file }: { file: FileInfo }) {
  const { data, error, isPending, refetch } = useQuery(fileStartQuery(file.object_name));
  if (isPending) return <Skeleton className="h-24 rounded-md" />;
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  return <TextBox label="Start of the file" pieces={[{ text: data, isChanged: false }]} />;
}
