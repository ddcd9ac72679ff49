import { zodResolver } from '@hookform/resolvers/zod';
import { type RefObject, useRef, useState } from 'react';
import { type FieldValues, type UseFormReturn, useForm } from 'react-hook-form';
import type { z } from 'zod';
import { errorCode, isDuplicateSlug } from '../api/error-code.ts';
import { showSaved } from '../ui/form/show-saved.ts';
import { type Merge, type MergePath, mergeThreeWay } from '../ui/lib/three-way-merge.ts';
import { toast } from '../ui/toast.ts';
import { useMutationWithToasts } from '../ui/use-mutation-with-toasts.ts';
import { type Document, NOT_SAVED, StaleError, type Versioned } from './document.ts';
import { mergeNotice } from './merge-messages.ts';

interface DocumentOptions {
  document: Document;
  /** Version loaded into the form. Undefined for a new document. */
  initial: Versioned | undefined;
  /** Initial field values, if they differ from that version. */
  values?: FieldValues;
  /** Time of the first validation. Defaults to submit. */
  mode?: 'onChange';
  /** Navigates away after saving. If omitted, the form stays open. */
  leave?: () => unknown;
}

interface Save {
  values: FieldValues;
  /** Version to save over. */
  base: Versioned | undefined;
}

/** A conflict that the user has not resolved yet. */
export interface Conflict {
  mine: FieldValues;
  /** Null if the document was deleted. */
  merged: { base: Versioned; current: Versioned; merge: Merge<FieldValues> } | null;
}

/**
 * Edits a document in a form. Concurrent changes to other fields are merged on save. If both users changed a field, the
 * user chooses its value. The form shows all other errors.
 */
export function useDocument({ document, initial, values, mode, leave }: DocumentOptions) {
  const form = useForm<FieldValues, unknown, FieldValues>({
    resolver: zodResolver(document.schema),
    defaultValues: values ?? initial?.content ?? {},
    ...(mode && { mode }),
  });
  const { start, save, mergeAndSave, write, openedVersion, setOpenedVersion, conflict, setConflict, saved } = useSaving(
    {
      document,
      form,
      initial,
      leave,
    },
  );
  return {
    document,
    form,
    /** Version that the form is based on. Undefined for a new document. */
    openedVersion,
    setOpenedVersion,
    /** True after a save that closes the form. */
    saved,
    leave,
    save: start,
    isSaving: write.isPending,
    /** Error shown above the fields. Null if a field or dialog shows it. */
    saveError: write.error instanceof StaleError || isDuplicateSlug(write.error) ? null : write.error,
    conflict,
    keepEditing: () => setConflict(null),
    resolveConflict: (selectsTheirs: (path: MergePath) => boolean) => {
      if (!conflict?.merged) return;
      const { base, current } = conflict.merged;
      void mergeAndSave(conflict.mine, base, current, selectsTheirs);
    },
    loadTheirVersion: () => {
      if (!conflict?.merged) return;
      setConflict(null);
      setOpenedVersion(conflict.merged.current);
      form.reset(conflict.merged.current.content);
    },
    saveAsNew: () => {
      if (!conflict) return;
      setConflict(null);
      void save(conflict.mine, undefined);
    },
  };
}

export type Editing = ReturnType<typeof useDocument>;

interface SavingOptions extends Pick<DocumentOptions, 'document' | 'initial' | 'leave'> {
  form: UseFormReturn<FieldValues, unknown, FieldValues>;
}

