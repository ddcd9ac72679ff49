import type { UseMutationResult } from '@tanstack/react-query';
import { type RefObject, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';

interface ActButtonProps<Variables> {
  act: UseMutationResult<unknown, Error, Variables>;
  /** Person on whom it acts. */
  variables: NoInfer<Variables>;
  label: string;
  title: string;
  /** Sentence about what will happen. */
  sentence: string;
  confirmLabel: string;
  destructive?: boolean;
  /** True when the button itself warns; the question before a destructive act always does. */
  warns?: boolean;
  focusAfter?: RefObject<HTMLElement | null>;
}

/** A button for an act on an account. It asks first, and the question stays open when the act fails. */
export function ActButton<Variables>({ act, variables, label, warns = false, ...question }: ActButtonProps<Variables>) {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <Button
        size="sm"
        variant={warns ? 'danger' : 'secondary'}
        loading={act.isPending}
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
        loading={act.isPending}
        {...(question.focusAfter && { focusAfter: question.focusAfter })}
        onConfirm={() => act.mutate(variables, { onSuccess: () => setIsAsking(false) })}
      />
    </>
  );
}
