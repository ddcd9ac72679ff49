import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatTime } from '../../ui/lib/format-time.ts';
import { LoadError } from '../../ui/load-error.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import type { Client } from '../clients.ts';
import { DownloadButton } from '../files/download-button.tsx';
import { type Approval, verdictLabel, versionsQuery } from './approvals.ts';
import { FilePreview } from './file-preview.tsx';
import { ListRows } from './list-rows.tsx';
import { MessageSheet, MessageWithPrevious } from './message-sheet.tsx';

interface NewestProps {
  client: Client;
  approval: Approval;
  /** Set for approvers while no decision has been made. */
  canVeto?: boolean;
}

/** Content of the newest version: a text with its changes marked, the rows of a list, or a file. */
export function Newest({ client, approval, canVeto = false }: NewestProps) {
  const { kind, text, former_text, file } = approval;
  if (kind === 'text') return <MessageWithPrevious from={client.name} text={text} formerText={former_text} />;
  return (
    <div className="grid grid-cols-1 gap-3">
      <p className="measure whitespace-pre-line [overflow-wrap:anywhere]">{text}</p>
      {kind === 'list' && <ListRows clientId={client.id} approval={approval} canVeto={canVeto} />}
      {file && <FilePreview file={file} />}
    </div>
  );
}

type VersionsProps = Pick<NewestProps, 'client' | 'approval'>;

/** All versions with their decisions, loaded when expanded. */
export function Versions({ client, approval }: VersionsProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="w-fit cursor-pointer rounded-sm text-sm text-muted hover:text-ink">
        {approval.number === 1
          ? `The ${approval.kind}`
          : `The ${approval.kind} and ${approval.number - 1} earlier ${approval.number === 2 ? 'version' : 'versions'}`}
      </summary>
      <div className="grid grid-cols-1 gap-4 pt-4">
        {approval.kind === 'text' ? (
          <MessageSheet from={client.name} text={approval.text} formerText={approval.former_text} />
        ) : (
          isOpen && <Newest client={client} approval={approval} />
        )}
        {isOpen && approval.kind === 'file' && approval.verdict !== null && (
          <NewestFileHash client={client} approval={approval} />
        )}
        {isOpen && approval.number > 1 && <EarlierVersions client={client} approval={approval} />}
      </div>
    </details>
  );
}

function EarlierVersions({ client, approval }: VersionsProps) {
  const { data, error, isPending, refetch } = useQuery(versionsQuery(client.id, approval.id));
  if (isPending) return <Skeleton className="h-24 rounded-md" />;
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  return data
    .filter(({ number }) => number < approval.number)
    .map(({ number, text, is_wording, created_at, client_files: file, approval_decisions: decision }) => (
      <div key={number} className="grid grid-cols-1 gap-2">
        <p className="font-mono text-label text-muted">{`Version ${number}, ${formatTime(created_at)}`}</p>
        {approval.kind === 'text' ? (
          <MessageSheet from={client.name} text={text} />
        ) : (
          <p className="measure whitespace-pre-line [overflow-wrap:anywhere]">{text}</p>
        )}
        {file && (
          <div>
            <DownloadButton file={file} />
          </div>
        )}
        <p className="text-sm text-muted [overflow-wrap:anywhere]">
          {decision
            ? [verdictLabel(decision.verdict, is_wording), decision.comment].filter(Boolean).join(': ')
            : 'Replaced before a decision was made.'}
        </p>
        <FileHash sha256={decision?.file_sha256} />
      </div>
    ));
}

function NewestFileHash({ client, approval: { id, number } }: VersionsProps) {
  const { data } = useQuery(versionsQuery(client.id, id));
  return <FileHash sha256={data?.find((version) => version.number === number)?.approval_decisions?.file_sha256} />;
}

/** Hash of the decided file, so that a copy can be verified. */
function FileHash({ sha256 }: { sha256: string | null | undefined }) {
  if (!sha256) return null;
  return (
    <p className="text-sm text-muted">
      SHA-256 of the file: <code className="font-mono text-xs [overflow-wrap:anywhere]">{sha256}</code>
    </p>
  );
}
