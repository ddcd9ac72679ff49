import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Switch } from '../../ui/switch.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { vetoMutation } from './approval-lists.ts';
import type { Approval } from './approvals.ts';
import { formatRowName, type ListRow } from './list-row.ts';

interface VetoDialogProps {
  clientId: string;
  approval: Approval;
  row: ListRow;
  onClose: () => void;
}

/** Removes a row, or all rows of its company, from the list. Optionally adds the removed contact to the blocklist. */
export function VetoDialog({ clientId, approval: { id, number, title }, row, onClose }: VetoDialogProps) {
  const [alsoBlock, setAlsoBlock] = useState(false);
  const veto = useMutationWithToasts(vetoMutation, {
    success: (count, { alsoBlock: isBlocked }) => [
      count === 1 ? '1 row removed' : `${count.toLocaleString('en-GB')} rows removed`,
      isBlocked ? 'Campaigns will no longer contact them.' : 'You can restore them until you decide.',
    ],
    failure: 'Could not remove the rows',
  });
  const removeRows = (target: { line: number } | { domain: string }) =>
    veto.mutate({ clientId, id, number, target, alsoBlock }, { onSuccess: onClose });
  const company = row.company || row.domain;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Remove ${formatRowName(row)}?`}
      description={`From “${title}”, version ${number}.`}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          {row.domain !== '' && (
            <Button variant="secondary" disabled={veto.isPending} onClick={() => removeRows({ domain: row.domain })}>
              {row.company_rows === 1 ? `Remove all of ${company}` : `Remove all ${row.company_rows} of ${company}`}
            </Button>
          )}
          <Button
            variant="danger"
            disabled={veto.isPending || (alsoBlock && row.hint === '')}
            onClick={() => removeRows({ line: row.line })}
          >
            Remove only this row
          </Button>
        </>
      }
    >
      <div className="grid grid-cols-1 gap-2 pt-1">
        <Switch
          label="Also add to the blocklist"
          checked={alsoBlock}
          onChange={(event) => setAlsoBlock(event.target.checked)}
        />
        <p className="measure text-sm text-muted">
          {row.hint === ''
            ? 'This row has no email address, so only the whole company can be blocked, by its domain.'
            : 'Companies are blocked by domain, people by email address.'}
        </p>
      </div>
    </Dialog>
  );
}
