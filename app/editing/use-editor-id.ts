import { useRouteContext } from '@tanstack/react-router';
import { use } from 'react';
import { PageEditingContext } from './page-editing-context.ts';

/** Returns the id of the signed-in editor, in the admin area or on a public page. */
export function useEditorId(): string {
  const admin = useRouteContext({ strict: false, select: ({ account }) => account?.id });
  return use(PageEditingContext)?.editorId ?? admin ?? '';
}
