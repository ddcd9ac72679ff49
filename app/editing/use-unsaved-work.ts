import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { useFormContext } from 'react-hook-form';
import type { z } from 'zod';
import { autosaveWork, deleteWork, type KeptWork, listWork } from '../accounts/unsaved-work.ts';
import { isSameContent, restoreValues } from '../ui/form/form-values.ts';
import { useEditorId } from './use-editor-id.ts';

export interface UnsavedWorkOptions {
  /** Stable key of the form, such as 'posts/new'. */
  formKey: string;
  schema: z.ZodObject;
  /** Version being edited, if the form tracks versions. */
  base?: unknown;
  /** True after a save that closes the form. */
  saved?: RefObject<boolean>;
  /** Called with the base version of the restored input. */
  onContinue?: (base: unknown) => void;
}

/** Stores unsaved input of the surrounding form, and finds earlier input. */
export function useUnsavedWork({ formKey, schema, base, saved, onContinue }: UnsavedWorkOptions) {
  const editorId = useEditorId();
  const { getValues, reset, subscribe, formState } = useFormContext();
  const [storedWork, setStoredWork] = useState<readonly KeptWork[]>([]);
  const savedValues = useRef(formState.defaultValues ?? {});
  const baseVersion = useRef(base);
  const autosave = useRef<ReturnType<typeof autosaveWork>>(null);
  // After a save, a form that stays open is based on the new version.
  useEffect(() => {
    baseVersion.current = base;
  }, [base]);

  const startAutosave = useCallback(() => {
    autosave.current = autosaveWork(editorId, formKey, () => {
      const values = getValues();
      const isSaved = saved?.current || isSameContent(schema, values, savedValues.current);
      return isSaved ? null : { values, base: baseVersion.current };
    });
  }, [getValues, editorId, formKey, schema, saved]);

  useEffect(() => {
    let isUnmounted = false;
    void listWork(editorId, formKey).then((entries) => {
      const isSaved = ({ values }: KeptWork) =>
        isSameContent(schema, restoreValues(schema, values, savedValues.current), savedValues.current);
      for (const { key } of entries.filter(isSaved)) void deleteWork(key);
      if (!isUnmounted) setStoredWork(entries.filter((work) => !isSaved(work)));
    });
    return () => {
      isUnmounted = true;
    };
  }, [editorId, formKey, schema]);

  useEffect(() => {
    startAutosave();
    const unsubscribe = subscribe({
      formState: { values: true, isDirty: true },
      callback: ({ defaultValues }) => {
        savedValues.current = defaultValues ?? {};
        autosave.current?.changed();
      },
    });
    const flush = () => autosave.current?.flush();
    document.addEventListener('visibilitychange', flush);
    window.addEventListener('pagehide', flush);
    return () => {
      unsubscribe();
      document.removeEventListener('visibilitychange', flush);
      window.removeEventListener('pagehide', flush);
      autosave.current?.end();
    };
  }, [subscribe, startAutosave]);

  const [latestOffer] = storedWork;
  const restoreInput = () => {
    if (!latestOffer) return;
    // Store the input since the form was opened as a separate entry.
    autosave.current?.end();
    startAutosave();
    baseVersion.current = latestOffer.base;
    onContinue?.(latestOffer.base);
    reset(restoreValues(schema, latestOffer.values, savedValues.current), { keepDefaultValues: true });
    void deleteWork(latestOffer.key);
    setStoredWork([]);
  };
  const discard = () => {
    if (!latestOffer) return;
    void deleteWork(latestOffer.key);
    setStoredWork(storedWork.slice(1));
  };
  return { offer: latestOffer, restoreInput, discard };
}
