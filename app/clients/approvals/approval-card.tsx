import { clsx } from 'clsx';
import { type RefObject, useState } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { formatTime } from '../../ui/lib/format-time.ts';
import { viewerNotice } from '../client-people.ts';
import type { Client } from '../clients.ts';
import { currentDate, formatShortDay } from '../figures/progress.ts';
import { NewestVersion, Versions } from './approval-versions.tsx';
import { type Approval, type Verdict, verdictLabel } from './approvals.ts';
import { ChangeDialog } from './change-dialog.tsx';
import { CHOICES } from './choices.ts';
import { Comments } from './comment-thread.tsx';
import { DecideDialog } from './decide-dialog.tsx';
import { TextResults } from './text-results.tsx';

interface ApprovalCardProps {
  client: Client;
  approval: Approval;
  canDecide: boolean;
  /** False for impersonated views. */
  canComment: boolean;
  headingLevel: 2 | 3 | 4;
  /** Receives keyboard focus when a decision moves the card to another list. */
  focusAfter: RefObject<HTMLElement | null>;
}

export const HEADINGS = { 2: 'h3', 3: 'h4', 4: 'h5' } as const;

const ACTIONS_CLASS = 'sm:max-lg:grid-cols-2 lg:rounded-md lg:border lg:border-line lg:bg-surface lg:p-3';

/** Renders an approval for the client. The content is expanded while a decision is pending, otherwise collapsed. */
export function ApprovalCard(props: ApprovalCardProps) {
  const { client, approval, canDecide, canComment, headingLevel, focusAfter } = props;
  const { title, number, verdict } = approval;
  const Heading = HEADINGS[headingLevel];
  return (
    <div className="grid grid-cols-1 gap-4">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="grid min-w-0 gap-1">
          <Heading className="font-semibold [overflow-wrap:anywhere]">{title}</Heading>
          <p className="text-sm text-muted [overflow-wrap:anywhere]">
            {[`Version ${number}`, ...detailsOf(approval)].join(' · ')}
          </p>
        </div>
        <ApprovalState client={client} approval={approval} />
      </div>
      <ReplyToRequest approval={approval} />
      <div
        className={clsx(
          'grid grid-cols-1 gap-4',
          verdict === null && 'lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)] lg:gap-x-8',
        )}
      >
        <div className="grid min-w-0 grid-cols-1 content-start gap-4">
          {verdict === null ? (
            <NewestVersion client={client} approval={approval} canVeto={canDecide} />
          ) : (
            <Versions client={client} approval={approval} />
          )}
          {approval.kind === 'text' && verdict === null && <TextResults clientId={client.id} />}
          {approval.kind === 'text' && verdict === 'yes' && (
            <TextResults clientId={client.id} approvalId={approval.id} />
          )}
        </div>
        <div className={clsx('grid grid-cols-1 content-start gap-2 self-start', verdict === null && ACTIONS_CLASS)}>
          {!canDecide && verdict === null && <p className="text-sm text-muted">{viewerNotice(client.name)}</p>}
          {canDecide && verdict === null && (
            <Decision clientId={client.id} approval={approval} focusAfter={focusAfter} />
          )}
          <Comments clientId={client.id} approval={approval} canComment={canComment} />
        </div>
      </div>
    </div>
  );
}

/** Returns when the approval was requested, or who decided it and when, and the number of rows. */
export function detailsOf(approval: Approval): string[] {
  const { is_client_edit, asked_at, verdict, decided_by, decided_at } = approval;
  const details =
    verdict === null
      ? [formatTime(asked_at)]
      : [
          decided_by && (is_client_edit ? `changed by ${decided_by}` : decided_by),
          decided_at && formatTime(decided_at),
        ];
  return [...details, formatRowCount(approval)].filter((text): text is string => !!text);
}

/** Shows the client's comment on its decision. */
export function ReplyToRequest({ approval: { comment, verdict } }: Pick<ApprovalCardProps, 'approval'>) {
  return (
    <>
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
    </>
  );
}

function formatRowCount({ kind, row_count, veto_count }: Approval): string {
  if (kind !== 'list') return '';
  const rows = row_count === 1 ? '1 row' : `${row_count.toLocaleString('en-GB')} rows`;
  return veto_count === 0 ? rows : `${rows}, ${veto_count.toLocaleString('en-GB')} removed`;
}

export function ApprovalState({
  client,
  approval: { verdict, is_client_edit, due_on },
}: Pick<ApprovalCardProps, 'client' | 'approval'>) {
  const [today] = useState(() => currentDate(client, new Date().toISOString()));
  if (verdict !== null) {
    return <Badge tone={verdict === 'yes' ? 'accent' : 'warning'}>{verdictLabel(verdict, is_client_edit)}</Badge>;
  }
  if (due_on === null) return <Badge>Pending</Badge>;
  const isLate = due_on < today;
  const label = `${isLate ? 'Was due' : 'By'} ${formatShortDay(due_on, today)}`;
  return <Badge tone={isLate ? 'warning' : 'neutral'}>{label}</Badge>;
}

interface DecisionProps extends Pick<ApprovalCardProps, 'approval' | 'focusAfter'> {
  clientId: string;
}

function Decision({ clientId, approval, focusAfter }: DecisionProps) {
  // Keep the displayed version, because a newer version may arrive while the dialog is open.
  const [opened, setOpened] = useState<{ choice: Verdict | 'wording'; approval: Approval } | null>(null);
  const close = () => setOpened(null);
  return (
    <>
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
    </>
  );
}
