import { createContext } from 'react';
import type { FieldValues } from 'react-hook-form';
import type { Document } from './document.ts';

/** Context of a form that is shown beside the public page that it edits. */
export interface PageEditing {
  /** Id of the signed-in editor. */
  editorId: string;
  /** Shows form values on the page. Called after each change, and with the saved values when the form closes. */
  show: (document: Pick<Document, 'kind' | 'id' | 'schema' | 'toRow'>, values: FieldValues) => void;
  /** Closes the form after a save. */
  close: () => void;
}

export const PageEditingContext = createContext<PageEditing | null>(null);
