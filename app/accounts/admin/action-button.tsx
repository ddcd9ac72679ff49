import type { UseMutationResult } from '@tanstack/react-query';
import { type RefObject, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';

interface ActionButtonProps<Variables> {
  action: UseMutationResult<unknown, Error, Variables>;
  /** Account that the action applies to. */
  variables: NoInfer<Variables>;
  label: string;
  title: string;
  /** Describes the consequences. */
  description: string;
  confirmLabel: string;
  destructive?: boolean;
  /** Style of the button. `destructive` styles the confirmation. */
  variant?: 'primary' | 'secondary' | 'danger-outline';
  focusAfter?: RefObject<HTMLElement | null>;
}

/** Button for an action on an account, with a confirmation that stays open if the action fails. */
export function ActionButton<Variables>({
  action,
  variables,
  label,
  variant = 'secondary',
  ...dialog
}: ActionButtonProps<Variables>) {
  const [isConfirming, setConfirming] = useState(false);
  return (
    <>
      <Button size="sm" variant={variant} loading={action.isPending} onClick={() => setConfirming(true)}>
        {label}
      </Button>
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title={dialog.title}
        description={dialog.description}
        confirmLabel={dialog.confirmLabel}
        destructive={dialog.destructive ?? false}
        loading={action.isPending}
        {...(dialog.focusAfter && { focusAfter: dialog.focusAfter })}
        onConfirm={() => action.mutate(variables, { onSuccess: () => setConfirming(false) })}
      />
    </>
  );
}
