/** Document of a check, with optimistic locking. Saving also runs the check. */

import { colleagueName } from '../accounts/colleague-name.ts';
import { sessionApi } from '../api/visitor-api.ts';
import { type Document, requireWritten, type Versioned } from '../editing/document.ts';
import { type AssistantCheck, CHECKS_KEY, checkSchema, runChecks } from './assistant-checks.ts';

export interface CheckDocument extends Document {
  /** Initial values and version. */
  opened: Versioned | undefined;
}

/** @param check check to edit. Undefined for a new one */
export function checkDocument(check: AssistantCheck | undefined): CheckDocument {
  const load = async (signal?: AbortSignal): Promise<Versioned | null> => {
    const request = (await sessionApi())
      .from('assistant_checks')
      .select()
      .eq('id', check?.id ?? '');
    const { data } = await (signal ? request.abortSignal(signal) : request).throwOnError();
    const [row] = data;
    return row ? { ...versioned(row), by: await colleagueName(row.changed_by) } : null;
  };
  return {
    kind: 'assistant_checks',
    ...(check && { id: check.id }),
    singular: 'check',
    formKey: `assistant_checks/${check?.id ?? 'new'}`,
    schema: checkSchema,
    toasts: {
      created: 'Check saved and run',
      updated: 'Check saved and run',
      createFailed: 'Could not save the check',
      updateFailed: 'Could not save the check',
    },
    invalidatedQueryKeys: [CHECKS_KEY],
    opened: check && versioned(check),
    fromRow: (row) => row,
    toRow: (values) => checkSchema.parse(values),
    load,
    async save(values, openedVersion) {
      const table = (await sessionApi()).from('assistant_checks');
      const row = checkSchema.parse(values);
      if (check && openedVersion) {
        const match = { id: check.id, updated_at: openedVersion.version };
        await requireWritten((await table.update(row).match(match).select('updated_at').throwOnError()).data, load);
      } else await table.insert(row).throwOnError();
      await runChecks();
      return undefined;
    },
  };
}

/** Initial values of a new check. */
export const NEW_CHECK = { question: '', must_name: '', must_not_name: '' };

function versioned({ question, must_name, must_not_name, updated_at }: AssistantCheck): Versioned {
  return {
    content: { question, must_name: must_name.join('\n'), must_not_name: must_not_name.join('\n') },
    version: updated_at,
  };
}
