import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatTime } from '../../ui/lib/format-time.ts';
import { LoadError } from '../../ui/load-error.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { TextBox, TextDifference } from '../../ui/text-difference.tsx';
import { DownloadButton } from '../files/download-button.tsx';
import { type Approval, verdictLabel, versionsQuery } from './approvals.ts';
import { FilePreview } from './file-preview.tsx';
import { ListRows } from './list-rows.tsx';

interface NewestProps {
  clientId: string;
  approval: Approval;
  /** Set for approvers while no decision has been made. */
  canVeto?: boolean;
}

/** Content of the newest version: a text beside its previous version, the rows of a list, or a file. */
export function Newest({ clientId, approval, canVeto = false }: NewestProps) {
  if (approval.kind === 'text') return <NewestText approval={approval} />;
  return (
    <div className="grid grid-cols-1 gap-3">
      <p className="measure whitespace-pre-line [overflow-wrap:anywhere]">{approval.text}</p>
      {approval.kind === 'list' && <ListRows clientId={clientId} approval={approval} canVeto={canVeto} />}
      {approval.file && <FilePreview file={approval.file} />}
    </div>
  );
}

/** Newest text, beside the previous version if one exists. */
function NewestText({ approval: { number, text, former_text } }: Pick<NewestProps, 'approval'>) {
  if (former_text === null) return <TextBox label="Text" pieces={[{ text, isChanged: false }]} />;
  const labels = [`Version ${number - 1}`, `Version ${number}, new`] as const;
  return <TextDifference before={former_text} after={text} labels={labels} isWhole />;
}

/** All versions with their decisions, loaded when expanded. */
export function Versions({ clientId, approval }: Pick<NewestProps, 'clientId' | 'approval'>) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="w-fit cursor-pointer rounded-sm text-sm text-muted hover:text-ink">
        {approval.number === 1
          ? `The ${approval.kind}`
          : `The ${approval.kind} and ${approval.number - 1} earlier ${approval.number === 2 ? 'version' : 'versions'}`}
      </summary>
      <div className="grid grid-cols-1 gap-4 pt-4">
        {(isOpen || approval.kind === 'text') && <Newest clientId={clientId} approval={approval} />}
        {isOpen && approval.kind === 'file' && approval.verdict !== null && (
          <NewestFileHash clientId={clientId} approval={approval} />
        )}
        {isOpen && approval.number > 1 && <EarlierVersions clientId={clientId} approval={approval} />}
      </div>
    </details>
  );
}

function EarlierVersions({ clientId, approval }: Pick<NewestProps, 'clientId' | 'approval'>) {
  const { data, error, isPending, refetch } = useQuery(versionsQuery(clientId, approval.id));
  if (isPending) return <Skeleton className="h-24 rounded-md" />;
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  return data
    .filter(({ number }) => number < approval.number)
    .map(({ number, text, is_wording, created_at, client_files: file, approval_decisions: decision }) => (
      <div key={number} className="grid justify-items-start gap-2 *:first:w-full">
        <TextBox label={`Version ${number}, ${formatTime(created_at)}`} pieces={[{ text, isChanged: false }]} />
        {file && <DownloadButton file={file} />}
        <p className="text-sm text-muted [overflow-wrap:anywhere]">
          {decision
            ? [verdictLabel(decision.verdict, is_wording), decision.comment].filter(Boolean).join(': ')
            : 'Replaced before a decision was made.'}
        </p>
        <FileHash sha256={decision?.file_sha256} />
      </div>
    ));
}

function NewestFileHash({ clientId, approval: { id, number } }: Pick<NewestProps, 'clientId' | 'approval'>) {
  const { data } = useQuery(versionsQuery(clientId, id));
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
