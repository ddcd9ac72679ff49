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
  sentence: string;
  confirmLabel: string;
  destructive?: boolean;
  /** Uses the danger style for the button. `destructive` styles the confirmation. */
  warns?: boolean;
  focusAfter?: RefObject<HTMLElement | null>;
}

/** Button for an action on an account, with a confirmation that stays open if the action fails. */
export function ActionButton<Variables>({
  action,
  variables,
  label,
  warns = false,
  ...question
}: ActionButtonProps<Variables>) {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <Button
        size="sm"
        variant={warns ? 'danger-outline' : 'secondary'}
        loading={action.isPending}
        onClick={() => setIsAsking(true)}
      >
        {label}
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setIsAsking}
        title={question.title}
        description={question.sentence}
        confirmLabel={question.confirmLabel}
        destructive={question.destructive ?? false}
        loading={action.isPending}
        {...(question.focusAfter && { focusAfter: question.focusAfter })}
        onConfirm={() => action.mutate(variables, { onSuccess: () => setIsAsking(false) })}
      />
    </>
  );
}
