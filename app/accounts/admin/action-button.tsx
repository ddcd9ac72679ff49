import type { UseMutationResult } from '@tanstack/react-query';
import { type RefObject, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';

interface ActionButtonProps<Variables> {
  action: UseMutationResult<unknown, Error, Variables>;
  /** Person on whom it acts. */
  variables: NoInfer<Variables>;
  label: string;
  title: string;
  /** Sentence about what will happen. */
  sentence: string;
  confirmLabel: string;
  destructive?: boolean;
  /** True when the button itself warns; the question before a destructive action always does. */
  warns?: boolean;
  focusAfter?: RefObject<HTMLElement | null>;
}

/** A button for an action on an account. It asks first, and the question stays open when the action fails. */
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
        variant={warns ? 'deletes' : 'secondary'}
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
