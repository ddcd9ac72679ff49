import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatTime } from '../../ui/lib/format-time.ts';
import { LoadError } from '../../ui/load-error.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import type { Client } from '../clients.ts';
import { DownloadButton } from '../files/download-button.tsx';
import { type Approval, type Version, verdictLabel, versionsQuery } from './approvals.ts';
import { CriteriaList } from './criteria-list.tsx';
import { FilePreview } from './file-preview.tsx';
import { ListRows } from './list-rows.tsx';
import { MessageSheet, MessageWithPrevious } from './message-sheet.tsx';

interface NewestVersionProps {
  client: Client;
  approval: Approval;
  /** True for approvers while the version is pending. */
  canVeto?: boolean;
}

/** Shows the content of the newest version. Changes to a text are marked. */
export function NewestVersion({ client, approval, canVeto = false }: NewestVersionProps) {
  const { kind, text, former_text, file } = approval;
  if (kind === 'text') return <MessageWithPrevious from={client.name} text={text} formerText={former_text} />;
  return (
    <div className="grid grid-cols-1 gap-3">
      <VersionText kind={kind} text={text} />
      {kind === 'list' && <ListRows clientId={client.id} approval={approval} canVeto={canVeto} />}
      {file && <FilePreview file={file} />}
    </div>
  );
}

function VersionText({ kind, text }: Pick<Approval, 'kind' | 'text'>) {
  if (kind === 'criteria') return <CriteriaList text={text} />;
  return <p className="measure whitespace-pre-line [overflow-wrap:anywhere]">{text}</p>;
}

type VersionsProps = Pick<NewestVersionProps, 'client' | 'approval'>;

/** Shows the content and all versions with their decisions, loaded when expanded. */
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
        {isOpen && <VersionContent client={client} approval={approval} />}
      </div>
    </details>
  );
}

/** Shows the newest version of the content, and all versions with their decisions. */
export function VersionContent({ client, approval }: VersionsProps) {
  return (
    <>
      {approval.kind === 'text' ? (
        <MessageSheet from={client.name} text={approval.text} formerText={approval.former_text} />
      ) : (
        <NewestVersion client={client} approval={approval} />
      )}
      {(approval.verdict !== null || approval.number > 1) && <History client={client} approval={approval} />}
    </>
  );
}

/** Lists the decision on the newest version, and all earlier versions. */
function History({ client, approval }: VersionsProps) {
  const { data, error, isPending, refetch } = useQuery(versionsQuery(client.id, approval.id));
  if (isPending) return <Skeleton className="h-24 rounded-md" />;
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  return data.map((version) =>
    version.number === approval.number ? (
      version.verdict !== null && <DecisionRecord key={version.number} version={version} />
    ) : (
      <EarlierVersion key={version.number} client={client} approval={approval} version={version} />
    ),
  );
}

function EarlierVersion({ client, approval, version }: VersionsProps & { version: Version }) {
  const { number, title, text, created_at, file } = version;
  return (
    <div className="grid grid-cols-1 gap-2">
      <p className="font-mono text-label text-muted [overflow-wrap:anywhere]">
        {[`Version ${number}`, title !== approval.title && `“${title}”`, formatTime(created_at)]
          .filter(Boolean)
          .join(', ')}
      </p>
      {approval.kind === 'text' ? (
        <MessageSheet from={client.name} text={text} />
      ) : (
        <VersionText kind={approval.kind} text={text} />
      )}
      {file && (
        <div>
          <DownloadButton file={file} />
        </div>
      )}
      {version.verdict === null ? (
        <p className="text-sm text-muted">Replaced before a decision was made.</p>
      ) : (
        <DecisionRecord version={version} />
      )}
    </div>
  );
}

/** Shows a decision as it was recorded, with hashes to verify a copy of the content. */
function DecisionRecord({ version }: { version: Version }) {
  const { verdict, is_client_edit, comment, decided_by, decided_at, text_sha256, file_sha256 } = version;
  const label = verdict === null ? '' : verdictLabel(verdict, is_client_edit);
  const decisionText = [decided_by && `by ${decided_by}`, decided_at && `on ${formatTime(decided_at)}`]
    .filter(Boolean)
    .join(' ');
  return (
    <div className="grid grid-cols-1 gap-1 text-sm text-muted [overflow-wrap:anywhere]">
      <p>{[label, comment].filter(Boolean).join(': ')}</p>
      <p>{`Decided ${decisionText}`}</p>
      <Hash label="SHA-256 of the text" sha256={text_sha256} />
      <Hash label="SHA-256 of the file" sha256={file_sha256} />
    </div>
  );
}

function Hash({ label, sha256 }: { label: string; sha256: string | null }) {
  if (sha256 === null) return null;
  return (
    <p>
      <span>{`${label}: `}</span>
      <code className="font-mono text-xs">{sha256}</code>
    </p>
  );
}
