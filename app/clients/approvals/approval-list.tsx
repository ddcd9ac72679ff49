import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { FileCheck, Plus } from 'lucide-react';
import { type ComponentProps, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { DropdownItem, DropdownMenu } from '../../ui/dropdown-menu.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { useLinkedItem } from '../../ui/lib/use-linked-item.ts';
import { LoadError } from '../../ui/load-error.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import type { Client } from '../clients.ts';
import { LibraryDialog } from '../library/library-dialog.tsx';
import { ApprovalCard } from './approval-card.tsx';
import { type Approval, approvalsQuery } from './approvals.ts';
import { RequestCriteriaApprovalDialog } from './request-criteria-approval-dialog.tsx';
import { RequestFileApprovalDialog } from './request-file-approval-dialog.tsx';
import { RequestListApprovalDialog } from './request-list-approval-dialog.tsx';
import { RequestTextApprovalDialog } from './request-text-approval-dialog.tsx';
import { TeamApproval } from './team-approval.tsx';

interface ApprovalsProps {
  client: Client;
  /** True for team members, who request approvals. Client members decide. */
  isTeam?: boolean;
  /** True in the impersonated view, which is read-only. Omits the section label to avoid duplicate landmarks. */
  isImpersonated?: boolean;
  canDecide?: boolean;
  headingLevel: 2 | 3 | 4;
}

/** Lists a client's pending approvals, with the decided approvals collapsed below. */
export function Approvals({
  client,
  isTeam = false,
  isImpersonated = false,
  canDecide = false,
  headingLevel,
}: ApprovalsProps) {
  const Heading = `h${headingLevel}` as const;
  const heading = useRef<HTMLHeadingElement>(null);
  const [page, setPage] = useState(1);
  const [dialog, setDialog] = useState<Approval['kind'] | 'library' | null>(null);
  const close = () => setDialog(null);
  const { data, error, isPending, refetch } = useQuery(approvalsQuery(client.id, page));
  const cardProps = { client, isTeam, canDecide, canComment: !isImpersonated, headingLevel, focusAfter: heading };
  // Leads link to the approved text and list that they came from.
  const linkedId = useLocation({ select: ({ hash }) => /^approval-(.+)$/.exec(hash)?.[1] });
  const decided = data?.items.filter(({ verdict }) => verdict !== null) ?? [];
  return (
    <section
      aria-label={isImpersonated ? undefined : `Approvals, ${client.name}`}
      className={clsx('grid grid-cols-1', isTeam ? TEAM_CLASS : 'gap-3')}
    >
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Heading
          ref={heading}
          tabIndex={-1}
          className={clsx('scroll-mt-24', headingLevel === 4 ? 'font-medium' : 'text-lg font-semibold')}
        >
          Approvals
        </Heading>
        {isTeam && (
          <div className="flex flex-wrap gap-2">
            <Button variant="ghost" size="sm" onClick={() => setDialog('library')}>
              Text library
            </Button>
            <DropdownMenu
              trigger={
                <Button size="sm" aria-label={`Ask for approval: ${client.name}`}>
                  <Plus aria-hidden="true" />
                  Ask for approval
                </Button>
              }
            >
              <DropdownItem onSelect={() => setDialog('text')}>Approval of a text</DropdownItem>
              <DropdownItem onSelect={() => setDialog('list')}>Approval of a list</DropdownItem>
              <DropdownItem onSelect={() => setDialog('file')}>Approval of a file</DropdownItem>
              <DropdownItem onSelect={() => setDialog('criteria')}>Approval of criteria for meetings</DropdownItem>
            </DropdownMenu>
          </div>
        )}
      </div>
      {isPending && <Skeleton className="h-24 rounded-lg" />}
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {data?.waiting === 0 && <NothingPending isTeam={isTeam} hasNoApprovals={data.count === 0} />}
      {data && <ApprovalList {...cardProps} approvals={data.items.filter(({ verdict }) => verdict === null)} />}
      {data && decided.length > 0 && (
        <details open={isTeam || decided.some(({ id }) => id === linkedId)}>
          <summary className="w-fit cursor-pointer rounded-sm py-1 text-muted hover:text-ink">
            {`Decided: ${(data.count - data.waiting).toLocaleString('en-GB')}`}
          </summary>
          <ApprovalList {...cardProps} approvals={decided} className="mt-3" />
        </details>
      )}
      <Pagination page={page} count={data?.count} onPageChange={setPage} />
      {dialog === 'text' && <RequestTextApprovalDialog client={client} onClose={close} />}
      {dialog === 'list' && <RequestListApprovalDialog client={client} onClose={close} />}
      {dialog === 'library' && <LibraryDialog onClose={close} />}
      {dialog === 'file' && <RequestFileApprovalDialog client={client} onClose={close} />}
      {dialog === 'criteria' && <RequestCriteriaApprovalDialog client={client} onClose={close} />}
    </section>
  );
}

/** Message for an empty list. Explains the tab to clients who have never received a request. */
function NothingPending({ isTeam, hasNoApprovals }: { isTeam: boolean; hasNoApprovals: boolean }) {
  if (isTeam) return <p className="measure text-muted">No approvals are pending.</p>;
  if (!hasNoApprovals) return <p className="measure text-muted">Nothing needs your approval.</p>;
  return (
    <EmptyState
      icon={FileCheck}
      className="bg-surface"
      title="Nothing needs your approval."
      description="Before a campaign starts, its texts, lists and files appear here for your decision."
    />
  );
}

/** Matches the neighbouring cards. */
const TEAM_CLASS = 'gap-4 rounded-lg border border-line bg-surface p-5';

interface ApprovalListProps extends Omit<ComponentProps<typeof ApprovalCard>, 'approval'> {
  isTeam: boolean;
  approvals: readonly Approval[];
  className?: string;
}

function ApprovalList({ approvals, className, ...item }: ApprovalListProps) {
  if (approvals.length === 0) return null;
  return (
    <ul className={clsx('grid grid-cols-1 divide-y divide-line border-t border-line', className)}>
      {approvals.map((approval) => (
        <ApprovalItem key={approval.id} {...item} approval={approval} />
      ))}
    </ul>
  );
}

/** The impersonated view has no element IDs, because the page below the dialog may show the same items. */
function ApprovalItem({ isTeam, ...card }: ComponentProps<typeof ApprovalCard> & { isTeam: boolean }) {
  const id = card.canComment ? `approval-${card.approval.id}` : undefined;
  return (
    <li ref={useLinkedItem(id)} id={id} tabIndex={-1} className={clsx('scroll-mt-24', isTeam ? 'py-1' : 'py-5')}>
      {isTeam ? <TeamApproval {...card} /> : <ApprovalCard {...card} />}
    </li>
  );
}
