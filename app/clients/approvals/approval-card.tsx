import { clsx } from 'clsx';
import { type RefObject, useState } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { formatDate } from '../../ui/lib/format-date.ts';
import { formatTime } from '../../ui/lib/format-time.ts';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { viewerNotice } from '../client-people.ts';
import type { Client } from '../clients.ts';
import { currentDate } from '../figures/progress.ts';
import { SaveToLibrary } from '../library/save-to-library.tsx';
import { NewestVersion, Versions } from './approval-versions.tsx';
import { type Approval, type Verdict, verdictLabel, withdrawMutation } from './approvals.ts';
import { ChangeDialog } from './change-dialog.tsx';
import { CHOICES } from './choices.ts';
import { Comments } from './comment-thread.tsx';
import { DecideDialog } from './decide-dialog.tsx';
import { DownloadRowsDialog } from './download-rows-dialog.tsx';
import { RequestCriteriaApprovalDialog } from './request-criteria-approval-dialog.tsx';
import { RequestFileApprovalDialog } from './request-file-approval-dialog.tsx';
import { RequestListApprovalDialog } from './request-list-approval-dialog.tsx';
import { RequestTextApprovalDialog } from './request-text-approval-dialog.tsx';
import { TextResults } from './text-results.tsx';

interface ApprovalCardProps {
  client: Client;
  approval: Approval;
  isTeam: boolean;
  canDecide: boolean;
  /** False for impersonated views. */
  canComment: boolean;
  headingLevel: 2 | 3 | 4;
  /** Receives keyboard focus when a decision moves the card to another list. */
  focusAfter: RefObject<HTMLElement | null>;
}

/** Returns classes that place the actions beside the content on wide screens. Texts are as wide as an email. */
function getLayoutClass({ isTeam, approval: { kind, verdict } }: ApprovalCardProps): string {
  if (isTeam) return 'sm:grid-cols-[minmax(0,1fr)_auto]';
  if (verdict !== null) return '';
  return clsx(
    'lg:gap-x-8',
    kind === 'text' ? 'lg:grid-cols-[minmax(0,37.5rem)_minmax(18rem,1fr)]' : 'lg:grid-cols-[minmax(0,1fr)_19rem]',
  );
}

const HEADINGS = { 2: 'h3', 3: 'h4', 4: 'h5' } as const;

/** Renders an approval. The content is expanded for members while a decision is pending, otherwise collapsed. */
export function ApprovalCard(props: ApprovalCardProps) {
  const { client, approval, isTeam, canDecide, canComment, headingLevel, focusAfter } = props;
  const { title, number, is_client_edit, asked_by, asked_at, verdict, comment, decided_by, decided_at } = approval;
  const Heading = HEADINGS[headingLevel];
  const requestDetails = [`Version ${number}`, asked_by && `requested by ${asked_by}`, formatTime(asked_at)];
  const decisionDetails = [
    decided_by && (is_client_edit ? `changed by ${decided_by}` : decided_by),
    decided_at && formatTime(decided_at),
  ];
  return (
    <div className="grid grid-cols-1 gap-4">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="grid min-w-0 gap-1">
          <Heading className="font-semibold [overflow-wrap:anywhere]">{title}</Heading>
          <p className="text-sm text-muted [overflow-wrap:anywhere]">
            {(verdict === null ? requestDetails : [`Version ${number}`, ...decisionDetails])
              .concat(formatRowCount(approval))
              .filter(Boolean)
              .join(' · ')}
          </p>
        </div>
        <ApprovalState client={client} approval={approval} />
      </div>
      {comment && (
        <blockquote className="measure border-l-2 border-line-strong pl-4 whitespace-pre-line [overflow-wrap:anywhere]">
          {comment}
        </blockquote>
      )}
      {verdict === 'changes' && (
        <p className="measure text-sm text-muted">
          Nothing is approved yet. We will send you the changed version for approval.
        </p>
      )}
      <div className={clsx('grid grid-cols-1 gap-4', getLayoutClass(props))}>
        <div className="grid min-w-0 grid-cols-1 content-start gap-4">
          {verdict === null && !isTeam ? (
            <NewestVersion client={client} approval={approval} canVeto={canDecide} />
          ) : (
            <Versions client={client} approval={approval} />
          )}
          {approval.kind === 'text' && verdict === null && <TextResults clientId={client.id} />}
          {approval.kind === 'text' && verdict === 'yes' && (
            <TextResults clientId={client.id} approvalId={approval.id} />
          )}
          {isTeam && <Comments clientId={client.id} approval={approval} canComment={canComment} />}
        </div>
        <div className="grid grid-cols-1 content-start gap-4">
          {isTeam && <TeamActions client={client} approval={approval} focusAfter={focusAfter} />}
          {!isTeam && !canDecide && verdict === null && (
            <p className="text-sm text-muted">{viewerNotice(client.name)}</p>
          )}
          {canDecide && verdict === null && (
            <Decision clientId={client.id} approval={approval} focusAfter={focusAfter} />
          )}
          {!isTeam && <Comments clientId={client.id} approval={approval} canComment={canComment} />}
        </div>
      </div>
    </div>
  );
}

