import { useEffect } from 'react';
import { ErrorNote } from '../error-note.tsx';
import { messageOf } from '../show-error.ts';
import { clearToastsOfPage } from '../toast.ts';

/** Shows the error of the last save above the fields and removes its toast. */
export function SaveError({ error }: { error: Error | null | undefined }) {
  useEffect(() => clearToastsOfPage, []);
  return error && <ErrorNote title="Not saved">{messageOf(error)}</ErrorNote>;
}
