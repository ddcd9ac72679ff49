import { useLocation } from '@tanstack/react-router';
import { Download, FilePlus2, LibraryBig, Trash2 } from 'lucide-react';
import { type ComponentProps, type RefObject, useRef, useState } from 'react';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { ActionsMenu, DropdownItem } from '../../ui/dropdown-menu.tsx';
import { FoldRow } from '../../ui/list/fold-row.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { SaveToLibrary } from '../library/save-to-library.tsx';
import { type ApprovalCard, ApprovalState, detailsOf, HEADINGS, ReplyToRequest } from './approval-card.tsx';
import { VersionContent } from './approval-versions.tsx';
import { type Approval, withdrawMutation } from './approvals.ts';
import { Comments } from './comment-thread.tsx';
import { DownloadRowsDialog } from './download-rows-dialog.tsx';
import { RequestCriteriaApprovalDialog } from './request-criteria-approval-dialog.tsx';
import { RequestFileApprovalDialog } from './request-file-approval-dialog.tsx';
import { RequestListApprovalDialog } from './request-list-approval-dialog.tsx';
import { RequestTextApprovalDialog } from './request-text-approval-dialog.tsx';
import { TextResults } from './text-results.tsx';

/** Approval in the team's list: one row with a menu. The row expands to the content, the comments and the results. */
export function TeamApproval(props: ComponentProps<typeof ApprovalCard>) {
  const { client, approval, canComment, headingLevel, focusAfter } = props;
  const { id, title, number, kind, verdict, asked_by, comment_count: comments } = approval;
  const isLinked = useLocation({ select: ({ hash }) => hash === `approval-${id}` });
  const Heading = HEADINGS[headingLevel];
  return (
    <FoldRow
      isLazy
      isOpen={isLinked}
      menu={<TeamActions client={client} approval={approval} focusAfter={focusAfter} />}
      title={<Heading className="font-semibold [overflow-wrap:anywhere]">{title}</Heading>}
      detail={[`Version ${number}`, ...detailsOf(approval), comments > 0 && `Comments: ${comments}`]
        .filter(Boolean)
        .join(' · ')}
      badges={<ApprovalState client={client} approval={approval} />}
    >
      {verdict === null && asked_by && <p className="text-sm text-muted">{`Requested by ${asked_by}`}</p>}
      <ReplyToRequest approval={approval} />
      <VersionContent client={client} approval={approval} />
      {kind === 'text' && verdict === null && <TextResults clientId={client.id} />}
      {kind === 'text' && verdict === 'yes' && <TextResults clientId={client.id} approvalId={id} />}
      <Comments clientId={client.id} approval={approval} canComment={canComment} />
    </FoldRow>
  );
}

const NEXT_VERSIONS = {
  text: RequestTextApprovalDialog,
  list: RequestListApprovalDialog,
  file: RequestFileApprovalDialog,
  criteria: RequestCriteriaApprovalDialog,
} as const;

interface TeamActionsProps extends Pick<ComponentProps<typeof ApprovalCard>, 'client'> {
  approval: Approval;
  /** Receives keyboard focus when the row is removed. */
  focusAfter: RefObject<HTMLElement | null>;
}

function TeamActions({ client, approval, focusAfter }: TeamActionsProps) {
  const trigger = useRef<HTMLButtonElement>(null);
  const [dialog, setDialog] = useState<'next' | 'download' | 'library' | 'withdraw' | null>(null);
  const { id, kind, title, verdict } = approval;
  const close = () => setDialog(null);
  const dialogProps = { client, approval, focusAfter: trigger, onClose: close };
  const NextVersion = NEXT_VERSIONS[kind];
  const withdraw = useMutationWithToasts(withdrawMutation, {
    success: 'Approval request withdrawn',
    failure: `Could not withdraw the ${kind}`,
  });
  return (
    <>
      <ActionsMenu ref={trigger} aria-label={`Actions for ${title}`}>
        <DropdownItem onSelect={() => setDialog('next')}>
          <FilePlus2 aria-hidden="true" />
          Next version
        </DropdownItem>
        {approval.list_sha256 !== null && verdict === 'yes' && (
          <DropdownItem onSelect={() => setDialog('download')}>
            <Download aria-hidden="true" />
            Download approved rows
          </DropdownItem>
        )}
        {kind === 'text' && verdict === 'yes' && (
          <DropdownItem onSelect={() => setDialog('library')}>
            <LibraryBig aria-hidden="true" />
            Save to library
          </DropdownItem>
        )}
        {approval.may_withdraw && (
          <DropdownItem destructive onSelect={() => setDialog('withdraw')}>
            <Trash2 aria-hidden="true" />
            Withdraw
          </DropdownItem>
        )}
      </ActionsMenu>
      {dialog === 'next' && <NextVersion {...dialogProps} />}
      {dialog === 'library' && <SaveToLibrary {...dialogProps} />}
      {dialog === 'download' && (
        <DownloadRowsDialog clientId={client.id} approval={approval} focusAfter={trigger} onClose={close} />
      )}
      <ConfirmDialog
        open={dialog === 'withdraw'}
        onOpenChange={close}
        title={`Withdraw ${kind === 'criteria' ? 'these' : 'this'} ${kind}?`}
        description={`“${title}” and all its versions will be permanently deleted. No decision has been made yet.`}
        confirmLabel="Withdraw"
        destructive
        loading={withdraw.isPending}
        focusAfter={focusAfter}
        onConfirm={() => withdraw.mutate({ clientId: client.id, id }, { onSettled: close })}
      />
    </>
  );
}
