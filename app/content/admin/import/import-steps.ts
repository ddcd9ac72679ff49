/** Mutations of the import page. The parsers are loaded when the user chooses files. */
import { mutationOptions, type QueryClient } from '@tanstack/react-query';
import { sessionApi } from '../../../api/visitor-api.ts';
import type { ImportPlan, PlannedPost } from '../../import/plan-import.ts';
import type { ImportedPost, ImportResult, WriteOptions } from '../../import/write-import.ts';

export interface ImportPreview {
  plan: ImportPlan;
  created: PlannedPost[];
  /** Posts whose slug is already in use. */
  skipped: PlannedPost[];
}

export const readImportMutation = mutationOptions({
  mutationKey: ['import', 'read'],
  mutationFn: async (files: readonly File[]): Promise<ImportPreview> => {
    const [{ planImport }, { splitByExistence }, api] = await Promise.all([
      import('../../import/plan-import.ts'),
      import('../../import/write-import.ts'),
      sessionApi(),
    ]);
    const importFiles = files.map((file) => ({ path: file.name, size: file.size, read: async () => file }));
    const plan = await planImport(importFiles);
    return { plan, ...(await splitByExistence(api, plan)) };
  },
});

export function writeImportMutation(onProgress: NonNullable<WriteOptions['onProgress']>) {
  return mutationOptions({
    mutationKey: ['import', 'write'],
    mutationFn: async ({ plan, created }: ImportPreview): Promise<ImportResult> => {
      const { writeImport } = await import('../../import/write-import.ts');
      return writeImport(await sessionApi(), plan, created, { ownOrigin: window.location.origin, onProgress });
    },
    onSettled: (_result, _error, _preview, _context, { client }) => reload(client),
  });
}

export const undoImportMutation = mutationOptions({
  mutationKey: ['import', 'undo'],
  mutationFn: async (posts: readonly ImportedPost[]): Promise<void> => {
    const { undoImport } = await import('../../import/write-import.ts');
    await undoImport(await sessionApi(), posts);
  },
  onSettled: (_nothing, _error, _posts, _context, { client }) => reload(client),
});

function reload(client: QueryClient): Promise<unknown> {
  return Promise.all(
    [['posts'], ['media'], ['content_counts']].map((queryKey) => client.invalidateQueries({ queryKey })),
  );
}
