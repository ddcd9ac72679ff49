import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { type Lead, leadName } from './lead-schema.ts';
import { deleteLeadMutation } from './leads.ts';

interface DeleteLeadProps {
  clientId: string;
  lead: Lead;
  onDeleted: () => void;
}

/** Deletes a lead, for people who ask for their data to be deleted. */
export function DeleteLead({ clientId, lead, onDeleted }: DeleteLeadProps) {
  const [asks, setAsks] = useState(false);
  const remove = useMutationWithToasts(
    // Close the lead before it is refetched, which removes this button.
    { ...deleteLeadMutation, onSuccess: onDeleted },
    { success: 'Lead deleted successfully', failure: 'Could not delete the lead' },
  );
  return (
    <div>
      <Button variant="ghost" size="sm" onClick={() => setAsks(true)}>
        Delete lead
      </Button>
      <ConfirmDialog
        open={asks}
        onOpenChange={setAsks}
        title="Delete this lead?"
        description={`${leadName(lead)} will be permanently deleted with the history. The event of the source is emptied after 30 days. If the lead does not fit, change its status instead.`}
        confirmLabel="Delete"
        destructive
        loading={remove.isPending}
        onConfirm={() => remove.mutate({ clientId, id: lead.id })}
      />
    </div>
  );
}