function formatRowCount({ kind, row_count, veto_count }: Approval): string {
  if (kind !== 'list') return '';
  const rows = row_count === 1 ? '1 row' : `${row_count.toLocaleString('en-GB')} rows`;
  return veto_count === 0 ? rows : `${rows}, ${veto_count.toLocaleString('en-GB')} removed`;
}

function ApprovalState({
  client,
  approval: { verdict, is_client_edit, due_on },
}: Pick<ApprovalCardProps, 'client' | 'approval'>) {
  const [today] = useState(() => currentDate(client, new Date().toISOString()));
  if (verdict !== null) {
    return <Badge tone={verdict === 'yes' ? 'accent' : 'warning'}>{verdictLabel(verdict, is_client_edit)}</Badge>;
  }
  if (due_on === null) return <Badge>Pending</Badge>;
  const isLate = due_on < today;
  return <Badge tone={isLate ? 'warning' : 'neutral'}>{`${isLate ? 'Was due' : 'By'} ${formatDate(due_on)}`}</Badge>;
}

interface DecisionProps extends Pick<ApprovalCardProps, 'approval' | 'focusAfter'> {
  clientId: string;
}

function Decision({ clientId, approval, focusAfter }: DecisionProps) {
  // Keep the displayed version, because a newer version may arrive while the dialog is open.
  const [opened, setOpened] = useState<{ choice: Verdict | 'wording'; approval: Approval } | null>(null);
  const close = () => setOpened(null);
  return (
    <div className="flex flex-wrap gap-2 lg:rounded-md lg:border lg:border-line lg:bg-surface lg:p-3 lg:[&>:first-child]:w-full">
      {CHOICES.filter(([choice]) => choice !== 'wording' || approval.kind === 'text').map(
        ([choice, label, variant]) => (
          <Button
            key={choice}
            variant={variant}
            aria-label={`${label}: ${approval.title}`}
            onClick={() => setOpened({ choice, approval })}
          >
            {label}
          </Button>
        ),
      )}
      {opened?.choice === 'wording' && (
        <ChangeDialog clientId={clientId} approval={opened.approval} focusAfter={focusAfter} onClose={close} />
      )}
      {opened && opened.choice !== 'wording' && (
        <DecideDialog
          clientId={clientId}
          approval={opened.approval}
          verdict={opened.choice}
          focusAfter={focusAfter}
          onClose={close}
        />
      )}
    </div>
  );
}

const NEXT_VERSION_DIALOGS = {
  text: RequestTextApprovalDialog,
  list: RequestListApprovalDialog,
  file: RequestFileApprovalDialog,
  criteria: RequestCriteriaApprovalDialog,
} as const;

function TeamActions({ client, approval, focusAfter }: Pick<ApprovalCardProps, 'client' | 'approval' | 'focusAfter'>) {
  const [dialog, setDialog] = useState<'next' | 'download' | 'library' | 'withdraw' | null>(null);
  const close = () => setDialog(null);
  const NextVersion = NEXT_VERSION_DIALOGS[approval.kind];
  const withdraw = useMutationWithToasts(withdrawMutation, {
    success: 'Approval request withdrawn',
    failure: `Could not withdraw the ${approval.kind}`,
  });
  return (
    <div className="flex flex-wrap gap-3">
      <Button
        variant="secondary"
        size="sm"
        aria-label={`Next version of ${approval.title}`}
        onClick={() => setDialog('next')}
      >
        Next version
      </Button>
      {approval.list_sha256 !== null && approval.verdict === 'yes' && (
        <Button
          variant="secondary"
          size="sm"
          aria-label={`Download approved rows of ${approval.title}`}
          onClick={() => setDialog('download')}
        >
          Download approved rows
        </Button>
      )}
      {approval.kind === 'text' && approval.verdict === 'yes' && (
        <Button
          variant="secondary"
          size="sm"
          aria-label={`Save ${approval.title} to the library`}
          onClick={() => setDialog('library')}
        >
          Save to library
        </Button>
      )}
      {approval.may_withdraw && (
        <Button
          variant="ghost"
          size="sm"
          aria-label={`Withdraw ${approval.title}`}
          onClick={() => setDialog('withdraw')}
        >
          Withdraw
        </Button>
      )}
      {dialog === 'next' && <NextVersion client={client} approval={approval} onClose={close} />}
      {dialog === 'library' && <SaveToLibrary client={client} approval={approval} onClose={close} />}
      {dialog === 'download' && <DownloadRowsDialog clientId={client.id} approval={approval} onClose={close} />}
      <ConfirmDialog
        open={dialog === 'withdraw'}
        onOpenChange={close}
        title={`Withdraw ${approval.kind === 'criteria' ? 'these' : 'this'} ${approval.kind}?`}
        description={`“${approval.title}” and all its versions will be permanently deleted. No decision has been made yet.`}
        confirmLabel="Withdraw"
        destructive
        loading={withdraw.isPending}
        focusAfter={focusAfter}
        onConfirm={() => withdraw.mutate({ clientId: client.id, id: approval.id }, { onSettled: close })}
      />
    </div>
  );
}