/** Saves the form over its base version, and stores the conflict if the save is rejected. */
function useSaving({ document, form, initial, leave }: SavingOptions) {
  // Base version of the form values. Restored unsaved work has an older one.
  const [openedVersion, setOpenedVersion] = useState(initial);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  /** Concurrent changes included in the running save. */
  const mergedPaths = useRef<readonly MergePath[]>([]);
  const submittedValues = useRef<FieldValues>({});
  const saved = useRef(false);
  const write = useWrite(document, openedVersion, mergedPaths);

  const start = (values: FieldValues): Promise<void> => {
    mergedPaths.current = [];
    submittedValues.current = values;
    return save(values, openedVersion);
  };

  const save = async (mine: FieldValues, base: Versioned | undefined): Promise<void> => {
    let version: string | undefined;
    try {
      version = await write.mutateAsync({ values: mine, base });
    } catch (error) {
      if (error instanceof StaleError && base) {
        if (error.current) return mergeAndSave(mine, base, error.current);
        setConflict({ mine, merged: null });
      }
      const fieldError = rejectedField(error, document.singular);
      if (fieldError) form.setError(fieldError.field, { message: fieldError.message }, { shouldFocus: true });
      return;
    }
    if (leave) {
      saved.current = true;
      await leave();
      return;
    }
    setOpenedVersion({ content: mine, version: version ?? NOT_SAVED });
    showSaved(form, mine, submittedValues.current, mergedPaths.current.length > 0);
  };

  /** Merges and saves both versions. If both users changed the same field, asks first. */
  const mergeAndSave = async (
    mine: FieldValues,
    base: Versioned,
    current: Versioned,
    selectsTheirs?: (path: MergePath) => boolean,
  ): Promise<void> => {
    const merge = mergeContents(document, base.content, mine, current.content, selectsTheirs);
    if (merge.conflicts.length > 0 && !selectsTheirs) {
      setConflict({ mine, merged: { base, current, merge } });
      return;
    }
    setConflict(null);
    const theirPaths = merge.conflicts.map(({ path }) => path).filter((path) => selectsTheirs?.(path));
    mergedPaths.current = [...mergedPaths.current, ...merge.mergedPaths, ...theirPaths];
    const result = document.schema.safeParse(merge.value);
    if (result.success) return save(result.data, current);
    // Each version was valid, but the merged one is not. Show its errors in the form.
    form.reset(merge.value, { keepDefaultValues: true });
    setOpenedVersion(current);
    toast.error('Merged, but not saved yet', mergeNotice(mergedPaths.current));
    await form.trigger(undefined, { shouldFocus: true });
  };

  return {
    start,
    save,
    mergeAndSave,
    write,
    openedVersion,
    setOpenedVersion,
    conflict,
    setConflict,
    saved,
  };
}

/** Returns the save mutation. Its toast names the fields that other users changed and that were merged. */
function useWrite(
  { save, invalidatedQueryKeys, toasts }: Document,
  openedVersion: Versioned | undefined,
  mergedPaths: RefObject<readonly MergePath[]>,
) {
  return useMutationWithToasts<string | undefined, Save>(
    {
      mutationFn: ({ values, base }) => save(values, base),
      onSuccess: (_version, _save, _result, { client }) =>
        Promise.all(invalidatedQueryKeys.map((queryKey) => client.invalidateQueries({ queryKey }))),
    },
    {
      success: (_version, { base }) => {
        const toastText = base ? toasts.updated : toasts.created;
        const mergeNote = mergeNotice(mergedPaths.current);
        return mergeNote && typeof toastText === 'string' ? [toastText, mergeNote] : toastText;
      },
      failure: (error) => {
        if (error instanceof StaleError) return null;
        const toastText = openedVersion ? toasts.updateFailed : toasts.createFailed;
        return typeof toastText === 'string' ? toastText : toastText[0];
      },
    },
  );
}

/** Merges both users' changes since `base`, after converting the values to their saved form. */
function mergeContents(
  { schema, merge }: Document,
  base: FieldValues,
  mine: FieldValues,
  theirs: FieldValues,
  selectsTheirs?: (path: MergePath) => boolean,
): Merge<FieldValues> {
  const contents = [toSavedValues(schema, base), mine, toSavedValues(schema, theirs)] as const;
  return merge?.(...contents, selectsTheirs) ?? mergeThreeWay(...contents, selectsTheirs);
}

/** Returns the values as they would be saved. */
function toSavedValues(schema: z.ZodObject, values: FieldValues): FieldValues {
  const result = schema.safeParse(values);
  return result.success ? result.data : values;
}

/** Maps a database error to the rejected field. Handles duplicate slugs and pictures without alt text. */
function rejectedField(error: unknown, singular: string): { field: string; message: string } | undefined {
  if (isDuplicateSlug(error)) return { field: 'slug', message: `Another ${singular} already has this slug.` };
  // Raised by private.require_alt_texts(), with the column in the details.
  if (errorCode(error) !== 'PT422' || !(error instanceof Error) || !('details' in error)) return undefined;
  return typeof error.details === 'string' ? { field: error.details, message: error.message } : undefined;
}
