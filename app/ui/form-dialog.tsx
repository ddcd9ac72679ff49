import { type ComponentProps, useId } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Form } from './form.tsx';

interface FormDialogProps
  extends Pick<ComponentProps<typeof Dialog>, 'title' | 'description' | 'focusAfter' | 'children'>,
    Pick<ComponentProps<typeof Form>, 'onSubmit' | 'savesByKeyboard'> {
  submitLabel: string;
  submitVariant?: ComponentProps<typeof Button>['variant'];
  isPending?: boolean;
  disabled?: boolean;
  onClose: () => void;
}

/** Dialog with a form, a cancel button and a submit button. */
export function FormDialog(props: FormDialogProps) {
  const {
    onSubmit,
    savesByKeyboard = false,
    submitLabel,
    submitVariant,
    isPending,
    disabled,
    onClose,
    children,
    ...dialog
  } = props;
  const formId = useId();
  return (
    <Dialog
      {...dialog}
      open
      onOpenChange={(open) => !open && onClose()}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" variant={submitVariant} form={formId} loading={isPending} disabled={disabled}>
            {submitLabel}
          </Button>
        </>
      }
    >
      <Form id={formId} onSubmit={onSubmit} savesByKeyboard={savesByKeyboard} className="grid grid-cols-1 gap-5 pt-1">
        {children}
      </Form>
    </Dialog>
  );
}
