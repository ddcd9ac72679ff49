import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Switch } from '../../ui/switch.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { vetoMutation } from './approval-lists.ts';
import type { Approval } from './approvals.ts';
import { type ListRow, nameOfRow } from './list-row.ts';

interface VetoDialogProps {
  clientId: string;
  approval: Approval;
  row: ListRow;
  onClose: () => void;
}

/** Takes a row off a list, or its company with all rows, for this list or from now on. */
export function VetoDialog({ clientId, approval: { id, number, title }, row, onClose }: VetoDialogProps) {
  const [andLeaveAlone, setLeaveAlone] = useState(false);
  const veto = useMutationWithToasts(vetoMutation, {
    success: (count, { andLeaveAlone: forEver }) => [
      count === 1 ? '1 row is off the list' : `${count.toLocaleString('en-GB')} rows are off the list`,
      forEver ? 'No campaign may write there from now on.' : 'Until you decide, you can put them back.',
    ],
    failure: 'Nothing was taken off',
  });
  const takeOff = (target: { line: number } | { domain: string }) =>
    veto.mutate({ clientId, id, number, target, andLeaveAlone }, { onSuccess: onClose });
  const company = row.company || row.domain;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Take off ${nameOfRow(row)}?`}
      description={`From “${title}”, version ${number}.`}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          {row.domain !== '' && (
            <Button variant="secondary" disabled={veto.isPending} onClick={() => takeOff({ domain: row.domain })}>
              {row.of_company === 1 ? `All of ${company}` : `All ${row.of_company} of ${company}`}
            </Button>
          )}
          <Button
            disabled={veto.isPending || (andLeaveAlone && row.hint === '')}
            onClick={() => takeOff({ line: row.line })}
          >
            Only this row
          </Button>
        </>
      }
    >
      <div className="grid grid-cols-1 gap-2 pt-1">
        <Switch
          label="And leave alone from now on"
          checked={andLeaveAlone}
          onChange={(event) => setLeaveAlone(event.target.checked)}
        />
        <p className="measure text-sm text-muted">
          {row.hint === ''
            ? 'No address is known of this row: only the whole company can go on “Do not contact”, by its domain.'
            : 'A company goes on “Do not contact” by its domain, a person by their address.'}
        </p>
      </div>
    </Dialog>
  );
}
