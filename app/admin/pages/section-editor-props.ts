import type { ComponentType, ReactNode } from 'react';
import type { z } from 'zod';
import type { PageSlug, SectionContent, SectionName } from '../../content/pages/sections.ts';

export interface SectionEditorProps<Page extends PageSlug, Name extends SectionName<Page>> {
  page: Page;
  name: Name;
  Fields: ComponentType;
  /** True if the help text of a field explains the {site} placeholder. */
  explainsSiteName?: boolean;
  /** Renders the section as on the public page. */
  preview: (content: SectionContent<Page, Name>) => ReactNode;
  /** Width of the desktop preview in px. Set a smaller width for short sections, which would be too thin at 1280 px. */
  desktopWidth?: number;
  /** Validation on save, if stricter than on read. */
  schema?: z.ZodObject;
}
