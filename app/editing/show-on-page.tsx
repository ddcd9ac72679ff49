import { useEffect, useEffectEvent } from 'react';
import { useWatch } from 'react-hook-form';
import type { PageEditing } from './page-editing-context.ts';
import type { Editing } from './use-document.ts';

/** Debounce delay, so that rendering the page does not slow down typing. */
const DEBOUNCE_MS = 120;

interface ShowOnPageProps {
  editing: Pick<Editing, 'document' | 'openedVersion' | 'saved'>;
  show: PageEditing['show'];
}

/** Shows the values of the surrounding form on the page. Restores the saved values when the form closes unsaved. */
export function ShowOnPage({ editing: { document, openedVersion, saved }, show }: ShowOnPageProps) {
  const values = useWatch();
  const showValues = useEffectEvent(() => show(document, values));
  const restore = useEffectEvent(() => {
    if (openedVersion && !saved.current) show(document, openedVersion.content);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: `showValues` reads the values
  useEffect(() => {
    const timer = setTimeout(() => showValues(), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [values]);
  useEffect(() => () => restore(), []);
  return null;
}
