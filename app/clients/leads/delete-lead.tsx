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

/** Deletes a lead, for example when the person requests deletion of their data. */
export function DeleteLead({ clientId, lead, onDeleted }: DeleteLeadProps) {
  const [isConfirming, setConfirming] = useState(false);
  const remove = useMutationWithToasts(
    // Close the lead before it is refetched, which removes this button.
    { ...deleteLeadMutation, onSuccess: onDeleted },
    { success: 'Lead deleted successfully', failure: 'Could not delete the lead' },
  );
  return (
    <div>
      <Button variant="ghost" size="sm" onClick={() => setConfirming(true)}>
        Delete lead
      </Button>
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title="Delete this lead?"
        description={`${leadName(lead)} and its history will be permanently deleted. The content of the source event is deleted after 30 days. If the lead does not fit, change its status instead.`}
        confirmLabel="Delete"
        destructive
        loading={remove.isPending}
        onConfirm={() => remove.mutate({ clientId, id: lead.id })}
      />
    </div>
  );
}
