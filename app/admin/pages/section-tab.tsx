import type { ReactNode } from 'react';
import type { PageSlug, SectionName } from '../../content/pages/sections.ts';
import { SectionEditor } from './section-editor.tsx';
import type { SectionEditorProps } from './section-editor-props.ts';

/** Tab with the editor of a section. */
export interface SectionTab {
  value: string;
  label: string;
  /** Document id: 'home/hero'. */
  id: string;
  editor: ReactNode;
}

/** @param value name of the tab in the URL */
export function sectionTab<Page extends PageSlug, Name extends SectionName<Page>>(
  label: string,
  props: SectionEditorProps<Page, Name>,
  value: string = props.name,
): SectionTab {
  return { value, label, id: `${props.page}/${props.name}`, editor: <SectionEditor {...props} /> };
}
