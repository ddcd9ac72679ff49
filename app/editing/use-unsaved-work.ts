import { getRouteApi } from '@tanstack/react-router';
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { useFormContext } from 'react-hook-form';
import type { z } from 'zod';
import { autosaveWork, deleteWork, type KeptWork, listWork } from '../accounts/unsaved-work.ts';
import { isSameContent, restoreValues } from '../ui/form/form-values.ts';

export interface UnsavedWorkOptions {
  /** Stable identifier of the form: 'posts/new'. */
  place: string;
  schema: z.ZodObject;
  /** Version being edited, if the form tracks versions. */
  base?: unknown;
  /** True after saving a form that closes. */
  saved?: RefObject<boolean>;
  /** Called with the base version of the restored input. */
  onContinue?: (base: unknown) => void;
}

const admin = getRouteApi('/_gate/admin');

/** Stores unsaved input of the surrounding form, and finds earlier input. */
export function useUnsavedWork({ place, schema, base, saved, onContinue }: UnsavedWorkOptions) {
  const { id: person } = admin.useRouteContext().account;
  const { getValues, reset, subscribe, formState } = useFormContext();
  const [offers, setOffers] = useState<readonly KeptWork[]>([]);
  /** Saved values. */
  const start = useRef(formState.defaultValues ?? {});
  const basis = useRef(base);
  const text = useRef<ReturnType<typeof autosaveWork>>(null);
  // A form that stays open continues from the saved values.
  useEffect(() => {
    basis.current = base;
  }, [base]);

  const begin = useCallback(() => {
    text.current = autosaveWork(person, place, () => {
      const values = getValues();
      const isSaved = saved?.current || isSameContent(schema, values, start.current);
      return isSaved ? null : { values, base: basis.current };
    });
  }, [getValues, person, place, schema, saved]);

  useEffect(() => {
    let isGone = false;
    void listWork(person, place).then((found) => {
      const isSaved = ({ values }: KeptWork) =>
        isSameContent(schema, restoreValues(schema, values, start.current), start.current);
      for (const { key } of found.filter(isSaved)) void deleteWork(key);
      if (!isGone) setOffers(found.filter((work) => !isSaved(work)));
    });
    return () => {
      isGone = true;
    };
  }, [person, place, schema]);

  useEffect(() => {
    begin();
    const unsubscribe = subscribe({
      formState: { values: true, isDirty: true },
      callback: ({ defaultValues }) => {
        start.current = defaultValues ?? {};
        text.current?.changed();
      },
    });
    const flush = () => text.current?.flush();
    document.addEventListener('visibilitychange', flush);
    window.addEventListener('pagehide', flush);
    return () => {
      unsubscribe();
      document.removeEventListener('visibilitychange', flush);
      window.removeEventListener('pagehide', flush);
      text.current?.end();
    };
  }, [subscribe, begin]);

  const [offer] = offers;
  const goOn = () => {
    if (!offer) return;
    // Input typed since the form was opened is stored as a separate entry.
    text.current?.end();
    begin();
    basis.current = offer.base;
    onContinue?.(offer.base);
    reset(restoreValues(schema, offer.values, start.current), { keepDefaultValues: true });
    void deleteWork(offer.key);
    setOffers([]);
  };
  const discard = () => {
    if (!offer) return;
    void deleteWork(offer.key);
    setOffers(offers.slice(1));
  };
  return { offer, goOn, discard };
}
