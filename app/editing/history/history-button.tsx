import { History } from 'lucide-react';
import { useState } from 'react';
import { type FieldValues, useFormContext } from 'react-hook-form';
import type { z } from 'zod';
import { storeSeparately } from '../../accounts/unsaved-work.ts';
import { Button, COMPACT_LABEL_CLASS } from '../../ui/button.tsx';
import { isSameContent, restoreValues } from '../../ui/form/form-values.ts';
import { LoadFailure, lazy } from '../../ui/lazy.tsx';
import { formatTime } from '../../ui/lib/format-time.ts';
import { toast } from '../../ui/toast.ts';
import { useEditorId } from '../use-editor-id.ts';
import type { ContentVersion, VersionData, VersionedItem } from './content-versions.ts';
import type { HistoryDialogProps } from './history-dialog.tsx';

const HistoryDialog = lazy<HistoryDialogProps>(() => import('./history-dialog.tsx'), { Failed: HistoryFailed });

interface HistoryButtonProps {
  item: VersionedItem;
  /** Subject of the history for screen readers, such as 'Site name'. */
  subject?: string | undefined;
  schema: z.ZodObject;
  /** Stable key of the form, as for UnsavedBar. */
  formKey: string;
  /** Version being edited, if the form tracks versions. */
  base?: unknown;
  /** Converts a stored row to form values. Omitted fields are kept. */
  toFormValues: (data: VersionData) => FieldValues;
}

/** Opens the history of the surrounding form. Restoring copies a version into the form, where it can be saved. */
export function HistoryButton({ item, subject, schema, ...form }: HistoryButtonProps) {
  const restore = useRestore({ schema, ...form });
  return <HistoryOpener subject={subject} item={item} order={Object.keys(schema.shape)} onRestore={restore} />;
}

interface HistoryOpenerProps extends Omit<HistoryDialogProps, 'onClose'> {
  subject?: string | undefined;
}

/** Opens the history dialog. */
export function HistoryOpener({ subject, ...props }: HistoryOpenerProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="secondary" size="sm" onPointerEnter={HistoryDialog.preload} onClick={() => setOpen(true)}>
        <History aria-hidden="true" />
        <span className={COMPACT_LABEL_CLASS}>History</span>
        {subject !== undefined && <span className="sr-only"> of {subject}</span>}
      </Button>
      {isOpen && <HistoryDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Returns a function that copies a version into the surrounding form. */
export function useRestore({ schema, formKey, base, toFormValues }: Omit<HistoryButtonProps, 'item' | 'of'>) {
  const editorId = useEditorId();
  const { getValues, reset, formState } = useFormContext();
  const { defaultValues } = formState;
  return (data: VersionData, { at }: ContentVersion) => {
    const typedValues = getValues();
    const wasSaved = isSameContent(schema, typedValues, defaultValues ?? {});
    // Store the replaced input. The form offers to restore it the next time it is opened.
    if (!wasSaved) void storeSeparately(editorId, formKey, { values: typedValues, base });
    reset(restoreValues(schema, toFormValues(data), typedValues), { keepDefaultValues: true });
    toast.success(`Restored the version of ${formatTime(at)} to the form`, 'Save the form to apply it.', {
      label: 'Undo',
      isAboutForm: true,
      onClick: () => reset(typedValues, { keepDefaultValues: true }),
    });
  };
}

function HistoryFailed({ onRetry, onClose }: HistoryDialogProps & { onRetry: () => void }) {
  return <LoadFailure onRetry={onRetry} onClose={onClose} />;
}
