import { Button } from '../../../ui/button.tsx';

interface DialogButtonsProps {
  /** Id of the form that the second button submits. */
  formId: string;
  submitLabel: string;
  isPending: boolean;
  onClose: () => void;
}

/** The two buttons of a dialog with one form. */
export function DialogButtons({ formId, submitLabel, isPending, onClose }: DialogButtonsProps) {
  return (
    <>
      <Button variant="secondary" onClick={onClose}>
        Cancel
      </Button>
      <Button type="submit" form={formId} loading={isPending}>
        {submitLabel}
      </Button>
    </>
  );
}
