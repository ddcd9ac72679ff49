import { useQuery } from '@tanstack/react-query';
import { FileUp, Folder } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { DropArea } from '../../ui/drop-area.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FileButton } from '../../ui/form/file-button.tsx';
import { formatBytes } from '../../ui/lib/format-bytes.ts';
import { formatTime } from '../../ui/lib/format-time.ts';
import { LoadError } from '../../ui/load-error.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import type { Client } from '../clients.ts';
import { DownloadButton } from './download-button.tsx';
import {
  ACCEPTED,
  deleteFileMutation,
  type FileInfo,
  filesQuery,
  setLogoMutation,
  uploadClientFileMutation,
} from './files.ts';

interface FilesProps {
  client: Pick<Client, 'id' | 'name' | 'logo'>;
  /** True for team members, who can upload files. Client members can only read files. */
  isTeam?: boolean;
  /** True in the impersonated view. Omits the section label to avoid duplicate landmarks. */
  isImpersonated?: boolean;
  headingLevel: 2 | 3 | 4;
}

/** Lists a client's files, newest first. */
export function Files({ client, isTeam = false, isImpersonated = false, headingLevel }: FilesProps) {
  const Heading = `h${headingLevel}` as const;
  const heading = useRef<HTMLHeadingElement>(null);
  const [page, setPage] = useState(1);
  const [fileToDelete, setFileToDelete] = useState<{ id: string; name: string } | null>(null);
  const { data, error, isPending, refetch } = useQuery(filesQuery(client.id, page));
  const upload = useMutationWithToasts(uploadClientFileMutation, {
    success: (_name, { file }) => [`${file.name} added`, `Everyone at ${client.name} can now open it.`],
    failure: 'Could not add the file',
  });
  const remove = useMutationWithToasts(deleteFileMutation, {
    success: 'File deleted',
    failure: 'Could not delete the file',
  });
  const isEmpty = data?.count === 0 && page === 1;
  const add = (file: File | undefined) => {
    if (!file) return;
    // The first file replaces the button that was pressed.
    upload.mutate({ clientId: client.id, file }, { onSuccess: () => isEmpty && heading.current?.focus() });
  };
  const addButton = (
    <FileButton
      size="sm"
      aria-label={`Add a file for ${client.name}`}
      accept={ACCEPTED}
      loading={upload.isPending}
      icon={FileUp}
      onFiles={([file]) => add(file)}
    >
      Add
    </FileButton>
  );
  return (
    <section aria-label={isImpersonated ? undefined : `Files, ${client.name}`}>
      <Card className="grid grid-cols-1 gap-4 p-5">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <Heading
            ref={heading}
            tabIndex={-1}
            className={headingLevel === 4 ? 'scroll-mt-24 font-medium' : 'scroll-mt-24 text-lg font-semibold'}
          >
            Files
          </Heading>
          {isTeam && data && !isEmpty && <>{addButton}</>}
        </div>
        {isPending && <Skeleton className="h-16 rounded-md" />}
        {error && <LoadError error={error} onRetry={() => void refetch()} />}
        {isEmpty && (isTeam ? <AddFirstFile addButton={addButton} onAdd={add} /> : <NoFiles />)}
        {data && data.items.length > 0 && (
          <FileRows client={client} files={data.items} isTeam={isTeam} onDelete={setFileToDelete} />
        )}
        <Pagination page={page} count={data?.count} onPageChange={setPage} />
      </Card>
      <ConfirmDialog
        open={fileToDelete !== null}
        onOpenChange={(open) => !open && setFileToDelete(null)}
        title="Delete this file?"
        description={`“${fileToDelete?.name}” will be permanently deleted, and the client will lose access to it.`}
        confirmLabel="Delete"
        destructive
        loading={remove.isPending}
        focusAfter={heading}
        onConfirm={() =>
          fileToDelete &&
          remove.mutate({ clientId: client.id, id: fileToDelete.id }, { onSettled: () => setFileToDelete(null) })
        }
      />
    </section>
  );
}

function AddFirstFile({ addButton, onAdd }: { addButton: ReactNode; onAdd: (file: File | undefined) => void }) {
  return (
    <DropArea invitation="Drop a file to add it" onFiles={([file]) => onAdd(file)}>
      <EmptyState
        icon={Folder}
        title="No files yet."
        description="Add images, PDF, CSV or plain text files of up to 25 MB. The client can open them. Files cannot be edited after upload."
        action={addButton}
      />
    </DropArea>
  );
}

function NoFiles() {
  return (
    <p className="measure text-muted">
      No files yet. Files we share with you appear here. Only your team and ours can see them.
    </p>
  );
}

interface FileRowsProps extends Pick<FilesProps, 'client'> {
  files: readonly FileRowProps['file'][];
  isTeam: boolean;
  onDelete: (file: FileRowProps['file']) => void;
}

function FileRows({ client, files, isTeam, onDelete }: FileRowsProps) {
  const setLogo = useMutationWithToasts(setLogoMutation, {
    success: (_result, { id }) => (id === null ? 'Logo removed' : `${client.name} has a new logo`),
    failure: 'Could not change the logo',
  });
  return (
    <ul className="grid grid-cols-1 divide-y divide-line">
      {files.map((file) => (
        <FileRow
          key={file.id}
          file={file}
          isLogo={file.object_name === client.logo}
          onLogo={
            isTeam && file.mimetype.startsWith('image/')
              ? (id) => setLogo.mutate({ clientId: client.id, id })
              : undefined
          }
          onDelete={isTeam ? () => onDelete(file) : undefined}
        />
      ))}
    </ul>
  );
}

interface FileRowProps {
  file: FileInfo & { id: string; created_at: string };
  isLogo: boolean;
  /** Sets the logo, or removes it with null. Undefined if the user cannot change the logo. */
  onLogo: ((id: string | null) => void) | undefined;
  onDelete: (() => void) | undefined;
}

function FileRow({ file, isLogo, onLogo, onDelete }: FileRowProps) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
      <div className="min-w-0">
        <p className="[overflow-wrap:anywhere]">
          {file.name}
          {isLogo && <Badge className="ml-3 align-middle">Logo</Badge>}
        </p>
        <p className="text-sm text-muted">{`${formatBytes(file.size)} · ${formatTime(file.created_at)}`}</p>
      </div>
      <div className="flex flex-wrap gap-3">
        {onLogo && (
          <Button
            variant="ghost"
            size="sm"
            aria-label={`${isLogo ? 'Remove logo' : 'Use as logo'}: ${file.name}`}
            onClick={() => onLogo(isLogo ? null : file.id)}
          >
            {isLogo ? 'Remove logo' : 'Use as logo'}
          </Button>
        )}
        <DownloadButton file={file} />
        {onDelete && (
          <Button variant="ghost" size="sm" aria-label={`Delete ${file.name}`} onClick={onDelete}>
            Delete
          </Button>
        )}
      </div>
    </li>
  );
}
