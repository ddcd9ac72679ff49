import type { ComponentType, ReactNode } from 'react';
import type { z } from 'zod';
import type { PageSlug, SectionContent, SectionName } from '../../content/pages/sections.ts';

export interface SectionEditorProps<Page extends PageSlug, Name extends SectionName<Page>> {
  page: Page;
  name: Name;
  Fields: ComponentType;
  /** The section as the public page draws it. */
  preview: (content: SectionContent<Page, Name>) => ReactNode;
  /** Width of the desktop window of the preview in px, less for a low section, which would be a thread at 1280. */
  desktopWidth?: number;
  /** Schema that is checked before saving, if it is stricter than that of reading. */
  schema?: z.ZodObject;
}
